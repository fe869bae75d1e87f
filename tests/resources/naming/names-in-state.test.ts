import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs } from "../../../provider/schema/kind";
import { NamesFixture, update } from "../../support/names-fixture";
import { expectFailure, group, roleBinding } from "../../support/resource-fixture";

const names = NamesFixture.forFile();

test("adopt, remembered by the check of names, takes over the object that they mean", async () => {
  const existing = await names.platform.create("roleBindings", names.team.uid, {
    identityUid: names.ci.uid,
    roleUid: names.resources.viewer,
  });
  await expectFailure(names.made(roleBinding, names.named()), "KEY_TAKEN", existing.uid);
  expect(await names.made(roleBinding, { ...names.named(), adopt: true })).toMatchObject({ id: existing.uid });
});

describe("diff", () => {
  test.each([
    ["a preview", {}],
    ["an update", update],
  ])("of unchanged names says no change in %s and asks nothing", async (_when, mark) => {
    const old = await names.made(roleBinding, names.named());
    await names.platform.clearRequests();
    expect((await names.diffed(roleBinding, old, names.named(), mark)).diff).toMatchObject({ changes: false, replaces: [] });
    expect(await names.platform.requests()).toEqual([]);
  });

  test("of another role name is an update in place, and a preview asks nothing", async () => {
    const old = await names.made(roleBinding, names.named());
    await names.platform.clearRequests();
    const news = { ...names.named(), roleName: "editor" };
    expect((await names.diffed(roleBinding, old, news, {})).diff).toMatchObject({ changes: true, replaces: [] });
    expect(await names.platform.requests()).toEqual([]);
    const { outs } = await names.updated(roleBinding, old, news);
    const editor = await names.platform.role("editor");
    expect(outs).toMatchObject({ roleName: "editor", roleUid: editor });
    expect(await names.roleOf(old.id)).toBe(editor);
    expect(await names.platform.writes()).toMatchObject([
      { method: "PATCH", query: "updateMask=role_uid", body: { roleUid: editor } },
    ]);
  });

  test("of another parentPath overstates in a preview, and in an update replaces only where it means another group", async () => {
    const old = await names.made(group, { parentPath: names.place, name: "child" });
    const same = { parentUid: names.team.uid, name: "child" };
    const byUid = await names.made(group, { parentUid: names.team.uid, name: "other" });
    const moved = { parentPath: names.rootName, name: "child" };
    expect((await names.diffed(group, old, moved, {})).diff).toEqual({
      changes: true,
      replaces: ["parentPath"],
      deleteBeforeReplace: false,
    });
    expect((await names.diffed(group, old, moved, update)).diff).toEqual({
      changes: true,
      replaces: ["parentPath"],
      deleteBeforeReplace: false,
    });
    expect((await names.diffed(group, old, same, {})).diff).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
    const named = { parentPath: names.place, name: "other" };
    expect((await names.diffed(group, byUid, named, {})).diff).toMatchObject({ changes: true, replaces: ["parentPath"] });
    expect((await names.diffed(group, byUid, named, update)).diff).toMatchObject({ changes: true, replaces: [] });
  });

  test("of another form of the same objects writes nothing, in both directions", async () => {
    for (const [before, after] of [
      [names.named(), names.uids()],
      [names.uids(), names.named()],
    ] as const) {
      const old = await names.made(roleBinding, before);
      await names.platform.clearRequests();
      const { outs } = await names.updated(roleBinding, old, after);
      expect(outs).toMatchObject({ ...after, ...names.uids() });
      expect(Object.keys(outs).filter((name) => /Name|Path|Ref/.test(name))).toEqual(
        Object.keys(after).filter((name) => /Name|Path|Ref/.test(name)),
      );
      expect(await names.platform.writes()).toEqual([]);
      await names.process().of(roleBinding).delete(old.id, outs);
    }
  });

  test("of an unknown name, after the check, changes the binding in place, like one of an unknown uid", async () => {
    const [old, other] = [
      await names.made(roleBinding, names.named()),
      await names.made(roleBinding, { ...names.uids(), roleUid: await names.platform.role("editor") }),
    ];
    const byName = (await names.diffed(roleBinding, old, { ...names.named(), roleName: unknownValue }, {})).diff;
    const byUid = (await names.diffed(roleBinding, other, { ...names.uids(), roleUid: unknownValue }, {})).diff;
    expect([byName, byUid]).toEqual(Array(2).fill({ changes: true, replaces: [], deleteBeforeReplace: false }));
  });
});

