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
    throw new PlatformError("INVALID_INPUT", `Read ${printable(file)}: ${reasonOf(error, reasonsToRead)}`);
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
  await writing(file, writeFile(file, content));
}

/** Writes a new file. @throws PlatformError `INVALID_INPUT`, also if the file exists */
export async function writeNewText(file: string, content: string): Promise<void> {
  await writing(file, writeFile(file, content, { flag: "wx" }));
}

async function writing(file: string, done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Write ${printable(file)}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Why the system refuses a file, for people who do not know its codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist. Make it, or choose another path.",
  EEXIST: "the file exists, and is left as it is. Choose another path, or remove it.",
  EACCES: "these permissions do not allow it. Choose another path, or change them.",
  EPERM: "these permissions do not allow it. Choose another path, or change them.",
  EISDIR: "it is a folder. Name a file in it.",
  ENOTDIR: "a part of the path is a file, not a folder. Choose another path.",
  ENOSPC: "the disk is full. Make room, and run the command again.",
  EROFS: "the disk cannot be written to. Choose another path.",
};

const reasonsToRead: Readonly<Record<string, string>> = {
  ...reasons,
  ENOENT: "there is no such file. Check its path, which is relative to the working directory.",
};

/** Why the system refused to write, in words; its own message for what has none. */
export function reasonOf(error: unknown, known = reasons): string {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : known[code];
  return reason ?? messageOf(error);
}

/** The value of a JSON text; undefined for another text. */
export function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
