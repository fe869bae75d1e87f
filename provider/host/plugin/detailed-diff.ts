import { isDeepStrictEqual } from "node:util";
import { isValues, ownValue, type Path } from "../../schema/values";

/** The differences of values, by path: `claimMatch.subject`. */
export type DetailedDiff = Record<string, "add" | "delete" | "update">;

/**
 * The differences of values at `paths`, down to the members of maps. A value on one side only is shown as a whole, and so is a list,
 * because the order of most lists has no meaning.
 */
export function detailedDiff(
  paths: readonly Path[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): DetailedDiff {
  return Object.fromEntries(paths.flatMap((path) => differencesBelow("", path, before, after)));
}

function differencesBelow(
  above: string,
  [name, ...rest]: Path,
  before: unknown,
  after: unknown,
): [string, DetailedDiff[string]][] {
  if (name === undefined || !isValues(before) || !isValues(after)) return differencesAt(above, before, after);
  return differencesBelow(pathOf(above, name), rest, ownValue(before, name), ownValue(after, name));
}

function differencesAt(path: string, before: unknown, after: unknown): [string, DetailedDiff[string]][] {
  const [old, now] = [before ?? undefined, after ?? undefined];
  if (old === undefined || now === undefined) return old === now ? [] : [[path, old === undefined ? "add" : "delete"]];
  if (!isValues(old) || !isValues(now)) return isDeepStrictEqual(old, now) ? [] : [[path, "update"]];
  const names = Object.keys({ ...old, ...now }).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  // The engine reads a backslash before the closing quote as a part of the name.
  if (names.some((name) => name.endsWith("\\"))) return [[path, "update"]];
  return names.flatMap((name) => differencesAt(pathOf(path, name), old[name], now[name]));
}

/** `detailed` with each difference inside one of the `secrets` as one of the whole, because the names in a secret map are secret too. */
export function withoutSecretNames(detailed: DetailedDiff, secrets: readonly Path[]): DetailedDiff {
  const wholes = secrets.map((path) => path.reduce(pathOf, ""));
  const shown = Object.entries(detailed).map(([path, how]): [string, DetailedDiff[string]] => {
    const whole = wholes.find((each) => path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
    return whole === undefined ? [path, how] : [whole, "update"];
  });
  return Object.fromEntries(shown);
}

/** The path of a member in the engine's form. A name that is no identifier stands in brackets, where only quotes are escaped. */
function pathOf(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}["${name.replaceAll('"', '\\"')}"]`;
  return path === "" ? name : `${path}.${name}`;
}

/** The name of the property at the start of `path`. */
export function propertyOf(path: string): string {
  return /^[\w$]+/.exec(path)?.[0] ?? path;
}