describe("refresh", () => {
  const read = async (old: { id: string; outs: Inputs }, process = names.process()) => ({
    ...(await process.of(roleBinding).read(old.id, old.outs)),
    ...process,
  });
  const custom = (name: string) => names.customRole(names.team.uid, name);

  test("finds no drift, and returns each name with its uid", async () => {
    const old = await names.made(roleBinding, names.named());
    const { inputs, props, printed } = await read(old);
    expect(inputs).toEqual({ ...names.named(), ...names.uids() });
    expect(props).toEqual(old.outs);
    expect(printed).toEqual([]);
  });

  test("finds another role of the same name as drift, and up puts the role back that the state had", async () => {
    const name = names.resources.name("deployer");
    await custom(name);
    const old = await names.made(roleBinding, { ...names.named(), roleName: name });
    const twin = await names.platform.create("roles", names.platform.root, {
      name,
      capabilities: ["CAP_IAM_GROUPS_LIST"],
    });
    await names.platform.change("roleBindings", old.id, { roleUid: twin.uid });
    const process = names.process();
    const { props = {} } = await read(old, process);
    expect(props).toMatchObject({ roleUid: twin.uid });
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(true);
    expect((await process.of(roleBinding).read(old.id, props)).props).toEqual(props);
    const next = names.process();
    const { inputs } = await names.diffed(roleBinding, { ...old, outs: props }, old.inputs, update, next);
    const { outs } = await next.of(roleBinding).update(old.id, props, inputs);
    expect(outs).toEqual(old.outs);
    expect(await names.roleOf(old.id)).toBe(old.outs["roleUid"]);
  });

  test("warns once of a role that has another name now, and it is no difference", async () => {
    const name = names.resources.name("deployer");
    const deployer = await custom(name);
    const old = await names.made(roleBinding, { ...names.named(), roleName: name });
    await names.platform.change("roles", deployer.uid, { name: names.resources.name("renamed") });
    const process = names.process();
    const { props = {} } = await read(old, process);
    await read(old, process);
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(false);
    expect(process.printed).toEqual([expect.stringMatching(new RegExp(`roleName "${name}".*${deployer.uid}`))]);
  });

  test("warns of a name that means another role now, and access stays", async () => {
    const name = names.resources.name("deployer");
    const deployer = await custom(name);
    const old = await names.made(roleBinding, { ...names.named(), roleName: name });
    await names.platform.change("roles", deployer.uid, { name: names.resources.name("renamed") });
    const impostor = await custom(name);
    const process = names.process();
    const { props = {} } = await read(old, process);
    expect(process.printed).toEqual([expect.stringContaining(impostor.uid)]);
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(false);
    const again = names.process();
    const { inputs } = await names.diffed(roleBinding, old, { ...old.inputs, identityRef: names.login }, update, again);
    await again.of(roleBinding).update(old.id, old.outs, inputs);
    expect(await names.roleOf(old.id)).toBe(deployer.uid);
  });
});

