import { relative, resolve, sep } from "node:path";
import { siteLink } from "../pages.ts";

const checkout = resolve(import.meta.dirname, "../..");
const languages = {
  ts: "TypeScript",
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  yaml: "YAML",
  csharp: "C#",
  java: "Java",
};

/** Turns the pages' plain Markdown into the site's. Links between sources become links between pages, and examples become tabs. */
export function extend(md) {
  md.core.ruler.push("site", ({ tokens, env, Token }) => {
    // The text of a title has no path.
    const source = relative(checkout, env.realPath ?? env.path ?? checkout)
      .split(sep)
      .join("/");
    for (const { children } of tokens) translateLinks(children ?? [], source);
    labelCells(tokens);
    groupExamples(tokens, Token);
  });
  const code = md.renderer.rules.code_inline;
  // Long names break between their words.
  md.renderer.rules.code_inline = (...given) => code(...given).replaceAll(/[a-z](?=[A-Z])/g, "$&<wbr>");
  md.renderer.rules.table_open = (tokens, at) => `<div class="table ${tokens[at].meta}"><table role="table">\n`;
  md.renderer.rules.table_close = () => "</table></div>\n";
}

function translateLinks(tokens, source) {
  for (const token of tokens.filter(({ type }) => type === "link_open")) {
    const target = token.attrGet("href");
    // Links within a page stay unchanged, because the search finds headings by them.
    if (!/^(?:[a-z]+:|[/#])/.test(target)) token.attrSet("href", siteLink(source, target) ?? target);
  }
}

/** Labels cells with their column and their kind. On a narrow screen a row becomes a block outside of a table. */
function labelCells(tokens) {
  const roles = { thead_open: "rowgroup", tbody_open: "rowgroup", tr_open: "row", th_open: "columnheader", td_open: "cell" };
  let [table, columns, column] = [undefined, [], 0];
  for (const [at, token] of tokens.entries()) {
    if (token.type === "table_open") [table, columns] = [token, []];
    if (token.type === "tbody_open") table.meta = columns[1] === "type" && columns.at(-1) === "description" ? "reference" : "";
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") columns.push(tokens[at + 1].content);
    // A heading without a text is no heading.
    if (token.type === "th_open" && tokens[at + 1].content === "") token.tag = tokens[at + 2].tag = "td";
    if (token.type === "td_open") labelCell(token, columns.length > 2 ? columns[column++] : "", tokens[at + 1].content);
    if (roles[token.type]) token.attrSet("role", token.tag === "td" ? "cell" : roles[token.type]);
  }
}

function labelCell(token, column, text) {
  if (column !== "" && !/^(required|(exactly|at most) one of)/.test(text)) token.attrSet("data-column", column);
}

/** Consecutive blocks, in TypeScript and then in other languages, form one example, which is VitePress's group of tabs. */
function groupExamples(tokens, Token) {
  const languageAt = (at) => (tokens[at]?.type === "fence" ? languages[tokens[at].info.trim()] : undefined);
  for (let first = 0; first < tokens.length; first++) {
    if (languageAt(first) !== languages.ts) continue;
    let end = first + 1;
    while (languageAt(end) !== undefined && languageAt(end) !== languages.ts) end++;
    if (end - first < 2) continue;
    for (const token of tokens.slice(first, end)) token.info += ` [${languages[token.info.trim()]}]`;
    tokens.splice(end, 0, new Token("container_code-group_close", "div", -1));
    tokens.splice(first, 0, new Token("container_code-group_open", "div", 1));
    first = end + 1;
  }
}
