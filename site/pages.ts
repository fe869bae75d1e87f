import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const { posix } = path;
const checkout = path.resolve(__dirname, "..");

/** A section of the sidebar. */
export interface Section {
  text: string;
  /** The page that the title of the section leads to. */
  link?: string;
  /** Whether it is closed until one of its pages is open. */
  collapsed?: boolean;
  items: { text: string; link: string }[];
}

/** A page that shows the files of a folder of examples/, or one file. */
export interface FilesPage {
  page: string;
  content: string;
}

/** The part of schema.json that has examples. */
export type Described = Readonly<Record<"resources" | "functions", Readonly<Record<string, { description?: string }>>>>;

/** The text of a file of the checkout. */
export const read = (file: string): string => readFileSync(path.join(checkout, file), "utf8");

const excluded = /^docs\/(contributing\/|decisions\/|_index\.md|installation-configuration\.md)/;

/** The pages of the package, relative to the checkout. Pages for contributors and for Pulumi's registry are excluded, as in the package. */
export const sources: readonly string[] = [
  ...["README.md", "CHANGELOG.md", "SECURITY.md"],
  ...filesBelow("docs").filter((file) => file.endsWith(".md") && !excluded.test(file)),
];

/** The page of the site for a source, without ending: `resources/group` for docs/resources/group.md. */
export function pageOf(source: string): string {
  if (source === "README.md") return "overview";
  return source
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .replace(/^[A-Z]+$/, (name) => name.toLowerCase());
}

/** The anchor of a heading, by GitHub's rules. */
export function slugOf(title: string): string {
  const kept = title.toLowerCase().replaceAll(/[^\w\- ]/g, "");
  return kept.replaceAll(" ", "-");
}

const linkTo = (source: string) => `/${pageOf(source)}`.replace(/\/index$/, "/");

/** The target in the site of a link in a source; undefined if the site does not have it. */
export function siteLink(source: string, target: string): string | undefined {
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? source : posix.join(posix.dirname(source), file).replace(/\/$/, "");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (sources.includes(linked)) return `${linkTo(linked)}${hash}`;
  const [, example, inner] = /^examples\/([^/]+)\/?(.*)/.exec(linked) ?? [];
  if (example === undefined) return linked === "LICENSE" ? "/license" : undefined;
  // For a folder, its first file.
  const shown = inner && shownFiles(example).find((shown) => shown === inner || shown.startsWith(`${inner}/`));
  return shown === undefined ? undefined : `/examples/${example}${shown && `#${slugOf(shown)}`}`;
}

/** docs/index.md as the start page, after the beginning of the README. */
export function startPage(tasks: string, readme: string, title: string): string {
  const text = readme.replaceAll("](docs/", "](").replaceAll("](examples/", "](../examples/");
  const [intro = ""] = /^A \[Pulumi\].*?\n\n/ms.exec(text) ?? [];
  const [commands = ""] = /^## Two commands\n.*?(?=^## )/ms.exec(text) ?? [];
  const [program = ""] = /^```ts\n.*?^```$/ms.exec(text) ?? [];
  const options = {
    title,
    titleTemplate: "pulumi-platform",
    pageClass: "start",
    sidebar: false,
    aside: false,
    prev: false,
    next: false,
  };
  return `---
${JSON.stringify(options)}
---

<div class="hero">

# pulumi-platform <span>Identity and access, declared in a program</span>

${intro.replaceAll("\n", " ").split(". ").slice(1, 3).join(". ")}.

[Get started](getting-started.md) [Resources](resources/index.md) [Commands](commands/index.md)

</div>

${commands}
## A first program

${program}

[The commands that run it](../README.md#a-first-program)

${tasks.replace(/^# .*$/m, "")}`;
}

/** A section with the schema's examples of the subject in a page's title, in every language; empty if there are none. */
export function inOtherLanguages(page: string, { resources, functions }: Described): string {
  const names = /^# (.*)$/m.exec(page)?.[1]?.split(", ") ?? [];
  const examples = Object.entries({ ...resources, ...functions }).flatMap(([token, { description = "" }]) => {
    const name = names.find((each) => token.endsWith(`:${each}`));
    const blocks = name === undefined ? null : description.match(/^```\w+\n.*?^```/gms);
    return blocks === null ? [] : [...(names.length > 1 ? [`### \`${name ?? ""}\``] : []), ...blocks];
  });
  const intro = "## In other languages\n\nThese use the [native plugin](../native.md#other-languages).";
  return examples.length === 0 ? "" : [intro, ...examples].join("\n\n");
}

