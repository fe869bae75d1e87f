import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type Note, noteSchema, type NoteFile, unlessMissing, type Writer } from "./journal-file";

const fileSchema = noteSchema.extend({ pid: z.number() });

/** A create may have been in flight while its note was written. It proves nothing. */
const halfWritten: Note & { pid: number } = { program: "", mayApplyUntil: Infinity, pid: 0 };

/**
 * The notes that processes of version 0.1.0 left behind, a file each: its name is the key.
 *
 * @param reader notes of another host prove nothing to it
 * @throws Error if they cannot be read
 */
export function notesOf010(folder: string, reader: Writer): NoteFile[] {
  return unlessMissing(() => readdirSync(folder), []).map((key) => {
    const file = path.join(folder, key);
    const { pid, ...note } = parsed(unlessMissing(() => readFileSync(file, "utf8"), ""));
    const notes = new Map([[key, note]]);
    const settle = (other: string) => {
      if (notes.delete(other)) rmSync(file, { force: true });
    };
    return { path: file, writer: { ...reader, pid }, facts: new Set<string>(), notes, settle };
  });
}

function parsed(text: string): Note & { pid: number } {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data ?? halfWritten;
  } catch {
    return halfWritten;
  }
}
