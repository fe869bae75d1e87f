import { blocks, headingAnchors, pages, read, withoutBlocks } from "./markdown";

/** A block of commands of a page for users. */
export interface ShellBlock {
  /** The section that has the block, `docs/drift.md#repair-it`; then `/2` and so on for its further blocks. It survives edits of the page. */
  readonly key: string;
  /** File and line, for messages. */
  readonly origin: string;
  readonly page: string;
  readonly text: string;
}

const ofUsers = /^(README\.md|docs\/(?!contributing|decisions).*)$/;

/** The pages for users. */
export const userPages = pages().filter((page) => ofUsers.test(page));

/** Every block of commands that users may copy. */
export function shellBlocks(): ShellBlock[] {
  const counts = new Map<string, number>();
  const found = userPages.flatMap((page) => blocks("(?:sh|bash|shell|console)", page).map((block) => ({ ...block, page })));
  return found.map(({ page, origin, text }) => {
    const above = read(page)
      .split("\n")
      .slice(0, Number(origin.split(":").at(-1)) - 1);
    const section = `${page}#${headingAnchors(withoutBlocks(above.join("\n"))).at(-1) ?? ""}`;
    const count = (counts.get(section) ?? 0) + 1;
    counts.set(section, count);
    return { key: count === 1 ? section : `${section}/${count}`, origin, page, text };
  });
}

/** The commands of a block, each on one line, without comments on lines of their own. */
export function commandsOf(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line));
}