describe("the access of the run itself, in names", () => {
  const own = async () => {
    const owner = (await names.platform.objects("roles")).find((row) => row["name"] === "owner" && !row.uid.includes("/"));
    const made = await names.made(roleBinding, { ...names.named(), roleName: "owner" });
    await names.platform.clearRequests();
    return { made, owner, process: names.process({ caller: { uid: names.ci.uid } }) };
  };

  test("is not taken by another roleName", async () => {
    const { made, process } = await own();
    const { inputs } = await names.diffed(roleBinding, made, { ...names.named(), roleName: "viewer" }, update, process);
    await expectFailure(
      process.of(roleBinding).update(made.id, made.outs, inputs),
      "SELF_LOCKOUT",
      "this would end access that this run needs",
    );
    expect(await names.platform.writes()).toEqual([]);
  });

  test("is not taken by another identityRef, nor by a delete", async () => {
    const { made, process } = await own();
    const login = { issuer: names.login.issuer, subject: names.resources.name("zoe") };
    await names.identity("zoe", login);
    await names.platform.clearRequests();
    const other = { ...names.named(), roleName: "owner", identityRef: login };
    const { inputs } = await names.diffed(roleBinding, made, other, update, process);
    await expectFailure(
      process.of(roleBinding).update(made.id, made.outs, inputs),
      "SELF_LOCKOUT",
      "this would end access that this run needs",
    );
    const last = names.process({ caller: { uid: names.ci.uid } });
    await expectFailure(last.of(roleBinding).delete(made.id, made.outs), "SELF_LOCKOUT", "would end access");
    expect(await names.platform.writes()).toEqual([]);
  });

  test("is kept by the same role in another form", async () => {
    const { made, owner, process } = await own();
    const news = { parentPath: names.place, identityUid: names.ci.uid, roleUid: owner?.uid };
    const { inputs } = await names.diffed(roleBinding, made, news, update, process);
    expect(await process.of(roleBinding).update(made.id, made.outs, inputs)).toMatchObject({ outs: news });
    expect(await names.platform.writes()).toEqual([]);
  });
});

test("state from before names has no difference, and no request is made for it", async () => {
  const old = await names.made(roleBinding, names.uids());
  await names.platform.clearRequests();
  expect(Object.keys(old.outs).filter((name) => /Name|Path|Ref|__/.test(name))).toEqual([]);
  expect((await names.diffed(roleBinding, old, names.uids(), {})).diff).toMatchObject({ changes: false, replaces: [] });
  expect(await names.platform.requests()).toEqual([]);
});

test("a create whose answer is lost is found again by the uids that its names mean", async () => {
  let posts = 0;
  names.resources.proxy.interfere = async ({ method }, forward) => {
    if (method !== "POST" || posts++ > 0) return undefined;
    await forward();
    return "reset";
  };
  const { id } = await names.made(roleBinding, names.named());
  const rows = await names.resources.children(roleBinding, names.team.uid);
  expect(rows.map(({ uid }) => uid)).toEqual([id]);
});

describe.each([
  ["6b8bb03c, by names", () => names.named()],
  ["6b8bb03c, by names and login", () => ({ ...names.named(), identityRef: names.login })],
  ["0.1.0, by uids", () => names.uids()],
])("a state of %s, whose inputs have no uid beside a name,", (_release, program) => {
  /** The state of the earlier release: the program's arguments as inputs, both in outputs. */
  const written = async () => ({ ...(await names.made(roleBinding, program())), inputs: program() as Inputs });

  test.each([
    ["preview", {}],
    ["update", update],
  ])("has no difference in the %s, asks nothing and writes nothing", async (_when, mark) => {
    const old = await written();
    await names.platform.clearRequests();
    expect((await names.diffed(roleBinding, old, program(), mark)).diff).toMatchObject({ changes: false, replaces: [] });
    expect(await names.platform.requests()).toEqual([]);
  });

  test("has no difference in a refresh, and gets the uids by it", async () => {
    const old = await written();
    const process = names.process();
    const { props = {}, inputs = {} } = await process.of(roleBinding).read(old.id, old.outs);
    expect(await process.of(roleBinding).diff(old.id, props, old.inputs)).toMatchObject({ changes: false });
    expect(inputs).toEqual({ ...program(), ...names.uids() });
  });
});
