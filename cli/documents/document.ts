import { z } from "zod";
import { jsonText } from "../text/json-text";

/** The version of the JSON documents. A new member needs no new version. Members are never removed, and their meaning never changes. */
export const documentVersion = 1;

/**
 * The schema of a JSON document that a command prints with `--json`.
 *
 * @param title its name, as in `schemas/<name>.schema.json`
 */
export function document<Members extends z.ZodRawShape>(title: string, description: string, members: Members) {
  const version = z.literal(documentVersion).describe("Version of the document. Readers must accept more members.");
  return z.object({ version, ...members }).meta({ title, description });
}

/** The same value with every member `readonly`. */
type ReadOnly<Value> = Value extends object ? { readonly [Member in keyof Value]: ReadOnly<Value[Member]> } : Value;

/** Prints a document as the result of a command. The type argument is the type of its schema: `printDocument<AccessDocument>(...)`. */
export function printDocument<Document extends { version: typeof documentVersion }>(
  members: ReadOnly<Omit<Document, "version">>,
): void {
  process.stdout.write(`${jsonText({ version: documentVersion, ...members }, 2)}\n`);
}
