import { list, literal } from "./printable";

/**
 * The end of a message about a name that does not exist: `did you mean "name"?`, or all the names where none is close.
 *
 * @param plural what the names are: `arguments`
 * @param show writes one name. Default: in quotes
 */
export function suggest(
  written: string,
  candidates: readonly string[],
  plural: string,
  show: (name: string) => string = literal,
): string {
  const nearest = nearestName(written, candidates);
  return nearest === undefined ? `the ${plural} are ${list(candidates.map(show))}.` : `did you mean ${show(nearest)}?`;
}

/**
 * The one of `candidates` that `written` most likely means; case does not count.
 *
 * @param most how many letters may be wrong. Default: a third of them, so that `nmae` still means `name` and `claims` no longer means
 *   `issuer`
 * @returns undefined when none is close: a wrong suggestion is worse than none
 */
export function nearestName(
  written: string,
  candidates: readonly string[],
  most = Math.max(1, Math.floor(Math.min(written.length, longest) / 3)),
): string | undefined {
  const found = written.slice(0, longest).toLowerCase();
  let nearest: string | undefined;
  let least = most + 1;
  for (const name of candidates) {
    const distance = editDistance(found, name.toLowerCase());
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Characters that are compared. */
const longest = 100;

/** Fewest insertions, deletions, replacements and swaps of neighbours that turn `from` into `to` (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (previous[column - 1] ?? Infinity) + (isSame ? 0 : 1),
          (previous[column] ?? Infinity) + 1,
          (current[column - 1] ?? Infinity) + 1,
          isSwap ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [before, previous] = [previous, current];
  }
  return previous[to.length] ?? 0;
}
