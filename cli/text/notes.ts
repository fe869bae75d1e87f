import { oneLine } from "./one-line";

/** What was not compared, and the like: lines for standard error. */
export function notesText(notes: readonly string[]): string {
  return notes.map((note) => `Note: ${oneLine(note)}\n`).join("");
}
