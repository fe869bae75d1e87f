import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { decodedText } from "../../provider/client/decoded-text";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";

/** The text of a file that an option names; `-` is standard input. @throws PlatformError `INVALID_INPUT` */
export async function readText(file: string): Promise<string> {
  try {
    return decodedText(file === "-" ? await buffer(process.stdin) : await readFile(file));
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Read ${printable(file)}: ${messageOf(error)}`);
  }
}

/** The entries that `parse` finds in the file of an option; none without a file. @throws PlatformError */
export async function entriesIn<Entry>(
  file: string | undefined,
  parse: (content: string, file: string) => readonly Entry[],
): Promise<readonly Entry[]> {
  return file === undefined ? [] : parse(await readText(file), file);
}

/** Writes a result to the file of an option. An existing file is replaced, as by a redirection. @throws PlatformError `INVALID_INPUT` */
export async function writeText(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Write ${printable(file)}: ${messageOf(error)}`);
  }
}

/** The value of a JSON text; undefined for another text. */
export function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
