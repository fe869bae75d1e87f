import { dynamicProvider } from "../../../provider/host/dynamic";
import { groupAccess } from "../../../provider/kinds/group-access";
import { group } from "../../../provider/kinds/group";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { AccessFixture, accessProvider } from "../../support/access-fixture";
import { update } from "../../support/names-fixture";
import { expectFailure, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile();
let rootName: string;

beforeAll(async () => {
  const groups = await access.platform.objects("groups");
  rootName = String(groups.find(({ uid }) => uid === access.platform.root)?.["name"]);
});

/** A group, and its path. */
async function place(): Promise<{ uid: string; path: string }> {
  const name = access.fixture.name("team");
  const { uid } = await access.platform.create("groups", access.platform.root, { name });
  await access.platform.clearRequests();
  return { uid, path: `${rootName}/${name}` };
}

/** Inputs of an access that names its group by path. */
async function byPath(path: string, members: Record<string, string[]>): Promise<Inputs> {
  const { parentUid: _, ...inputs } = await access.inputs("", { access: members });
  return { ...inputs, parentPath: path };
}

/** Makes a new resource as the engine does in an update. */
async function made(news: Inputs, run: Run = access.fixture.run()) {
  const provider = accessProvider(run);
  const { inputs, failures } = await provider.check({}, { ...news, ...update });
  expect(failures).toEqual([]);
  const { id, outs } = await provider.create(inputs);
  return { id, inputs, outs };
}

/** Diffs an existing resource as the engine does. @param mark {@link update}, or nothing for a preview */
async function diffed(old: Awaited<ReturnType<typeof made>>, news: Inputs, mark: Inputs, run: Run = access.fixture.run()) {
  const provider = accessProvider(run);
  const { inputs, failures } = await provider.check(old.inputs, { ...news, ...mark });
  expect(failures).toEqual([]);
  return { inputs, provider, diff: await provider.diff(old.id, old.outs, inputs) };
}

test("the group of a GroupAccess can be a path: state holds text and uid, and later runs find no difference", async () => {
  const { uid, path } = await place();
  const news = await byPath(path, { owner: ["zoe"] });
  const old = await made(news);
  expect(old).toMatchObject({ id: uid, inputs: { ...news, parentUid: uid }, outs: { parentPath: path, parentUid: uid } });
  expect(await access.members(uid)).toEqual(["zoe owner"]);
  for (const mark of [{}, update]) expect((await diffed(old, news, mark)).diff).toMatchObject({ changes: false, replaces: [] });
  const read = await accessProvider(access.fixture.run()).read(old.id, old.outs);
  expect(read).toMatchObject({ id: uid, props: old.outs });
  expect(read.inputs).toEqual(old.inputs);
});

test("members change in a group that is named by path", async () => {
  const { uid, path } = await place();
  const old = await made(await byPath(path, { owner: ["zoe"] }));
  const next = await diffed(old, await byPath(path, { viewer: ["max"] }), update);
  expect(next.diff).toMatchObject({ changes: true, replaces: [] });
  const { outs } = await next.provider.update(old.id, old.outs, next.inputs);
  expect(outs).toMatchObject({ parentPath: path, parentUid: uid });
  expect(await access.members(uid)).toEqual(["max viewer"]);
});

test("from uid to path and back, nothing is written", async () => {
  const { uid, path } = await place();
  const [uids, named] = [await access.inputs(uid, { access: { owner: ["zoe"] } }), await byPath(path, { owner: ["zoe"] })];
  let old = await made(uids);
  await access.platform.clearRequests();
  for (const news of [named, uids]) {
    const { inputs, provider, diff } = await diffed(old, news, update);
    expect(diff).toMatchObject({ changes: true, replaces: [] });
    const { outs } = await provider.update(old.id, old.outs, inputs);
    expect(outs["parentPath"]).toBe(news["parentPath"]);
    old = { ...old, inputs, outs };
  }
  expect(await access.platform.writes()).toEqual([]);
});

test("another path replaces the access; an update never moves it", async () => {
  const [one, other] = [await place(), await place()];
  const old = await made(await byPath(one.path, { owner: ["zoe"] }));
  const news = await byPath(other.path, { owner: ["zoe"] });
  for (const mark of [{}, update]) expect((await diffed(old, news, mark)).diff).toMatchObject({ replaces: ["parentPath"] });
  await access.platform.clearRequests();
  await expectFailure(
    accessProvider(access.fixture.run()).update(old.id, old.outs, news),
    "FAILED_PRECONDITION",
    "the object is in another place. Nothing was sent.",
  );
  expect(await access.platform.writes()).toEqual([]);
});

test("a path that does not exist gives nobody access", async () => {
  const { path } = await place();
  await expectFailure(made(await byPath(`${path}/nothing`, { owner: ["zoe"] })), "NOT_FOUND", "Nothing was changed.");
  expect(await access.platform.writes()).toEqual([]);
});

test("a path of a group that this program declares is rejected", async () => {
  const run = access.fixture.run();
  await dynamicProvider(group, () => run).check({}, { parentUid: access.platform.root, name: "shop", ...update });
  await expectFailure(made(await byPath(`${rootName}/shop`, { owner: ["zoe"] }), run), "INVALID_INPUT", "Pass the `uid`");
});

describe("two owners in one program", () => {
  const reasons = ({ failures }: { failures: { reason: string }[] }) => failures.map(({ reason }) => reason).join();

  test("of the same path are rejected by the check; those of two paths are not", async () => {
    const [one, other] = [await place(), await place()];
    const run = access.fixture.run();
    const check = async (path: string, name: string) =>
      reasons(await accessProvider(run).check({}, { ...(await byPath(path, { owner: ["zoe"] })), __logicalName: `::${name}` }));
    expect(await check(one.path, "one")).toBe("");
    expect(await check(other.path, "other")).toBe("");
    expect(await check(one.path, "two")).toContain('"one" and "two" of this program both declare the access of the same group');
  });

  test("of one group, one by uid and one by path, are rejected before anything is sent", async () => {
    const { uid, path } = await place();
    const run = access.fixture.run();
    const second = await byPath(path, { viewer: ["max"] });
    expect(reasons(await accessProvider(run).check({}, second))).toBe("");
    await made(await access.inputs(uid, { access: { owner: ["zoe"] } }), run);
    await access.platform.clearRequests();
    await expectFailure(made(second, access.fixture.run()), "KEY_TAKEN", "others have access");
    await expectFailure(accessProvider(run).create(second), "KEY_TAKEN", "manage the same roles");
    expect(await access.platform.writes()).toEqual([]);
  });

  test("a RoleBinding at the same path that the access leaves out is rejected; one at another path, or not known yet, is not", async () => {
    const [one, other] = [await place(), await place()];
    const run = access.fixture.run();
    await accessProvider(run).check({}, await byPath(one.path, { owner: ["zoe"] }));
    const binding = { identityUid: await access.person("max"), roleUid: access.roles.get("viewer") };
    const check = async (parentPath: string, more: object = {}) =>
      reasons(await dynamicProvider(roleBinding, () => run).check({}, { ...binding, parentPath, ...more }));
    expect(await check(other.path)).toBe("");
    expect(await check(one.path)).toContain("would remove it");
    for (const unknown of ["identityUid", "roleUid"]) expect(await check(one.path, { [unknown]: unknownValue })).toBe("");
  });
});

test("what was declared by a path before is announced once the path means another group, and stays where it is", async () => {
  const { uid, path } = await place();
  const news = await byPath(path, { owner: ["zoe"] });
  const old = await made(news);
  await access.platform.change("groups", uid, { name: access.fixture.name("renamed") });
  await access.platform.create("groups", access.platform.root, { name: path.split("/")[1] });
  const { run, told: printed } = access.fixture.told();
  await accessProvider(run).read(old.id, old.outs);
  expect(printed).toEqual([expect.stringContaining("and now means")]);
  expect((await diffed(old, news, update, run)).diff).toMatchObject({ changes: false, replaces: [] });
  expect(groupAccess.immutable).toContain("parentPath");
});
