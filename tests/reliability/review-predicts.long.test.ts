import fc from "fast-check";
import { knownOffline, knownOnline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import { readPreviewFile } from "../../preview/file";
import { casesOf } from "../support/tier";
import { EngineSimulator, type Entry, settingsOf, startHost } from "../support/engine-simulator";
import { simulatedPreview } from "../support/simulated-preview";
import { TestPlatform } from "../support/test-platform";
import { abilitiesIn, gained, rowsOf, untold } from "./effective-access";
import { writeFigures } from "./figures";
import { builtIn, changedPrograms, declarationsOf, issuer, secret, type Surroundings } from "./random-organization";

jest.setTimeout(3_600_000);

const seed = 20_261_123;
const numRuns = casesOf(25, 1_000);

const platform = TestPlatform.forFile();
let settings: Record<string, string>;
let roles: Map<string, string>;

beforeAll(async () => {
  settings = settingsOf(platform);
  const named = builtIn.map(async (name) => [name, await platform.role(name)] as const);
  roles = new Map(await Promise.all(named));
});

/** Room for one program, beside an identity that no program declares. */
async function surroundings(): Promise<Surroundings & { readonly home: string }> {
  const { root: organization } = platform;
  const [{ uid: root }, { uid: home }] = [
    await platform.create("groups", organization, { name: "life" }),
    await platform.create("groups", organization, { name: "home" }),
  ];
  const stranger = await platform.create("identities", home, { name: "stranger", claimMatch: { issuer, subject: "dan" } });
  return { organization, root, home, uids: new Map([...roles, ["", root], ["stranger", stranger.uid]]) };
}

/** The logical name of a group of the program; other uids as they are. */
function nameIn(state: readonly Entry[]): (uid: string) => string {
  return (uid) => state.find((entry) => entry.id === uid && entry.kind === "group")?.name ?? uid;
}

test(`a review lists all access that ${numRuns} random updates give and take (seed ${seed}), ranked high enough`, async () => {
  let rejected = 0;
  let undecided = 0;
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(changedPrograms, async ([first, second]) => {
      const around = await surroundings();
      const engine = new EngineSimulator(() => startHost(settings));
      try {
        await engine.up(declarationsOf(first, around));
        const program = declarationsOf(second, around);
        const [state, before] = [engine.state, abilitiesIn(await rowsOf(platform), around.root, nameIn(engine.state))];
        const preview = await simulatedPreview(state, program, startHost(settings));
        const file = readPreviewFile(preview.replaceAll(`"${secret}"`, '"[secret]"'), "the preview");
        const [online, offline] = [reviewOf(file, await knownOnline(file, settings)), reviewOf(file, knownOffline())];
        const steps = await engine.up(program);
        const after = abilitiesIn(await rowsOf(platform), around.root, nameIn(engine.state));
        const [gains, losses] = [gained(before, after), gained(after, before)];
        changes += gains.length + losses.length;
        // What the review does not see, it says so.
        if (online.undecided.some(({ what }) => /^(the (identity|place) of|who is) /.test(what))) {
          undecided += 1;
          return;
        }
        for (const review of offline.bounds === "lower" ? [online] : [online, offline]) {
          const told = (effect: string) =>
            review.changes.filter((each) => each.effect === effect && each.coveredBy === undefined);
          const all = [...state, ...engine.state];
          const nameOf = (uid: string) => /::(\w+)$/.exec(uid)?.[1] ?? nameIn(all)(uid);
          const gainsLeft = untold(gains, told("gain"), after.people, nameOf);
          const lossesLeft = untold(losses, told("loss"), before.people, nameOf);
          expect({ steps, gains: gainsLeft, losses: lossesLeft }).toEqual({ steps, gains: [], losses: [] });
        }
      } catch (error) {
        // An update may fail: two bindings of one identity, or one by its login whose identity is replaced.
        if (!(error instanceof AggregateError) && !/declares the same/.test(String(error))) throw error;
        rejected += 1;
      } finally {
        for (const uid of [around.root, around.home]) await platform.delete("groups", uid);
      }
    }),
    { seed, numRuns, endOnFailure: true },
  );
  expect(rejected).toBeLessThan(numRuns / 5);
  expect(undecided).toBeLessThan(numRuns / 5);
  expect(changes).toBeGreaterThan(numRuns);
  await writeFigures("review", { seed, updates: numRuns, rejected, undecided, changes });
});
