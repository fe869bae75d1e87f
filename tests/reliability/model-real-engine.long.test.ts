import fc from "fast-check";
import { TestPlatform } from "../support/test-platform";
import { additions, conclude, lifeOf, reconcile, type World } from "./commands";
import { writeFigures } from "./figures";
import { Model } from "./model";
import { RealEngine } from "./reconciler";

jest.setTimeout(7_200_000);

const seed = 20_261_121;
const numRuns = 20;
const maxCommands = 25;

const platform = TestPlatform.forFile();

test(`after ${numRuns} random lives (seed ${seed}) under the real engine the platform equals the model`, async () => {
  const roles = [await platform.role("viewer"), await platform.role("editor")];
  const otherRole = await platform.role("owner");
  const tally = new Map<string, number>();
  const founding = fc.array(fc.oneof(...additions(roles)), { minLength: 6, maxLength: 12 });
  const life = fc.commands(lifeOf(roles, { canBeKilled: false }), { maxCommands, size: "max" });
  await fc.assert(
    fc.asyncProperty(founding, life, async (founding, life) => {
      const root = (await platform.create("groups", platform.root, { name: "life" })).uid;
      const reconciler = await RealEngine.create(platform, root);
      const world: World = { platform, root, reconciler, otherRole, tally };
      const model = new Model();
      const start = () => ({ model, real: world });
      try {
        await fc.asyncModelRun(start, founding);
        await reconcile(model, world, false);
        await fc.asyncModelRun(start, life);
        await conclude(model, world);
      } finally {
        await reconciler.project.remove();
        await platform.delete("groups", root);
      }
    }),
    // Each life takes a minute: one that failed is shown as it is, not made smaller.
    { seed, numRuns, endOnFailure: true },
  );
  await writeFigures("model-real-engine", { seed, lives: numRuns, ...Object.fromEntries(tally) });
});
