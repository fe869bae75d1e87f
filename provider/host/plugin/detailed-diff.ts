import { isDeepStrictEqual } from "node:util";
import { isValues } from "../../kinds/values";

/** How values differ, by the path of each: `claimMatch.subject`. */
export type DetailedDiff = Record<string, "add" | "delete" | "update">;

/**
 * How each of the properties `names` differs, down to the members of messages and maps. Lists are shown as a whole: the order of most
 * has no meaning.
 */
export function detailedDiff(
  names: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): DetailedDiff {
  return Object.fromEntries(names.flatMap((name) => differencesAt(pathOf("", name), before[name], after[name])));
}

function differencesAt(path: string, before: unknown, after: unknown): [string, DetailedDiff[string]][] {
  const [old, now] = [before ?? undefined, after ?? undefined];
  if (old === undefined || now === undefined) return old === now ? [] : [[path, old === undefined ? "add" : "delete"]];
  if (!isValues(old) || !isValues(now)) return [[path, "update"]];
  const names = Object.keys({ ...old, ...now }).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  // The engine reads a backslash before the closing quote as a part of the name.
  if (names.some((name) => name.endsWith("\\"))) return [[path, "update"]];
  return names.flatMap((name) => differencesAt(pathOf(path, name), old[name], now[name]));
}

/** The path of a member, as the engine reads it: names that are no identifiers stand in brackets, where only quotes are escaped. */
function pathOf(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}["${name.replaceAll('"', '\\"')}"]`;
  return path === "" ? name : `${path}.${name}`;
}

/** The name of the property that `path` is about. */
export function propertyOf(path: string): string {
  return /^[\w$]+/.exec(path)?.[0] ?? path;
}
