import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Path of the checkout. */
export const checkout = path.resolve(__dirname, "../..");

/** A fenced block of a file. */
export interface Block {
  /** File and line, for messages. */
  origin: string;
  text: string;
}

/** The generated pages for Pulumi's registry, whose links and blocks follow its rules. */
export const registryPages = ["docs/_index.md", "docs/installation-configuration.md"];

/** Every page of the documentation, relative to the checkout. */
export function pages(): string[] {
  const below = filesBelow("docs", ".md").filter((page) => !registryPages.includes(page));
  return [...readdirSync(checkout).filter((name) => name.endsWith(".md")), ...below];
}

/** The files below `folder` whose names end with `ending`, relative to the checkout. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(path.join(checkout, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .sort();
}

/** The text of a file of the checkout. */
export function read(file: string): string {
  return readFileSync(path.join(checkout, file), "utf8");
}

/** The anchors of a page: those of its headings, as common renderers derive them, and those that it sets itself. */
export function anchors(page: string): string[] {
  const text = withoutBlocks(read(page));
  const own = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  return [...headingAnchors(text), ...own];
}

/** The anchors of the headings in a text without fenced blocks, in their order. */
export function headingAnchors(text: string): string[] {
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
    const earlier = seen.get(slug) ?? 0;
    seen.set(slug, earlier + 1);
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  });
}

/** A page's text without its fenced blocks. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, "");
}

/** The fenced blocks of `language` in `text`, including those in doc comments. */
export function blocks(language: string, file: string, text = read(file)): Block[] {
  const fence = new RegExp(`^([ *]*)\`\`\`${language}\\n(.*?)^[ *]*\`\`\`$`, "gms");
  return [...text.matchAll(fence)].map(({ 1: margin = "", 2: inner = "", index }) => ({
    origin: `${file}:${text.slice(0, index).split("\n").length}`,
    text: inner.replaceAll(new RegExp(`^${margin.trimEnd().replaceAll("*", "\\*")} ?`, "gm"), ""),
  }));
}

/** The cells of each table row of a page, or of `text` from it. */
export function tableRows(file: string, text = read(file)): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .replaceAll("\\|", "¦")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("¦", "|")),
    );
}
