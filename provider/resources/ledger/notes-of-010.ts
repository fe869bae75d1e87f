import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { tryJson } from "../../client/answer";
import { type Note, noteSchema, type NoteFile, unlessMissing, type Writer } from "./journal-file";

const fileSchema = noteSchema.omit({ at: true }).extend({ pid: z.number() });

/**
 * The notes that processes of version 0.1.0 left behind, a file each: its name is the key.
 *
 * @param reader notes of another host prove nothing to it
 * @throws Error if the folder cannot be read
 */
export function notesOf010(folder: string, reader: Writer): NoteFile[] {
  return unlessMissing(() => readdirSync(folder), []).flatMap((key) => {
    const file = path.join(folder, key);
    const found = noteIn(file, reader);
    if (found === undefined) return [];
    const notes = new Map([[key, found.note]]);
    const settle = (other: string) => {
      if (notes.delete(other)) rmSync(file, { force: true });
    };
    const read = () => {
      if (!existsSync(file)) notes.clear();
    };
    const writer = { ...reader, pid: found.pid };
    return [{ path: file, writer, failure: undefined, facts: new Set<string>(), notes, read, settle }];
  });
}

/** @returns undefined if the file cannot be read */
function noteIn(file: string, reader: Writer): { readonly note: Note; readonly pid: number } | undefined {
  try {
    const [at, text] = [statSync(file).mtimeMs, readFileSync(file, "utf8")];
    const { pid, ...note } = fileSchema.safeParse(tryJson(text)).data ?? halfWritten(reader);
    return { note: { at, ...note }, pid };
  } catch {
    return undefined;
  }
}

/** A create may have been in flight while its note was written. It proves nothing. */
function halfWritten({ pid }: Writer): Omit<Note, "at"> & { readonly pid: number } {
  return { program: "", mayApplyUntil: Infinity, pid };
}
