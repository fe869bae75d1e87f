import type { ReviewDocument } from "../../cli/documents/review";
import { comparisonOf } from "../../cli/rehearse/comparison";
import { reviewDocumentOf } from "../../cli/review/document";
import { readInventory } from "../../inventory/platform";
import type { PlatformObject } from "../../inventory/objects";
import { connect, readConfiguration } from "../../provider/credentials";
import { settingsOf } from "../support/engine-simulator";
import { TestPlatform } from "../support/test-platform";
import { casesOf } from "../support/tier";
import { writeFigures } from "./figures";
import { Batch, samples } from "./review/batch";
import type { Look } from "./review/preview";

jest.setTimeout(3_600_000);

const seed = 20_261_128;
const numRuns = Number(process.env["REHEARSED_UPDATES"] ?? 0) || casesOf(25, 300);
/** How many updates are one program. */
const batchSize = 25;

const platform = TestPlatform.forFile();

/** Everything that the platform shows. */
async function shown(): Promise<readonly PlatformObject[]> {
  const client = connect(readConfiguration(settingsOf(platform), {}));
  const { objects, around } = await readInventory(client, platform.root);
  return [...objects.all, ...around.all];
}

/** A review of which everything is known. */
const nothingOpen = { undecided: [], unknown: [], assumed: [], warnings: [], errors: [], bounds: "exact", reasons: [] } as const;

/** Texts in their order, with one word for every uid: those of new objects differ. */
const comparable = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/\b[0-9a-f]{40}(\/[0-9a-f]{16})*/g, "<uid>")).sort();

test(`a rehearsal of ${numRuns} random updates ends with the access and the errors of the real update, or says what it cannot tell (seed ${seed})`, async () => {
  const counts = { batches: 0, undecided: 0, changes: 0, errors: 0, rooms: 0 };
  const chosen = samples(seed, numRuns);
  expect(chosen).toHaveLength(numRuns);
  for (let from = 0; from < numRuns; from += batchSize) {
    const types: Look["types"] = (from / batchSize) % 2 === 0 ? "platform:" : "pulumi-nodejs:dynamic/platform/";
    const batch = await Batch.create(platform, chosen.slice(from, from + batchSize), types);
    await batch.start();
    await platform.clearRequests();
    const rehearsed = await batch.rehearse();
    expect(await platform.writes()).toEqual([]);
    const [before, stateBefore] = [await shown(), await batch.state()];
    const errors = await batch.updateOnce();
    const [after, stateAfter] = [await shown(), await batch.state()];
    const guarded = { breakGlass: new Set<string>(), own: new Set([platform.identity]) };
    const compared = comparisonOf({ before, after, hidden: [], guarded, stateBefore, stateAfter, now: Date.now() });
    const { changes } = reviewDocumentOf({ ...nothingOpen, ...compared });
    const texts = (all: ReviewDocument["changes"]) => comparable(all.map((change) => JSON.stringify(change)));
    counts.batches += 1;
    counts.rooms += batch.rooms.length;
    if (rehearsed.undecided.length > 0) {
      counts.undecided += 1;
      process.stdout.write(`${JSON.stringify(rehearsed.undecided, undefined, 1)}\n`);
      continue;
    }
    process.stdout.write(`${JSON.stringify({ errors })}\n`);
    expect(comparable(rehearsed.errors)).toEqual(comparable(errors));
    expect(texts(rehearsed.changes)).toEqual(texts(changes));
    counts.changes += changes.length;
    counts.errors += errors.length;
    await batch.end();
  }
  await writeFigures("rehearse-real-engine", { seed, updates: numRuns, ...counts });
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(counts.undecided).toBeLessThanOrEqual(0.03 * counts.batches);
  expect(counts.changes).toBeGreaterThan(numRuns);
});
