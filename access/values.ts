import { literal, printable } from "../provider/client/printable";
import { unknownValue } from "../provider/schema/inputs";
import { longestText } from "../provider/schema/pattern";

/** Stands for a value that is known only after the update. */
export const notKnown = "(known after the update)";

/** A text without spaces, commas, quotes, and blank or invisible characters. No part of it can pass for the words around it. */
const plain = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800"\\,]+$/u;

/** A value in a sentence, quoted unless it is plain. */
export function valueInWords(value: unknown): string {
  return typeof value === "string" && value !== unknownValue && isPlain(value) ? value : quotedInWords(value);
}

/** A name in a sentence. It is quoted if a part could pass for the words around it, and cut if it is too long to read. */
export function nameInWords(name: string): string {
  if (isPlain(name)) return name;
  return name.length > longestText ? literal(name) : printable(JSON.stringify(name));
}

function isPlain(text: string): boolean {
  return text.length <= longestText && plain.test(text);
}

/** A value in a sentence, quoted. */
export function quotedInWords(value: unknown): string {
  return value === unknownValue ? notKnown : literal(value);
}
