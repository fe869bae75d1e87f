import type { Inputs, Kind } from "../../../provider/schema/kind";
import { dynamicProvider, dynamically } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { groupAccess } from "../../../provider/kinds/group-access";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import { lifeOf } from "../../../provider/resources/object/life";
import type { Run } from "../../../provider/resources/run/run";
import { unknownValue } from "../../../provider/schema/inputs";
import { clientOf } from "../../support/native-host";
import { expectFailure, group, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let processes = 0;
let inputs: Inputs;
let host: ReturnType<typeof dynamicProvider>;

beforeEach(async () => {
  host = dynamicProvider(group);
  // A run is kept by its configuration, so a key of its own stands for a process of its own.
  const rawConfig: Record<string, string> = {
    "platform:baseUrl": fixture.platform.baseUrl,
    "platform:apiVersion": "v2beta1",
    "platform:identity": fixture.platform.identity,
    "platform:oidcTokenFile": fixture.platform.oidcTokenFile,
    "test:process": `duplicates ${++processes}`,
  };
  const config = { get: (key: string) => rawConfig[key], rawConfig };
  await host.configure({ config });
  inputs = await fixture.inputs(group, await fixture.parent());
});

/** Calls of the engine for one resource, by what they say: `new`, `old` (its inputs are in state), or a diff that finds `same`, or a change. */
async function calls(uid: string, ...all: ("new" | "old" | "same" | "changed" | "replaced")[]): Promise<boolean[]> {
  const rejected: boolean[] = [];
  for (const call of all) {
    if (call === "new" || call === "old") {
      const { failures } = await host.check(call === "new" ? {} : inputs, inputs);
      rejected.push(failures.length > 0);
    } else {
      const olds = { same: inputs, changed: { ...inputs, description: "old" }, replaced: { ...inputs, parentUid: "elsewhere" } };
      await host.diff(uid, olds[call], inputs);
    }
  }
  return rejected;
}

const exists = async () => (await fixture.colleague(group, inputs)).uid;
const gone = () => Promise.resolve(`${String(inputs["parentUid"])}/0123456789abcdef`);

test.each<[string, () => Promise<string>, Parameters<typeof calls>[1][]]>([
  ["a new resource", gone, ["new"]],
  ["an existing one", exists, ["old", "same"]],
  ["one that a refresh read before", exists, ["same", "old", "same"]],
  ["one that changes", exists, ["old", "changed"]],
  ["a replacement", exists, ["old", "replaced", "new"]],
  ["a replacement by replacementTrigger", exists, ["old", "new"]],
  ["a replacement by replacementTrigger after a refresh", exists, ["same", "old", "new"]],
  ["a changed one that the engine replaces", exists, ["old", "changed", "new"]],
  ["a replacement that failed after its delete, and is resumed", gone, ["old", "same", "new"]],
])("the calls of one resource are not a duplicate: %s", async (_what, object, order) => {
  expect(await calls(await object(), ...order)).not.toContain(true);
});

test.each<[string, () => Promise<string>, Parameters<typeof calls>[1][]]>([
  ["two new ones", gone, ["new", "new"]],
  ["an existing and a new one", exists, ["old", "same", "new"]],
  ["a new and an existing one", exists, ["new", "old"]],
  ["two existing ones", exists, ["old", "same", "old"]],
  ["a replaced and a new one", exists, ["old", "replaced", "new", "new"]],
  ["a resumed replacement and a new one", gone, ["old", "same", "new", "new"]],
])("two resources of one natural key fail: %s", async (_what, object, order) => {
  const rejected = await calls(await object(), ...order);
  expect(rejected.pop()).toBe(true);
  expect(rejected).not.toContain(true);
});

test("the failure names the property, the object and what to do", async () => {
  await calls("", "new");
  const { failures } = await host.check({}, inputs);
  expect(failures).toEqual([{ property: "name", reason: expect.stringContaining("Remove one") as string }]);
});

test("an unknown key is not a duplicate of another", async () => {
  const unknown = { ...inputs, parentUid: unknownValue };
  for (let index = 0; index < 2; index++) expect((await host.check({}, unknown)).failures).toEqual([]);
});

test("a look-up that fails proves nothing", async () => {
  const uid = await exists();
  await fixture.platform.fault({ method: "GET", path: uid }, { status: 403, code: 7 }, { times: 0 });
  expect(await calls(uid, "old", "same", "new")).not.toContain(true);
  await fixture.reset();
});

describe.each(["dynamic provider host", "plugin"])("through the %s, the failure names both resources", (door) => {
  /** Checks a new resource. */
  async function checked(run: Run, kind: Kind, name: string, news: Inputs): Promise<string[]> {
    if (door === "plugin") {
      const { failures } = await clientOf(new Plugin([], () => run)).check(typeToken(kind), name, news);
      return failures.map(([, reason = ""]) => reason);
    }
    const life = kind === groupAccess ? groupAccessLife : lifeOf(kind);
    const { failures } = await dynamically(life, () => run).check({}, { ...news, __logicalName: name });
    return failures.map(({ reason }) => reason);
  }

  test.each<[string, Kind, () => Promise<Inputs>]>([
    ["two groups of one name", group, () => Promise.resolve(inputs)],
    ["two role bindings of one identity and role", roleBinding, async () => fixture.inputs(roleBinding, await fixture.parent())],
    ["two GroupAccess of one group", groupAccess, async () => ({ parentUid: await fixture.parent(), access: {} })],
  ])("%s", async (_what, kind, declared) => {
    const [run, news] = [fixture.run(), await declared()];
    expect(await checked(run, kind, "shop", news)).toEqual([]);
    expect(await checked(run, kind, "store", news)).toEqual([expect.stringContaining('"shop" and "store"')]);
  });

  test("also where only their creates show that they mean the same", async () => {
    const run = fixture.run();
    const { parentUid, identityUid } = await fixture.inputs(roleBinding, await fixture.parent());
    const news = {
      byUid: { parentUid, identityUid, roleUid: fixture.viewer },
      byName: { parentUid, identityUid, roleName: "viewer" },
    };
    for (const [name, each] of Object.entries(news)) expect(await checked(run, roleBinding, name, each)).toEqual([]);
    const provider = dynamicProvider(roleBinding, () => run);
    await provider.create(news.byUid);
    await expectFailure(provider.create(news.byName), "KEY_TAKEN", '"byUid" and "byName"');
  });
});
