import { redact } from "./redact";

/** Maximum number of characters that a message quotes of a server's text. */
const longestQuote = 2_000;

/** Maximum number of characters of one value in a message. */
const longestLiteral = 200;

/**
 * Starts a command of a pipeline's log, anywhere in a line: `##[error]` (GitHub Actions, Azure Pipelines), `##vso[...]` (Azure
 * Pipelines), `##teamcity[...]`.
 */
export const logCommand = /##(?=[\w.-]*\[)/g;

/** Starts a command of GitHub Actions, `::error::`, which trims the start of a line. */
const leadingCommand = /^([^\S\n]*)::/gm;

/**
 * `text` with every character spelled out as `\u{1b}` that a terminal interprets, or that hides or reorders others. These are control and
 * format characters (escape sequences, bidirectional overrides, zero-width and blank ones) and line separators other than a line feed. The
 * first character of a text that a pipeline would run as a log command is spelled out too: `\u{23}#[error]`, `\u{3a}:error::`.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, spelledOut)
    .replace(logCommand, `${spelledOut("#")}#`)
    .replace(leadingCommand, `$1${spelledOut(":")}:`);
}

function spelledOut(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}

/** A server's text for a message, on one line, without secrets, and cut if it is too long. */
export function quoted(text: string, most = longestQuote): string {
  // Redacted before it is cut, because a part of a token would not be recognized.
  return cutPrintable(redact(text).replace(/\s+/g, " ").trim(), most);
}

/** `value` as JSON for a message, without secrets, and cut if it is too long. */
export function literal(value: unknown): string {
  const clean = (_: string, member: unknown) => (typeof member === "string" ? redact(member) : member);
  return cutPrintable(JSON.stringify(value ?? null, clean), longestLiteral, typeof value === "string" ? '..."' : "...");
}

/** `text` in the form of {@link printable}, cut if it is too long. The rest is not examined, because it may be very long. */
function cutPrintable(text: string, most: number, end = "..."): string {
  const shown = printable(text.slice(0, most + 1));
  return shown.length <= most ? shown : `${shown.slice(0, most)}${end}`;
}

/** `text` with a full stop, so a sentence can follow. A text with another punctuation mark at its end stays unchanged. */
export function asSentence(text: string): string {
  return text.trimEnd().replace(/(?<![.?!]["')]?)$/, ".");
}

/** Items for a message: `name, description and claimMatch`. */
export function list(items: readonly string[]): string {
  return join(items, "conjunction");
}

/** At most `most` items for a message: `name, description and 3 more`. */
export function shortList(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return list(rest > 0 ? [...items.slice(0, most), `${rest} more`] : items);
}

/** Remedies, each on a line of its own, for the end of a message. */
export function options(ways: readonly string[]): string {
  return ways.map((way) => `\n- ${way}`).join("");
}

/** Alternatives for a message: `name, description or claimMatch`. */
export function alternatives(items: readonly string[]): string {
  return join(items, "disjunction");
}

/** The formatter is made on first use. Loading its data would delay every start by some milliseconds, and only errors need it. */
function join(items: readonly string[], type: "conjunction" | "disjunction"): string {
  return new Intl.ListFormat("en-GB", { type }).format(items);
}
