import { z } from "zod";
import { jsonText } from "../text/json-text";

/** The version of the JSON documents. Members may be added without a new one; none is removed or changes its meaning. */
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

/** A value that is only read. */
type ReadOnly<Value> = Value extends object ? { readonly [Member in keyof Value]: ReadOnly<Value[Member]> } : Value;

/** Prints a document as the result of a command. Its type is that of its schema: `printDocument<AccessDocument>(...)`. */
export function printDocument<Document extends { version: typeof documentVersion }>(
  members: ReadOnly<Omit<Document, "version">>,
): void {
  process.stdout.write(`${jsonText({ version: documentVersion, ...members }, 2)}\n`);
}
