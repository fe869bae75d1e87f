import { chmodSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { checkout } from "../lib/paths.mjs";

/** Packs the files below `folder` into a .tar.gz. The same files of the same commit give the same bytes. */
export async function pack(folder, archive) {
  const { create } = await import("tar");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) chmodSync(file, statSync(file).mode & 0o100 ? 0o755 : 0o644);
  const names = files.map((file) => relative(folder, file).replaceAll("\\", "/")).sort();
  await create({ cwd: folder, file: archive, gzip: true, portable: true, mtime: await timeOfCommit() }, names);
}

/** The time of all files in archives (reproducible-builds.org/specs/source-date-epoch). */
export async function timeOfCommit() {
  const git = () => runQuietly("git log, which dates what is packed,", "git", ["log", "-1", "--format=%ct"], { cwd: checkout });
  return new Date(Number(process.env.SOURCE_DATE_EPOCH ?? (await git())) * 1_000);
}
