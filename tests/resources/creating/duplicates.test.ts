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
  await configured();
  inputs = await fixture.inputs(group, await fixture.parent());
});

/** Begins another run, in a process of its own. */
async function configured(): Promise<void> {
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
}

type Call = "new" | "old" | "same" | "changed" | "replaced";

/** Calls of the engine for the resource `name`: `new`, `old` (its inputs are in state), or a diff that finds `same`, or a change. */
async function calls(uid: string, name: string, ...all: Call[]): Promise<boolean[]> {
  const rejected: boolean[] = [];
  for (const call of all) {
    if (call === "new" || call === "old") {
      const { failures } = await host.check(call === "new" ? {} : inputs, {
        ...inputs,
        __logicalName: `platform:iam:Group::${name}`,
      });
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

const lives: [string, () => Promise<string>, Call[]][] = [
  ["a new resource", gone, ["new"]],
  ["an existing one", exists, ["old", "same"]],
  ["one that a refresh read before", exists, ["same", "old", "same"]],
  ["one that changes", exists, ["old", "changed"]],
  ["a replacement", exists, ["old", "replaced", "new"]],
  ["a replacement by replacementTrigger", exists, ["old", "new"]],
  ["a replacement by replacementTrigger after a refresh", exists, ["same", "old", "new"]],
  ["a changed one that the engine replaces", exists, ["old", "changed", "new"]],
  ["a replacement that failed after its delete, and is resumed", gone, ["old", "same", "new"]],
];

test.each(lives)("the calls of one resource are not a duplicate: %s", async (_what, object, order) => {
  expect(await calls(await object(), "shop", ...order)).not.toContain(true);
});

test.each(
  lives.flatMap(([what, object, order]) => (["new", "old"] as const).map((other) => [what, other, object, order] as const)),
)("%s, and another resource (%s) of its natural key: the second fails, in either order", async (_what, other, object, order) => {
  const uid = await object();
  expect(await calls(uid, "shop", ...order)).not.toContain(true);
  expect(await calls(uid, "store", other)).toEqual([true]);
  await configured();
  expect(await calls(uid, "store", other)).toEqual([false]);
  expect((await calls(uid, "shop", ...order)).at(-1)).toBe(true);
});

test("the failure names the property, the object and what to do", async () => {
  await calls("", "shop", "new");
  const { failures } = await host.check({}, { ...inputs, __logicalName: "platform:iam:Group::store" });
  expect(failures).toEqual([{ property: "name", reason: expect.stringContaining("Remove one") as string }]);
});

test("an unknown key is not a duplicate of another", async () => {
  const unknown = { ...inputs, parentUid: unknownValue };
  for (const name of ["shop", "store"])
    expect((await host.check({}, { ...unknown, __logicalName: `platform:iam:Group::${name}` })).failures).toEqual([]);
});

describe.each(["dynamic provider host", "plugin"])("through the %s, the failure names both resources", (door) => {
  /** Checks a new resource. */
  async function checked(run: Run, kind: Kind, name: string, news: Inputs): Promise<string[]> {
    if (door === "plugin") {
      const { failures } = await clientOf(new Plugin([], () => run)).check(typeToken(kind), name, news);
      return failures.map(([, reason = ""]) => reason);
    }
    const life = kind === groupAccess ? groupAccessLife : lifeOf(kind);
    const { failures } = await dynamically(life, () => run).check({}, { ...news, __logicalName: `${typeToken(kind)}::${name}` });
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
