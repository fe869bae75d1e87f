import { type Known, knownOnline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import { readPreviewFile } from "../../preview/file";
import { isAtOrBelow } from "../../provider/client/uid";
import { settingsOf } from "../support/engine-simulator";
import { TestPlatform } from "../support/test-platform";
import { abilitiesIn, gained, rowsOf } from "./effective-access";
import { writeFigures } from "./figures";
import { Batch, type Groups, samples } from "./review/batch";
import type { Look } from "./review/preview";
import type { Room } from "./review/program";
import { groupIn, type Missing, missingIn } from "./review/told";

jest.setTimeout(1_800_000);

const seed = 20_261_123;
const numRuns = 200;
/** How many updates are one program: a command takes longer to start than what it does for one of them. */
const batchSize = 25;

/** The preview of one room. */
function previewOf(text: string, suffix: string): string {
  const { steps } = JSON.parse(text) as { steps: { urn: string }[] };
  return JSON.stringify({ steps: steps.filter(({ urn }) => urn.includes("pulumi:pulumi:Stack") || urn.endsWith(suffix)) });
}

/** The objects of one room that the platform shows. */
function knownIn({ organization, root }: Room, all: Known): Known {
  const isHere = (uid: string) => uid === organization || isAtOrBelow(uid, root);
  return {
    ...all,
    objects: all.objects.filter(({ uid }) => isHere(uid)),
    roles: new Map([...all.roles].filter(([uid]) => !uid.includes("/") || isHere(uid))),
  };
}

const platform = TestPlatform.forFile();

test(`a review lists all access that ${numRuns} random updates of the real engine give and take (seed ${seed}), ranked high enough`, async () => {
  const counts = { refusedBefore: 0, refused: 0, halfDone: 0, undecided: 0, judged: 0, changes: 0 };
  const missing: [room: string, missing: Missing][] = [];
  const chosen = samples(seed, numRuns);
  expect(chosen).toHaveLength(numRuns);
  for (let from = 0; from < numRuns; from += batchSize) {
    const types: Look["types"] = (from / batchSize) % 2 === 0 ? "platform:" : "pulumi-nodejs:dynamic/platform/";
    const batch = await Batch.create(platform, chosen.slice(from, from + batchSize), types);
    counts.refusedBefore += await batch.start();
    const then = { rows: await rowsOf(platform), groups: await batch.groups("before") };
    const { text, refused } = await batch.preview();
    counts.refused += refused;
    const shown = await knownOnline(readPreviewFile(text, "the preview"), settingsOf(platform));
    counts.halfDone += await batch.update();
    const now = { rows: await rowsOf(platform), groups: await batch.groups("after") };
    for (const room of batch.rooms) {
      const { outcome, suffix, root } = room;
      const file = readPreviewFile(previewOf(text, suffix), "the preview");
      const review = reviewOf(file, knownIn(room, shown));
      if (review.undecided.length > 0) {
        expect(review.undecided).not.toContainEqual(expect.objectContaining({ reason: "" }));
        counts.undecided += 1;
        continue;
      }
      const [old, uids] = [then, now].map(({ groups }) => groups.get(suffix) ?? new Map<string, string>()) as [Groups, Groups];
      // One whose old group stays, as with `retainOnDelete`, is another group.
      const isLeft = (uid: string) => now.rows.groups.some((each) => each.uid === uid);
      const replaced = [...uids].flatMap(([name, uid]) =>
        isLeft(old.get(name) ?? uid) ? [] : [[uid, old.get(name) ?? uid] as const],
      );
      const moved = new Map(replaced);
      const labelOf = (uid: string) => moved.get(uid) ?? uid;
      const before = abilitiesIn(then.rows, root, (uid) => uid);
      const after = abilitiesIn(now.rows, root, labelOf);
      const changed = { gains: gained(before, after), losses: gained(after, before) };
      const nameOf = (uid: string) => labelOf(groupIn({ update: outcome.update, uids }, uid));
      const untold = missingIn(changed, { file, review, before, after, nameOf });
      if (untold.details !== undefined) missing.push([suffix, untold]);
      counts.judged += 1;
      counts.changes += changed.gains.length + changed.losses.length;
    }
    await batch.end();
  }
  await writeFigures("review-real-engine", { seed, updates: numRuns, ...counts });
  expect(missing).toEqual([]);
  expect(counts.judged + counts.undecided).toBeGreaterThanOrEqual(0.7 * numRuns);
  // Names of objects that the same update makes, renames or replaces stay open, also in a GroupAccess, and a real preview shows fewer of them.
  expect(counts.undecided).toBeLessThanOrEqual(0.55 * numRuns);
  expect(counts.changes).toBeGreaterThan(numRuns);
});
