import { redact } from "./redact";

/** Most characters of a server's words that a message quotes. */
const longestQuote = 2_000;

/** Most characters of one value in a message. */
const longestLiteral = 200;

/**
 * `text` with every character that a terminal would obey, or that hides or reorders others, spelled out as `\u{1b}`: control
 * and format characters (escape sequences, bidirectional overrides, zero-width ones) and line separators other than a line feed.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}

/** What a server said, fit for a message: on one line, without secrets, and cut where it is too long. */
export function quoted(text: string, most = longestQuote): string {
  // Redacted before it is cut: a part of a token would not be known again.
  return cut(printable(redact(text).replace(/\s+/g, " ").trim()), most);
}

/** `value` as JSON, fit for a message: without secrets, and cut where it is too long. */
export function literal(value: unknown): string {
  const clean = (_: string, member: unknown) => (typeof member === "string" ? redact(member) : member);
  return cut(printable(JSON.stringify(value ?? null, clean)), longestLiteral);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
