import { literal, printable } from "../provider/client/printable";
import { unknownValue } from "../provider/kinds/inputs";

/** Stands for a value that is known after the update only. */
export const notKnown = "(known after the update)";

/** Text without spaces, commas, quotes or invisible characters: no part of it can pass for the words around it. */
const plain = /^[^\p{C}\p{Z}"\\,]+$/u;

/** A value in a sentence: as it is if it is plain, else quoted. */
export function valueInWords(value: unknown): string {
  return typeof value === "string" && value !== unknownValue && plain.test(value) ? value : quotedInWords(value);
}

/** A name in a sentence: quoted if a part of it could pass for the words around it. */
export function nameInWords(name: string): string {
  return plain.test(name) ? name : printable(JSON.stringify(name));
}

/** A value in a sentence, quoted. */
export function quotedInWords(value: unknown): string {
  return value === unknownValue ? notKnown : literal(value);
}
