import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The locks of runs that have not ended, as `{ pid, hostname }`, in the file backend below `folder`: no command of the engine lists them. */
export function locksIn(folder) {
  const locks = join(folder, "pulumi", ".pulumi", "locks");
  if (!existsSync(locks)) return [];
  const entries = readdirSync(locks, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => JSON.parse(readFileSync(join(entry.parentPath, entry.name), "utf8")));
}
