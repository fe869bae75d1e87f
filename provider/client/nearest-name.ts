/** A candidate and how many letters differ from what was written; case is not counted. */
export interface NearestName {
  readonly name: string;
  readonly distance: number;
}

/** The one of `candidates` (at least one) that `written` was most likely meant to be. */
export function nearestName(written: string, candidates: readonly string[]): NearestName {
  return candidates
    .map((name) => ({ name, distance: editDistance(written.slice(0, 100).toLowerCase(), name.toLowerCase()) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
}

/** Fewest insertions, deletions and replacements that make `to` of `from` (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
