import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the engine keeps in a file backend below `<folder>/pulumi`. */
const notes = (folder, ...rest) => join(folder, "pulumi", ".pulumi", ...rest);

/** The locks of runs that have not ended, as `{ pid, hostname }`. */
export function locksIn(folder) {
  return jsonFilesUnder(notes(folder, "locks")).map(readJson);
}

/** The resources in a stack's state, each with its `type` and `id`. */
export function resourcesIn(folder, stack) {
  return stateOf(folder, stack).resources ?? [];
}

/** The operations that were begun and never ended. */
export function pendingIn(folder, stack) {
  return stateOf(folder, stack).pending_operations ?? [];
}

function stateOf(folder, stack) {
  const file = jsonFilesUnder(notes(folder, "stacks")).find((each) => each.endsWith(`/${stack}.json`));
  return (file && readJson(file).checkpoint?.latest) ?? {};
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function jsonFilesUnder(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const each = join(path, entry.name);
    if (entry.isDirectory()) return jsonFilesUnder(each);
    return entry.name.endsWith(".json") ? [each] : [];
  });
}
