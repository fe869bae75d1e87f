import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { asSentence } from "../../provider/client/printable";
import { reasonOf } from "../shell/files";

/** @throws PlatformError unless `folder` is empty or does not exist, so that no file is overwritten */
export async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new PlatformError("INVALID_INPUT", `Write ${folder}: ${reasonOf(error)}`);
  });
  if (found.length > 0)
    throw new PlatformError(
      "INVALID_INPUT",
      `Write ${folder}: it is not empty. Choose another folder, or empty it. Nothing was written.`,
    );
}

/** Writes `files`, by their paths in `folder`. */
export async function writeProject(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    for (const [name, text] of files) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text, { flag: "wx" });
    }
  } catch (error) {
    throw new PlatformError(
      "INVALID_INPUT",
      `Write ${folder}: ${asSentence(reasonOf(error))} The program in it is not complete: empty the folder before you repeat the export.`,
    );
  }
}
