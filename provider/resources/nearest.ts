/** Letters to insert, remove or change to get from `a` to `b` (Levenshtein 1966). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The one of `candidates` that `name` was most likely meant to be, upper and lower case alike. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase();
  const ranked = candidates.map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase()) }));
  return ranked.sort((a, b) => a.far - b.far)[0]?.candidate;
}
