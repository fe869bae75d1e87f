import { dynamically, dynamicProvider } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { groupAccess } from "../../../provider/kinds/group-access";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import { isElsewhere } from "../../../provider/resources/guards/own-organization";
import type { Run } from "../../../provider/resources/run/run";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs, Kind } from "../../../provider/schema/kind";
import { clientOf } from "../../support/native-host";
import { accountAssociation, failureOf, group, identity, repo, ResourceFixture } from "../../support/resource-fixture";
import { externalGroupRoleMapping, kinds, role, roleBinding, tag } from "../../support/resource-fixture";
import type { RunOptions } from "../../support/resource-fixture";

const [here, away] = ["0a".repeat(20), "0b".repeat(20)];

test.each<[boolean, string, Kind, string | undefined, Inputs, string | undefined]>([
  [true, "an object in another root", group, `${away}/1`, { parentUid: away }, here],
  [true, "another root", group, away, {}, here],
  [true, "an object of which only the uid is known", identity, `${away}/1/2`, {}, here],
  [true, "a new object below another root", identity, undefined, { parentUid: `${away}/1` }, here],
  [true, "a new object right in another root", roleBinding, undefined, { parentUid: away }, here],
  [true, "what has the uid of its group, another root", accountAssociation, away, { parentUid: away }, here],
  [true, "the access to another root", groupAccess, away, { parentUid: away }, here],
  [true, "a tag of a repo elsewhere", tag, undefined, { repoUid: `${away}/1/2` }, here],
  [
    true,
    "a mapping of an identity provider elsewhere",
    externalGroupRoleMapping,
    undefined,
    { identityProviderUid: `${away}/1` },
    here,
  ],
  [
    true,
    "an object elsewhere, where a group of an organisation is configured",
    repo,
    `${away}/1`,
    { parentUid: away },
    `${here}/1`,
  ],
  [true, "an organisation whose uid begins as the configured one", group, `${here}ff/1`, { parentUid: `${here}ff` }, here],
  [false, "an object of the organisation", identity, `${here}/1/2`, { parentUid: `${here}/1` }, here],
  [false, "one beside the group that is configured", group, `${here}/2`, { parentUid: here }, `${here}/1`],
  [false, "the root", group, here, {}, here],
  [
    false,
    "a role binding of a person, with a built-in role",
    roleBinding,
    `${here}/1`,
    { parentUid: here, identityUid: away, roleUid: away },
    here,
  ],
  [false, "a role binding of an identity elsewhere", roleBinding, undefined, { parentUid: here, identityUid: `${away}/1` }, here],
  [false, "a built-in role", role, away, {}, here],
  [false, "a person", identity, away, {}, here],
  [false, "what is not known yet", identity, undefined, { parentUid: unknownValue }, here],
  [false, "an object with its parent as a path", group, undefined, { parentPath: "other/team" }, here],
  [false, "any object where nothing is configured", group, `${away}/1`, { parentUid: away }, undefined],
])("%s: %s is elsewhere", (expected, _what, kind, uid, values, organization) => {
  expect(isElsewhere({ kind, uid, values }, organization)).toBe(expected);
});

const fixture = ResourceFixture.forFile();
let other: string;
beforeAll(async () => {
  other = (await fixture.platform.create("groups", "", { name: "other" })).uid;
  const { identity: me, root } = fixture.platform;
  const owner = { identityUid: me, roleUid: await fixture.platform.role("owner") };
  await fixture.platform.create("roleBindings", other, owner);
  expect(root).not.toBe(other);
});

/** The provider that the engine calls for one type, through a door. */
function providerOf(door: string, kind: Kind, run: Run) {
  if (door === "dynamic")
    return kind === groupAccess ? dynamically(groupAccessLife, () => run) : dynamicProvider(kind, () => run);
  const client = clientOf(new Plugin([], () => run));
  const type = typeToken(kind);
  return {
    check: async (olds: Inputs, news: Inputs) => {
      const { inputs, failures } = await client.check(type, "it", news, olds);
      return { inputs, failures: failures.map(([property = "", reason = ""]) => ({ property, reason })) };
    },
    diff: (id: string, olds: Inputs, news: Inputs) => client.diff(type, id, olds, news),
    create: (inputs: Inputs) => client.create(type, inputs),
    update: (id: string, olds: Inputs, news: Inputs) => client.update(type, id, olds, news),
    delete: (id: string, state: Inputs) => client.delete(type, id, state),
  };
}

/** A run of a provider that keeps to the root of the platform, or of another group. */
function keeping(options: RunOptions = {}) {
  return fixture.told({ keepsTo: fixture.platform.root, ...options });
}

/** Expects that `work` is rejected before anything is sent, and says all ways out. */
async function expectRejected(work: Promise<unknown>, ...parts: string[]): Promise<void> {
  const { message } = await failureOf(work);
  expect(message).toMatch(/not in the organisation .*\[INVALID_INPUT\]$/m);
  for (const part of [...parts, fixture.platform.root, ...ways]) expect(message).toContain(part);
  expect(await fixture.platform.writes()).toEqual([]);
}

