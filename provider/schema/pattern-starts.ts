import { unanalysed } from "./pattern";

/** A text with which values begin. */
export interface Start {
  readonly text: string;
  /** The text is the whole value. */
  readonly isWhole: boolean;
}

/** The part read so far of the beginning of the values that one alternative matches. */
interface Branch {
  readonly text: string;
  /** A `^` precedes the text. */
  readonly isAnchored: boolean;
  /** `literal`: the text may continue. `any`: something other than a literal follows. `end`: nothing follows. */
  readonly next: "literal" | "any" | "end";
}

/** Maximum number of beginnings of one pattern, because groups of alternatives multiply them. */
const mostBranches = 64;

const quantifiers = /[*+?{]/;
/** A group without flags: plain, uncaptured or named. */
const groupStart = /\((?:\?:|\?P?<\w+>|(?!\?))/y;
/** A class; the first `]` in it is a member. */
const characterClass = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[^]|[^\]\\])*\]/y;
/** An escape with a meaning: `\d`, `\pL`, `\x{10}`. */
const escape = /\\[A-Za-z0-9](?:\{[^}]*\})?/y;
/** An escaped character that stands for itself. */
const escapedLiteral = /\\[!-/:-@[-`{-~]/y;

/**
 * The texts with which every matching value begins, one for each alternative. Undefined if this is not certain, because an alternative has
 * no `^`, or the pattern sets flags, quotes by `\Q` or is not analysed. The pattern is read once from left to right and never tried on a
 * value, so the answer holds whether or not the platform anchors patterns.
 */
export function startsOf(pattern: string): readonly Start[] | undefined {
  if (unanalysed(pattern) !== undefined) return undefined;
  const branches = new Reader(pattern).read();
  if (branches?.every(({ isAnchored }) => isAnchored) !== true) return undefined;
  return branches.map(({ text, next }) => ({ text, isWhole: next === "end" }));
}

/** Reads the beginnings of a regular expression in RE2 syntax (docs/platform-api.md#patterns). */
class Reader {
  #at = 0;
  /** Something may change the meaning of a part before or after it. */
  #isUnclear = false;

  constructor(private readonly pattern: string) {}

  read(): readonly Branch[] | undefined {
    const branches = this.#alternatives([{ text: "", isAnchored: false, next: "literal" }]);
    return this.#isUnclear || this.#at < this.pattern.length ? undefined : branches;
  }

  #alternatives(before: readonly Branch[]): readonly Branch[] {
    const all = [...this.#sequence(before)];
    while (this.#take("|")) all.push(...this.#sequence(before));
    return all;
  }

  #sequence(before: readonly Branch[]): readonly Branch[] {
    let branches = before;
    while (!this.#isUnclear && this.#at < this.pattern.length && !/[|)]/.test(this.#next())) {
      const item = this.#item(branches);
      branches = this.#isQuantified() || item.length > mostBranches ? stopped(branches) : item;
    }
    return branches;
  }

  /** The branches after the next item. */
  #item(before: readonly Branch[]): readonly Branch[] {
    if (this.#match(groupStart) !== undefined) {
      const inner = this.#alternatives(before);
      this.#isUnclear ||= !this.#take(")");
      return inner;
    }
    if (this.#match(characterClass) !== undefined || this.#take(".")) return stopped(before);
    const literal = this.#match(escapedLiteral);
    if (literal !== undefined) return grown(before, literal.slice(1));
    const escaped = this.#match(escape);
    this.#isUnclear ||= escaped?.startsWith("\\Q") === true;
    if (escaped !== undefined) return stopped(before);
    if (this.#take("^")) return before.map(anchored);
    if (this.#take("$")) return before.map((each) => (each.next === "literal" ? { ...each, next: "end" } : each));
    // Flags, an unclosed class, or a quantifier of nothing.
    this.#isUnclear ||= /[([\\*+?]/.test(this.#next());
    if (this.#take("{")) return stopped(before);
    const character = this.#next();
    this.#at += character.length;
    return grown(before, character);
  }

  /** True if a quantifier follows. A quantifier in braces is left to be read as text, which is ignored. */
  #isQuantified(): boolean {
    const isQuantified = quantifiers.test(this.#next());
    while (/[*+?]/.test(this.#next())) this.#at += 1;
    return isQuantified;
  }

  #next(): string {
    const code = this.pattern.codePointAt(this.#at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  #take(character: string): boolean {
    const isNext = this.#next() === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #match(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const [text] = form.exec(this.pattern) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}

function stopped(branches: readonly Branch[]): readonly Branch[] {
  return branches.map((each) => (each.next === "literal" ? { ...each, next: "any" } : each));
}

function grown(branches: readonly Branch[], text: string): readonly Branch[] {
  return branches.map((each) => (each.next === "literal" ? { ...each, text: each.text + text } : each));
}

/** A `^` after some text never matches, so the limit stays valid. */
function anchored(branch: Branch): Branch {
  if (branch.next !== "literal" || branch.text !== "") return branch.next === "literal" ? { ...branch, next: "any" } : branch;
  return { ...branch, isAnchored: true };
}
