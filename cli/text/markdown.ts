import { oneLine } from "./one-line";

/**
 * `text` as one line of Markdown that shows it unchanged. Names and descriptions come from the platform, and must not become links, HTML,
 * mentions of people or cells of a table.
 */
export function markdownText(text: string): string {
  const escaped = oneLine(text).replace(/[\\`*_{}[\]()#+.!|~-]/g, "\\$&");
  // GitHub and GitLab look for mentions after they parse Markdown. A comment inside a mention is invisible and breaks it.
  return entities(escaped).replace(/[@:]/g, "$&<!-- -->");
}

/** `text` as code in a line of Markdown or a cell of a table. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  if (/^[\w./:=@,→-]([\w ./:=@,→-]*[\w./:=@,→-])?$/.test(line)) return `\`${line}\``;
  const safe = entities(line).replace(/[\\`*_{}[\]()#+!|~:@]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${safe}</code>`;
}

function entities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
