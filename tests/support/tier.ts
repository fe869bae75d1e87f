/** True for `npm run test:long`, which plays every rule with all counts. */
export const isLong = process.env["LONG"] !== undefined;

/** How many cases a test runs: all with `npm run test:long`. */
export const casesOf = (usual: number, long: number): number => (isLong ? long : usual);

const notNow = Object.assign(() => undefined, { each: () => () => undefined });

/** Declares a test that only `npm run test:long` plays; docs/contributing/reliability.md says which these are. */
export const longTest: { (name: string, run: () => Promise<void>): void; each: jest.Each } = isLong ? test : notNow;

/**
 * Rows for a table of two lists: with `npm run test:long` every pair. Else as few as leave nothing out: each item of both with one of
 * the other list. A row begins with a title that names both.
 */
export function pairs<One extends unknown[], Other extends unknown[]>(
  ones: readonly [string, ...One][],
  others: readonly [string, ...Other][],
): [string, ...One, ...Other][] {
  const count = Math.max(ones.length, others.length);
  const rows = isLong
    ? ones.flatMap((one) => others.map((other) => [one, other] as const))
    : Array.from({ length: count }, (_, at) => [ones[at % ones.length], others[at % others.length]] as const);
  return rows.flatMap(([one, other]): [string, ...One, ...Other][] => {
    if (one === undefined || other === undefined) return [];
    const [[noun, ...first], [what, ...second]] = [one, other];
    return [[`${noun}: ${what}`, ...first, ...second]];
  });
}
