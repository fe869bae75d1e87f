import { casesOf, isLong } from "../support/tier";
import { TestPlatform } from "../support/test-platform";
import { writeFigures } from "./figures";
import { Batch, type Sample, samples } from "./review/batch";
import type { Look } from "./review/preview";

jest.setTimeout(3_600_000);

const seed = Number(process.env["BOUND_SEED"] ?? 0) || 20_261_129;
const numRuns = Number(process.env["BOUND_UPDATES"] ?? 0) || casesOf(25, 100);
/** How many updates are one program. */
const batchSize = 25;

const platform = TestPlatform.forFile();

test(`${numRuns} random updates, each bound to its rehearsal, do what they would do without one (seed ${seed})`, async () => {
  const counts = { bound: 0, failing: 0, raced: 0, otherErrors: 0, calls: 0 };
  const refusals: string[] = [];
  /** Rehearses, and does the update bound. @returns the updates that fail, without doing any if others do not */
  const bind = async (batch: Batch, given: readonly Sample[]): Promise<readonly Sample[]> => {
    const rehearsed = await batch.rehearse("--save", batch.ledger, "--save-anyway");
    const left = batch.leave(rehearsed.errors);
    // How far the others come before a failing update ends depends on chance.
    if (left.length > 0 && batch.rooms.length > 0)
      return [...given.filter(({ suffix }) => left.includes(suffix)), ...(await bind(batch, given))];
    if (left.length > 0) batch.keep();
    const errors = await batch.updateBound();
    const refused = errors.filter((error) => error.includes("NOT_REHEARSED"));
    // Where the engine's order decides whether the rehearsal fails, the update may come further than it.
    const isByOrder =
      left.length > 0 && rehearsed.undecided.some(({ reason }) => reason.includes("the order in which the engine works"));
    if (isByOrder) counts.raced += refused.length;
    else refusals.push(...refused);
    counts.bound += batch.rooms.length;
    counts.failing += left.length;
    counts.otherErrors += left.length > 0 ? 0 : errors.length - refused.length;
    counts.calls += await batch.rehearsedCalls();
    return [];
  };
  const chosen = samples(seed, numRuns);
  expect(chosen).toHaveLength(numRuns);
  for (let from = 0; from < numRuns; from += batchSize) {
    const types: Look["types"] = (from / batchSize) % 2 === 0 ? "platform:" : "pulumi-nodejs:dynamic/platform/";
    const play = async (some: readonly Sample[]) => {
      const batch = await Batch.create(platform, some, types);
      await batch.start();
      const failing = await bind(batch, some);
      await batch.end();
      return failing;
    };
    const failing = await play(chosen.slice(from, from + batchSize));
    for (const sample of isLong ? failing : []) await play([sample]);
    process.stdout.write(`${JSON.stringify({ from, ...counts, refusals })}\n`);
  }
  await writeFigures("bound-real-engine", { seed, updates: numRuns, ...counts, refusals });
  expect(refusals).toEqual([]);
  expect(counts.otherErrors).toBeLessThanOrEqual(0.03 * numRuns);
  expect(counts.bound).toBeGreaterThan(0.7 * numRuns);
  expect(counts.calls).toBeGreaterThan(numRuns);
});
