/** True for `npm run test:long`, which plays every rule with all counts. */
export const isLong = process.env["LONG"] !== undefined;

/** How many cases a test runs: all with `npm run test:long`. */
export const casesOf = (usual: number, long: number): number => (isLong ? long : usual);

const notNow = Object.assign(() => undefined, { each: () => () => undefined });

/** Declares a test that only `npm run test:long` plays; docs/reliability.md says which these are. */
export const longTest: { (name: string, run: () => Promise<void>): void; each: jest.Each } = isLong ? test : notNow;
