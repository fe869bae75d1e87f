import { oneLine } from "./one-line";

/** Notes, such as on parts that were not compared, as lines for standard error. */
export function notesText(notes: readonly string[]): string {
  return notes.map((note) => `Note: ${oneLine(note)}\n`).join("");
}
