/** Widest line of generated source text. */
const width = 100;

/** A piece of source text that breaks into lines only if it does not fit. It is a text, or items between brackets. */
export type Piece = string | Bracketed;

/** Items between brackets, on one line if they fit, otherwise one on each line. */
export interface Bracketed {
  readonly open: string;
  readonly items: readonly Piece[][];
  readonly close: string;
  /** Whether a space follows the opening bracket and precedes the closing one: `{ a }`. */
  readonly isSpaced: boolean;
}

/** `{ name: value, ... }` */
export function braces(items: readonly Piece[][]): Piece {
  return items.length === 0 ? "{}" : { open: "{", items, close: "}", isSpaced: true };
}

/** `[value, ...]` */
export function brackets(items: readonly Piece[][]): Piece {
  return { open: "[", items, close: "]", isSpaced: false };
}

/** `pieces` as lines, the first at column `indent` and the others indented by it. */
export function format(pieces: readonly Piece[], indent = 0): string {
  let text = "";
  pieces.forEach((piece, index) => {
    const after = onSameLine(pieces.slice(index + 1));
    const column = text.includes("\n") ? text.length - text.lastIndexOf("\n") - 1 : indent + text.length;
    text += typeof piece === "string" ? piece : block(piece, indent, width - column - after.length);
  });
  return text;
}

/** The part of `following` that stays on the line of a closing bracket in any case, up to the next opening bracket. */
function onSameLine(following: readonly Piece[]): string {
  const next = following.findIndex((piece) => typeof piece !== "string");
  const texts = next < 0 ? following : following.slice(0, next);
  const opening = following[next];
  const line = flat(texts) + (typeof opening === "object" ? opening.open : "");
  return line.split("\n", 1).join("");
}

function block(piece: Bracketed, indent: number, room: number): string {
  const line = flat([piece]);
  if (line.length <= room && !line.includes("\n")) return line;
  const inner = " ".repeat(indent + 2);
  const items = piece.items.map((item) => `${inner}${format(item, indent + 2)},\n`);
  return `${piece.open}\n${items.join("")}${" ".repeat(indent)}${piece.close}`;
}

function flat(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const space = piece.isSpaced ? " " : "";
      return `${piece.open}${space}${piece.items.map(flat).join(", ")}${space}${piece.close}`;
    })
    .join("");
}

/**
 * A string literal of TypeScript and JSON. Nothing in `text` can end the literal. Characters that a terminal or an editor interprets, hides
 * or reorders are escaped.
 */
export function quotedText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** `text` in the form for backticks. */
export function templateText(text: string): string {
  return quotedText(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("`", "\\`").replaceAll("${", "\\${");
}

/** `text` for a comment on one line. Nothing in it can end the comment or hide. */
export function commentText(text: string): string {
  return quotedText(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
