import type { Inputs } from "../../schema/kind";
import { membersOf } from "../../schema/values";

/**
 * `news` with the values of `olds` at `paths`, where the program ignores changes. The engine does this itself for an update, but leaves it
 * to the provider when it looks for drift.
 *
 * @param paths in the engine's form: `description`, `claimMatch.subject`, `access["viewer"]`, `*`
 */
export function withoutIgnored(paths: readonly string[], olds: Inputs, news: Inputs): Inputs {
  return paths.reduce((values, path) => restored(namesIn(path), olds, values) as Inputs, news);
}

function restored([name, ...rest]: readonly string[], old: unknown, now: unknown): unknown {
  // An item of a list is ignored with the whole list, because the order of most lists has no meaning.
  if (name === undefined || name === "*" || Array.isArray(old) || Array.isArray(now)) return old;
  // No object is made up for a member of it.
  if (old === undefined && now === undefined) return undefined;
  const [before, after] = [membersOf(old), membersOf(now)];
  const value = restored(rest, before[name], after[name]);
  const { [name]: _, ...others } = after;
  return value === undefined ? others : { ...others, [name]: value };
}

/** The names along a path. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted?.replaceAll('\\"', '"') ?? index ?? name ?? "",
  );
}