/**
 * The sidebar. It has the sections of docs/index.md, each with the pages to which it links first, and a section for each folder of pages
 * and for the examples. A page without links to it comes last.
 */
export function sections(): Section[] {
  const left = new Set(sources.filter((source) => source !== "docs/index.md"));
  const take = (wanted: readonly string[]) =>
    wanted.filter((source) => left.delete(source)).map((source) => ({ text: titleOf(source), link: linkTo(source) }));
  const reference = foldersOfDocs().map((folder): Section => {
    const index = [`docs/${folder}/index.md`, `docs/${folder}.md`].find((source) => left.delete(source));
    const below = sources.filter((source) => source.startsWith(`docs/${folder}/`));
    const ordered = index === undefined ? below : [...linkedFrom(index).filter((source) => below.includes(source)), ...below];
    return {
      text: index === undefined ? `${folder.charAt(0).toUpperCase()}${folder.slice(1)}` : titleOf(index),
      ...(index !== undefined && { link: linkTo(index), collapsed: true }),
      items: take(ordered),
    };
  });
  const tasks = read("docs/index.md").split(/^## /m).slice(1);
  const byTask = tasks.map((text, at): Section => {
    const title = text.slice(0, text.indexOf("\n"));
    const items = take([...(at === 0 ? ["README.md"] : []), ...linkedFrom("docs/index.md", text)]);
    return { text: title, link: `/#${slugOf(title)}`, items };
  });
  const examples = exampleFolders().map((name) => ({ text: name, link: `/examples/${name}` }));
  const more = left.size === 0 ? [] : [{ text: "More", items: take([...left]) }];
  const all = [...byTask, ...reference, { text: "Examples", items: examples }, ...more];
  return all.filter(({ items }) => items.length > 0);
}

/** The pages with files that other pages link to. There is one for each folder of examples/, and one with the licence. */
export function filesPages(): FilesPage[] {
  const examples = exampleFolders().map((name) => {
    const folder = `examples/${name}`;
    const shown = shownFiles(name).map((file) => `## \`${file}\`\n\n${block(`${folder}/${file}`)}`);
    return { page: folder, content: [`# ${folder}`, ...shown].join("\n\n") };
  });
  return [...examples, { page: "license", content: `# Licence\n\n${block("LICENSE")}` }];
}

/** The files of an example on its page, relative to its folder. They are sources, without settings of a reader's own stacks. */
function shownFiles(example: string): string[] {
  const files = filesBelow(`examples/${example}`).map((file) => posix.relative(`examples/${example}`, file));
  return files.filter(
    (file) => /(\.(ts|py|txt|ya?ml)|Containerfile)$/.test(file) && !/(^|\/)(node_modules\/|Pulumi\..+\.yaml)/.test(file),
  );
}

function block(file: string): string {
  const language = { "": "docker", ".py": "python", ".yml": "yaml" }[posix.extname(file)] ?? posix.extname(file).slice(1);
  return `\`\`\`\`${file === "LICENSE" ? "text" : language}\n${read(file).trimEnd()}\n\`\`\`\``;
}

/** Files below a folder, sorted. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(path.join(checkout, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return files.map((file) => path.relative(checkout, file).split(path.sep).join("/")).sort();
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(path.join(checkout, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

const exampleFolders = () => foldersIn("examples");

/** The folders of docs/ with their own sections, the resources first. */
function foldersOfDocs(): string[] {
  const others = ["contributing", "decisions", "guides"];
  const first = ["resources", "components", "data-sources", "commands"];
  return [...new Set([...first, ...foldersIn("docs")])].filter((folder) => !others.includes(folder));
}

/** The title of a source, which is its first heading. */
function titleOf(source: string): string {
  if (source === "README.md") return "Overview";
  return /^# (.*)$/m.exec(read(source))?.[1] ?? source;
}

/** The sources that a page links to as a whole, in order. */
function linkedFrom(source: string, text = read(source)): string[] {
  const targets = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = ""]) => target);
  return targets.map((target) => posix.join(posix.dirname(source), target)).filter((linked) => sources.includes(linked));
}
