import { list, literal } from "./printable";

/**
 * The end of a message about an unknown name. It is `did you mean "name"?`, or all names if none is close.
 *
 * @param plural the noun for the names: `arguments`
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
 * The name among `candidates` that `written` most likely means, regardless of case.
 *
 * @param most maximum number of wrong letters. Default: a third of them, so that `nmae` still means `name` and `claims` no longer means
 * `issuer`
 * @returns undefined when none is close, because a wrong suggestion is worse than none
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

/** Maximum number of compared characters. */
const longest = 100;

/** Minimum number of insertions, deletions, replacements and swaps of neighbours that turn `from` into `to` (optimal string alignment). */
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
