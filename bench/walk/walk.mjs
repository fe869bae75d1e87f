import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../../scripts/lib/child.mjs";
import { withoutPlatform } from "../../scripts/lib/emulator.mjs";
import { stateFolder } from "../../scripts/lib/paths.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";

const player = new URL("./play.mjs", import.meta.url);
/** The operations in the order of an object's life; each is a run of the engine, in a process of its own. */
const operations = ["up", "refresh", "change", "destroy"];

/** The verbs of a provider's life that are walked, in the order of the table. */
export const verbs = ["check", "create", "diff", "update", "read", "delete"];

/** The walked objects, by the name of their provider. There are two objects, of which the second is counted, and a change of both. */
const kinds = {
  group: {
    is: "a group",
    objectsIn: async (parentUid) => [0, 1].map((n) => ({ parentUid, name: `walked-${n}`, description: "Is walked" })),
    change: () => ({ description: "Was walked" }),
  },
  roleBinding: {
    is: "a role binding",
    tellsUpdates: true,
    async objectsIn(parentUid, platform) {
      const make = (n) => platform.admin("POST", "objects/identities", { parent: parentUid, name: `bound-${n}`, ...login(n) });
      const identities = await Promise.all([0, 1].map(make));
      return identities.map(({ uid: identityUid }) => ({ parentUid, identityUid, roleUid: platform.viewer }));
    },
    change: ({ editor }) => ({ roleUid: editor }),
  },
  identity: {
    is: "an identity",
    tellsUpdates: true,
    objectsIn: async (parentUid) => [0, 1].map((n) => ({ parentUid, name: `walked-${n}`, ...login(n) })),
    change: () => ({ description: "Was walked" }),
  },
};

/** The kinds that are walked, in words. */
export const walkedKinds = Object.fromEntries(Object.entries(kinds).map(([kind, { is }]) => [kind, is]));

const login = (n) => ({ claimMatch: { issuer: "https://issuer.example", subject: `walked-${n}` } });

/**
 * Takes two objects of a kind through their life on an emulator.
 * @returns {Promise<Record<string, object>>} by verb, the result of `recorded` of instrument.mjs for the second object
 */
export async function walk(kind) {
  const { objectsIn, change, tellsUpdates = false } = kinds[kind];
  mkdirSync(join(stateFolder, "bench"), { recursive: true });
  const home = mkdtempSync(join(stateFolder, "bench", "walk-"));
  const platform = await EmulatorProcess.start();
  try {
    const env = { ...withoutPlatform(process.env), ...platform.environment, PULUMI_HOME: home };
    const { uid } = await platform.admin("POST", "objects/groups", { parent: platform.organization, name: "walk" });
    let objects = (await objectsIn(uid, platform)).map((inputs) => ({ inputs }));
    const records = {};
    for (const operation of operations) {
      const plan = { kind, operation, objects, change: change(platform), tellsUpdates };
      const played = await runQuietly(`${operation} of ${kinds[kind].is}`, "node", [player.pathname, JSON.stringify(plan)], {
        env,
      });
      const result = JSON.parse(played);
      Object.assign(records, result.records);
      objects = result.objects;
    }
    return records;
  } finally {
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
