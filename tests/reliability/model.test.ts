import fc from "fast-check";
import type { Inputs } from "../../provider/schema/kind";
import { TestPlatform } from "../support/test-platform";
import { additions, conclude, lifeOf, reconcile, type World } from "./commands";
import { testedDoor } from "../support/door";
import { casesOf } from "../support/tier";
import { type KindName, settingsOf, startHost } from "../support/engine-simulator";
import { writeFigures } from "./figures";
import { Model } from "./model";
import { inProcess } from "./reconciler";

jest.setTimeout(3_600_000);

const seed = 20_261_121;
const numRuns = casesOf(5, testedDoor() === "dynamic" ? 500 : 150);
const figures: Record<string, unknown> = { seed, lives: numRuns };

const platform = TestPlatform.forFile();

afterAll(async () => {
  await writeFigures("model", figures);
});

/** How the platform may differ from one operator to the next. */
const customs = fc.record({
  duplicateNames: fc.boolean(),
  omitDefaults: fc.boolean(),
  deleteBody: fc.constantFrom("empty", "object"),
});

test(`after ${numRuns} random lives (seed ${seed}) the platform equals the model, and a second up changes nothing`, async () => {
  const roles = [await platform.role("viewer"), await platform.role("editor")];
  const otherRole = await platform.role("owner");
  const tally = new Map<string, number>();
  const founding = fc.array(fc.oneof(...additions(roles)), { minLength: 8, maxLength: 16 });
  const life = fc.commands(lifeOf(roles, { canBeKilled: true }), { maxCommands: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(customs, founding, life, async (custom, founding, life) => {
      await platform.settings(custom);
      const root = (await platform.create("groups", platform.root, { name: "life" })).uid;
      const world: World = { platform, root, reconciler: inProcess(platform, root), otherRole, tally };
      const model = new Model();
      const start = () => ({ model, real: world });
      await fc.asyncModelRun(start, founding);
      await reconcile(model, world, false);
      await fc.asyncModelRun(start, life);
      await conclude(model, world);
      await platform.delete("groups", root);
    }),
    // A life that failed is shown as it is: to make it smaller takes as long as all the others.
    { seed, numRuns, endOnFailure: true },
  );
  Object.assign(figures, Object.fromEntries(tally));
});

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", " ", "  two  ", "a+b %20", "__proto__", "null", "e\u0301", "\u202e", "..", "0", '"'),
);
const maybe = fc.option(words, { nil: undefined });
const title = fc.stringMatching(/^[a-z0-9 ._-]{1,40}$/);
const claimMatch = fc.record({ issuer: fc.webUrl({ validSchemes: ["https"] }), subject: words });

const generated: [KindName, (platform: TestPlatform) => Promise<fc.Arbitrary<Inputs>>][] = [
  ["group", () => Promise.resolve(fc.record({ name: title, description: maybe }))],
  ["identity", () => Promise.resolve(fc.record({ name: title, description: maybe, claimMatch }))],
  [
    "roleBinding",
    async (platform) => {
      const uids = async (collection: string) => (await platform.objects(collection)).map((object) => object.uid);
      return fc.record({
        identityUid: fc.constantFrom(...(await uids("identities"))),
        roleUid: fc.constantFrom(...(await uids("roles"))),
      });
    },
  ],
];

test.each(generated)("what was made of any declared %s and is read by another process has no diff", async (kind, inputsOn) => {
  let made = 0;
  const settings = settingsOf(platform);
  await fc.assert(
    fc.asyncProperty(customs, await inputsOn(platform), async (custom, fields) => {
      await platform.settings(custom);
      const parentUid = (await platform.create("groups", platform.root, { name: "parent" })).uid;
      const declared = { parentUid, ...fields };
      const provider = startHost(settings)[kind];
      const { inputs, failures } = await provider.check({}, declared);
      const again = await startHost(settings)[kind].check(inputs, inputs);
      if (failures.length === 0) expect(again).toEqual({ inputs, failures: [] });
      const created = failures.length === 0 ? await provider.create(inputs).catch(unlessRefused) : undefined;
      if (created !== undefined) {
        const reader = startHost(settings)[kind];
        const read = await reader.read(created.id, created.outs);
        expect(read).toEqual({ id: created.id, props: created.outs, inputs });
        expect((await reader.diff(created.id, read.props ?? {}, inputs)).changes).toBe(false);
        expect((await reader.diff(created.id, created.outs, declared)).changes).toBe(false);
        made += 1;
      }
      await platform.delete("groups", parentUid);
    }),
    { seed, numRuns: numRuns * 2 },
  );
  expect(made).toBeGreaterThan(numRuns / 2);
  figures[`${kind} made and read`] = made;
});

/** The platform has rules of its own, on descriptions for example. */
function unlessRefused(error: unknown): undefined {
  if (!/INVALID_ARGUMENT|must be|required/i.test(String(error))) throw error;
}