const ways = ["platform:organization", "PLATFORM_ALLOW_OTHER_ORGANIZATION=true", "`Provider` with its `organization`"];

describe.each(["dynamic", "native"])("through the %s door, where the state has an object of another organisation", (door) => {
  const all = [...kinds, ["group access", groupAccess] as [string, Kind]];

  test.each(all)("a %s: its check and diff warn once, and nothing changes it", async (_noun, kind) => {
    const place = kind === groupAccess ? await fixture.parent(other) : await fixture.place(kind, other);
    const inputs =
      kind === groupAccess ? { parentUid: place, access: { viewer: { ci: `${other}/1` } } } : await fixture.inputs(kind, place);
    const uid = kind === groupAccess ? place : (await fixture.colleague(kind, inputs)).uid;
    const { run, told } = keeping();
    const provider = providerOf(door, kind, run);
    await fixture.platform.clearRequests();
    const { inputs: news, failures } = await provider.check(inputs, inputs);
    expect(failures).toEqual([]);
    await provider.diff(uid, inputs, news);
    expect(told.filter((message) => message.includes("organisation"))).toHaveLength(1);
    for (const part of ["warning: ", fixture.platform.root, ...ways]) expect(told[0]).toContain(part);
    await expectRejected(provider.update(uid, inputs, { ...news }), "Nothing was sent");
    await expectRejected(provider.delete(uid, inputs), "Nothing was sent");
    expect(await fixture.platform.writes()).toEqual([]);
    expect(await fixture.stored(kind === groupAccess ? group : kind, uid)).toBeDefined();
  });

  test("what replaces it in the configured organisation is not made there, nor anything else", async () => {
    const old = { parentUid: other, name: fixture.name() };
    const { uid } = await fixture.colleague(group, old);
    const { run, told } = keeping();
    const provider = providerOf(door, group, run);
    await fixture.platform.clearRequests();
    const news = { ...old, parentUid: fixture.platform.root };
    const { inputs } = await provider.check(old, news);
    expect((await provider.diff(uid, old, inputs)).replaces).toEqual(["parentUid"]);
    expect(told).toHaveLength(1);
    const again = await provider.check({}, news);
    await expectRejected(provider.create(again.inputs), "the state has group");
    await expectRejected(provider.create({ parentUid: fixture.platform.root, name: fixture.name() }), "Nothing was sent");
    await expectRejected(provider.delete(uid, old), "Nothing was sent");
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("an update says so in the check, before anything is sent", async () => {
    const old = { parentUid: other, name: fixture.name() };
    const { run, told } = keeping();
    const [failure, ...others] = (await providerOf(door, group, run).check(old, { ...old, __isUpdate: true })).failures;
    expect(failure?.reason).toMatch(/not in the organisation .* \[INVALID_INPUT\]$/m);
    for (const part of ways) expect(failure?.reason).toContain(part);
    expect([others, told]).toEqual([[], []]);
  });

  test("a run that may change it says nothing, and does", async () => {
    const { run, told } = fixture.told();
    const provider = providerOf(door, group, run);
    const { inputs } = await provider.check({}, { parentUid: other, name: fixture.name() });
    const { id, outs } = await provider.create(inputs);
    expect(told).toEqual([]);
    const allowed = fixture.run();
    await providerOf(door, group, allowed).delete(id, outs);
    expect(await fixture.stored(group, id)).toBeUndefined();
  });
});

describe.each(["dynamic", "native"])("through the %s door, a parent of another organisation", (door) => {
  test.each(["parentUid", "parentPath"])("given as %s is a warning of a preview, and an error of the create", async (given) => {
    const inputs = { [given]: given === "parentUid" ? other : "other", name: fixture.name() };
    const { client } = fixture.run();
    const { run, told } = keeping({ preview: { client, caller: undefined } });
    const provider = providerOf(door, group, run);
    const checked = await provider.check({}, inputs);
    expect(checked.failures).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^warning: group .* is not in the organisation/)]);
    for (const part of [other, ...ways]) expect(told[0]).toContain(part);
    await expectRejected(providerOf(door, group, keeping().run).create(checked.inputs), other, "Nothing was");
  });

  test("is a failure of the check of an update", async () => {
    const news = { parentUid: other, name: fixture.name(), __isUpdate: true };
    const [failure] = (await providerOf(door, group, keeping().run).check({}, news)).failures;
    expect(failure?.reason).toContain(`its parent ${other} is not in the organisation ${fixture.platform.root}`);
  });
});

test("reads of another organisation are no changes", async () => {
  const { run, told } = keeping();
  const found = await dynamicProvider(group, () => run).read(other, {});
  expect([found.id, told]).toEqual([other, []]);
});
