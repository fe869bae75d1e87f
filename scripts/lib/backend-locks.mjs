import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The locks of unfinished runs in the file backend below `folder`, as `{ pid, hostname }`. The CLI has no command that lists them. */
export function locksIn(folder) {
  const locks = join(folder, "pulumi", ".pulumi", "locks");
  if (!existsSync(locks)) return [];
  const entries = readdirSync(locks, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => JSON.parse(readFileSync(join(entry.parentPath, entry.name), "utf8")));
}
