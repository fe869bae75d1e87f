import { mkdir, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { asSentence, literal, shortList } from "../../provider/client/printable";
import { reasonOf } from "../shell/files";

/** Maximum number of files that a refusal names. */
const mostNamed = 5;

/** @throws PlatformError unless `folder` is empty or does not exist, so that no file is overwritten */
export async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new PlatformError("INVALID_INPUT", `Write ${folder}: ${reasonOf(error)}`);
  });
  // A repository that was made for the project holds none of its files.
  const names = found.filter((name) => name !== ".git").sort();
  if (names.length === 0) return;
  throw new PlatformError(
    "INVALID_INPUT",
    `Write ${folder}: it is not empty. Choose another folder, or remove ${shortList(names.map(literal), mostNamed)} from it. Nothing was written.`,
  );
}

/** A project that was written. */
export interface WrittenProject {
  /** Removes its files, `more` names in its folder, and the folders that were made for it. Files of others stay. */
  remove(more?: readonly string[]): Promise<void>;
}

/** Writes `files`, by their paths in `folder`. After a failure, none of them is left. @throws PlatformError */
export async function writeProject(folder: string, files: ReadonlyMap<string, string>): Promise<WrittenProject> {
  const tops = new Set<string>();
  let made: string | undefined;
  const remove = async (more: readonly string[] = []) => {
    for (const name of new Set([...tops, ...more]))
      await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
    if (made !== undefined) await removeEmpty(path.resolve(folder), made);
  };
  try {
    made = await mkdir(folder, { recursive: true });
    for (const [name, text] of files) {
      const top = name.split("/", 1).join("");
      const file = path.join(folder, name);
      if ((await mkdir(path.dirname(file), { recursive: true })) !== undefined) tops.add(top);
      await writeFile(file, text, { flag: "wx" }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") tops.add(top);
        throw error;
      });
      tops.add(top);
    }
    return { remove };
  } catch (error) {
    await remove();
    throw new PlatformError("INVALID_INPUT", `Write ${folder}: ${asSentence(reasonOf(error))} Nothing was written.`);
  }
}

/** Removes `folder` and the folders above it, up to `top`, as far as they are empty. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  const isRemoved = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isRemoved && folder !== path.resolve(top)) await removeEmpty(path.dirname(folder), top);
}
