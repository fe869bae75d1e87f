/**
 * A text with `*` for a part of a name and `**` for any number of names. An attacker may choose the names that it is matched with, so
 * matching takes time linear in the length of the text, which `RegExp` does not promise.
 */
export class Glob {
  readonly #matches: (text: string) => boolean;
  readonly #isOpen: boolean;

  constructor(glob: string) {
    const source = glob
      .split(/(\*\*|\*)/)
      .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]*" : part.replaceAll(/[\\^$.+?()[\]{}|/-]/g, "\\$&")));
    // Loaded on use, so that commands start fast.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
    const { RE2JS } = require("re2js") as typeof import("re2js");
    const pattern = RE2JS.compile(source.join(""), RE2JS.DOTALL);
    this.#matches = (text) => pattern.testExact(text);
    this.#isOpen = glob.endsWith("**");
  }

  matches(text: string): boolean {
    return this.#matches(text);
  }

  /** True if the glob matches every possible path below `path`. */
  coversBelow(path: string): boolean {
    // `**` at the end matches any continuation of the rest.
    return this.#isOpen && this.#matches(`${path}/`);
  }
}
