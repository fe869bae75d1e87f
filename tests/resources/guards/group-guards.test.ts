import type { Inputs, Kind } from "../../../provider/schema/kind";
import { kinds } from "../../../provider/kinds/kinds";
import { check } from "../../../provider/resources/object/check";
import { remove } from "../../../provider/resources/object/delete";
import { diff } from "../../../provider/resources/object/diff";
import { unknownValue } from "../../../provider/schema/inputs";
import { isDelete, on } from "../../support/interference";
import { OwnAccess } from "../../support/own-access";
import {
  declare,
  expectFailure,
  failureOf,
  group,
  type Resource,
  ResourceFixture,
  roleBinding,
} from "../../support/resource-fixture";
import { type RunOptions } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const own = OwnAccess.forFile(fixture);

const guarded = { deletionProtection: true };
const waysOut = ["Nothing was sent", "`deletionProtection: false`", "`retainOnDelete`", "`pulumi state delete <urn>`"];

/** A group made by an earlier run with `guards`, as its state has it. */
const existing = (guards: Inputs): Promise<Resource> => fixture.theirs(group, { description: undefined, ...guards });

describe("deletionProtection", () => {
  test("rejects the deletion before anything is sent, and names the ways out", async () => {
    const protectedGroup = await existing({ ...guarded, forceDestroy: true });
    await expectFailure(protectedGroup.remove(), "PROTECTED", protectedGroup.uid, ...waysOut);
    expect(await fixture.platform.requests()).toEqual([]);
    expect(await protectedGroup.exists()).toBe(true);
  });

  test.each([[{}], [{ deletionProtection: false }]])("lets a group with %j be deleted", async (guards) => {
    const unprotected = await existing(guards);
    await unprotected.remove();
    expect(await unprotected.exists()).toBe(false);
  });

  test("of a root is on by default, and can be switched off", async () => {
    const { root } = fixture.platform;
    await expectFailure(remove(group, root, { name: "acme" }, fixture.run()), "PROTECTED", "root of an");
    expect(await fixture.platform.requests()).toEqual([]);
    const unprotected = { name: "acme", deletionProtection: false };
    expect(check({ kind: group, olds: { name: "acme" }, news: unprotected }, fixture.run())).toEqual({
      inputs: unprotected,
      failures: [],
    });
    await expectFailure(remove(group, root, unprotected, fixture.run()), "FAILED_PRECONDITION");
    expect(await fixture.stored(group, root)).toBeDefined();
  });

  test("does not let a new group be declared without a parent", () => {
    for (const inputs of [{ name: "acme" }, { name: "acme", parentUid: null }])
      expect(check({ kind: group, olds: {}, news: inputs }, fixture.run()).failures).toHaveLength(1);
    expect(
      check({ kind: group, olds: { name: "acme", parentUid: "a" }, news: { name: "acme" } }, fixture.run()).failures,
    ).toHaveLength(1);
  });

  test("rejects a replacement, also one that would lift it, but lets a parent be unknown in a preview: the group may stay", async () => {
    const protectedGroup = await existing(guarded);
    for (const news of [{ parentUid: "elsewhere" }, { parentUid: "elsewhere", deletionProtection: false }])
      expect(() => protectedGroup.diff(news)).toThrow(/^replace group .*deletionProtection/);
    expect(protectedGroup.diff({ parentUid: unknownValue }).replaces).toEqual(["parentUid"]);
    expect((await existing({ deletionProtection: false })).diff({ parentUid: "x" }).replaces).toEqual(["parentUid"]);
  });

  test("lets a group be renamed, and a rename of the resource keep the object", async () => {
    const protectedGroup = await existing(guarded);
    expect(protectedGroup.diff({ name: "other" })).toMatchObject({ changes: true, replaces: [] });
    const run = fixture.run({ adopt: true });
    await declare(group, protectedGroup.inputs, run);
    await protectedGroup.remove(run);
    expect(await protectedGroup.exists()).toBe(true);
  });

  test("that is not given is in no state, and equals the state of an older version", async () => {
    const { inputs: state, ...unguarded } = await existing({});
    const { inputs } = check({ kind: group, olds: {}, news: state }, fixture.run());
    expect(inputs).not.toHaveProperty("deletionProtection");
    expect(diff({ kind: group, uid: unguarded.uid, olds: state, news: inputs }, fixture.run()).changes).toBe(false);
  });
});

/** A group with a subgroup, each with an identity that is bound there, and a role. The subgroup's identity is bound above it. */
async function team(options: RunOptions = {}) {
  const { uid, inputs: state } = await existing({ forceDestroy: true });
  const notes: string[] = [];
  const inner = await fixture.parent(uid);
  const claimMatch = { issuer: "https://issuer.example", subject: fixture.name("ci") };
  const make = (kind: string, parent: string, fields: object) => fixture.platform.create(kind, parent, fields);
  const custom = await make("roles", uid, { name: "reader", capabilities: ["CAP_REPO_LIST"] });
  const ci = await make("identities", uid, { name: "ci", claimMatch });
  const bot = await make("identities", inner, { name: "bot", claimMatch });
  const bindings = [
    await make("roleBindings", uid, { identityUid: ci.uid, roleUid: custom.uid }),
    await make("roleBindings", uid, { identityUid: bot.uid, roleUid: fixture.viewer }),
  ];
  await fixture.platform.clearRequests();
  const run = fixture.run({ notify: (note) => notes.push(note), ...options });
  return { uid, state, inner, custom, ci, bot, bindings, notes, run, delete: () => remove(group, uid, state, run) };
}

/** Everything that the platform has in and at `uid`. */
async function left(uid: string): Promise<string[]> {
  const rows = (
    await Promise.all(Object.values<Kind>(kinds).map(({ collection }) => fixture.platform.objects(collection.segment)))
  ).flat();
  return rows.map((row) => row.uid).filter((each) => each === uid || each.startsWith(`${uid}/`));
}

describe("forceDestroy", () => {
  test("lists what it deletes, then deletes bindings before identities and roles, and children before parents", async () => {
    const { uid, inner, custom, ci, bot, bindings, notes, ...all } = await team();
    await all.delete();
    expect(await left(uid)).toEqual([]);
    const deleted = (await fixture.asked("DELETE")).map((path) => path.replace(/^\/iam\/v2beta1\/\w+\//, ""));
    const doomed = [...bindings, custom, ci, bot].map((each) => each.uid).concat(inner);
    expect(deleted.toSorted()).toEqual([...doomed, uid].toSorted());
    const at = (object: { uid: string }) => deleted.indexOf(object.uid);
    for (const other of [custom, ci, bot]) expect(Math.max(...bindings.map(at))).toBeLessThan(at(other));
    for (const other of [custom, ci, bot]) expect(at(other)).toBeLessThan(at({ uid: inner }));
    expect(deleted.at(-1)).toBe(uid);
    expect(notes).toHaveLength(1);
    const lines = (notes[0] ?? "").split("\n");
    expect(lines[0]).toContain("deletes 6 objects");
    const listed = lines.slice(1).map((line) => /\(([^()]+)\)$/.exec(line)?.[1]);
    // Objects of one kind and depth go together.
    expect(listed.toSorted()).toEqual(doomed.toSorted());
    expect(listed.slice(0, 2).toSorted()).toEqual(bindings.map((each) => each.uid).toSorted());
    expect(listed.at(-1)).toBe(inner);
  });

  test("deletes the invites, subscriptions and account associations in the group and below, each before what it names", async () => {
    const all = await team();
    const make = (kind: string, parent: string, fields: object) => fixture.platform.create(kind, parent, fields);
    const agent = await make("identities", all.inner, { name: "agent", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
    const chainguard = { serviceBindings: { ingester: agent.uid } };
    const made = [
      await make("groupInvites", all.uid, { roleUid: all.custom.uid, ttl: "3600s" }),
      await make("groupInvites", all.inner, { roleUid: all.custom.uid, ttl: "3600s" }),
      await make("subscriptions", all.inner, { sink: "https://events.example/inner" }),
      await make("accountAssociations", all.uid, { name: "outer", amazon: { account: "123456789012" } }),
      await make("accountAssociations", all.inner, { name: "inner", chainguard }),
    ];
    await fixture.platform.clearRequests();
    await all.delete();
    expect(await left(all.uid)).toEqual([]);
    const deleted = (await fixture.asked("DELETE")).map((path) => path.replace(/^\/\w+\/v2beta1\//, ""));
    const at = (collection: string, { uid }: { uid: string }) => deleted.indexOf(`${collection}/${uid}`);
    expect(at("accountAssociations", { uid: all.inner })).toBeLessThan(at("identities", agent));
    expect(at("groupInvites", made[0] ?? agent)).toBeLessThan(at("roles", all.custom));
    expect(deleted).toHaveLength(new Set(deleted).size);
    expect(all.notes).toHaveLength(1);
    for (const { uid } of made) expect(all.notes[0]).toContain(`(${uid})`);
    expect(all.notes[0]).toContain("deletes 12 objects");
  });

  test("stops at an identity provider and its mappings, and lists them: people outside the group sign in with it", async () => {
    const all = await team();
    const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "the-client-secret" };
    const provider = await fixture.platform.create("identityProviders", all.inner, {
      name: "sign-in",
      defaultRole: fixture.viewer,
      oidc,
    });
    const mapping = await fixture.platform.create("externalGroupRoleMappings", provider.uid, {
      externalGroupId: "people",
      roleUid: fixture.viewer,
      scope: fixture.platform.root,
    });
    await expectStopped(all, "PROTECTED", '"sign-in"', provider.uid, '"people"', mapping.uid, "never deleted with its group");
  });

  test("stops at an account association that the program declares, although it has the uid of the group", async () => {
    const all = await team();
    const inputs = { parentUid: all.inner, name: "declared", amazon: { account: "123456789012" } };
    await declare(kinds.accountAssociation, inputs, all.run);
    await expectStopped(all, "PROTECTED", "this program declares it", "account association");
  });

  test("lists before it writes", async () => {
    let written = 0;
    fixture.proxy.interfere = on(isDelete, (forward) => {
      written++;
      return forward();
    });
    const before: number[] = [];
    await (await team({ notify: () => before.push(written) })).delete();
    expect(before).toEqual([0]);
    expect(written).toBeGreaterThan(0);
  });

  test("that is not set leaves a group that is not empty", async () => {
    const { uid, state, ...all } = await team();
    const before = await left(uid);
    const { forceDestroy: _, ...unset } = state;
    for (const guards of [unset, { ...unset, forceDestroy: false }]) {
      await expectFailure(remove(group, uid, guards, all.run), "FAILED_PRECONDITION");
    }
    expect(await left(uid)).toEqual(before);
    expect(all.notes).toEqual([]);
  });

  test("of an empty group lists nothing", async () => {
    const emptyGroup = await existing({ forceDestroy: true });
    const { run, told } = fixture.told();
    await emptyGroup.remove(run);
    expect([await emptyGroup.exists(), told]).toEqual([false, []]);
  });

  /** Expects that `work` is rejected with nothing deleted and nothing announced. */
  async function expectStopped({ uid, notes, ...all }: Awaited<ReturnType<typeof team>>, code: string, ...parts: string[]) {
    const before = await left(uid);
    await fixture.platform.clearRequests();
    await expectFailure(all.delete(), code, "with forceDestroy", "Nothing was sent", uid, ...parts);
    expect(await fixture.platform.writes()).toEqual([]);
    expect([await left(uid), notes]).toEqual([before, []]);
  }

  test("stops at a repository: what it holds cannot be made again", async () => {
    const all = await team();
    const { uid } = await fixture.platform.create("repos", all.inner, { name: "images" });
    await expectStopped(all, "PROTECTED", "images", uid);
  });

  test("stops at an object that the program declares", async () => {
    const all = await team();
    const inputs = { parentUid: all.uid, name: "declared" };
    const { id } = await declare(group, inputs, all.run);
    await expectStopped(all, "PROTECTED", "this program declares it", id);
  });

  test("stops at a nested group whose protection this run has seen", async () => {
    const all = await team();
    await failureOf(remove(group, all.inner, { parentUid: all.uid, name: "inner", ...guarded }, all.run));
    await expectStopped(all, "PROTECTED", "deletionProtection", all.inner);
  });

  test("stops at a binding elsewhere that names an identity in the group", async () => {
    const all = await team();
    const { uid } = await fixture.platform.create("roleBindings", await fixture.parent(), {
      identityUid: all.ci.uid,
      roleUid: fixture.viewer,
    });
    await expectStopped(all, "PROTECTED", uid, "outside the group");
  });

  test.each(["groups", "identities", "roles", "roleBindings"])("stops where %s cannot be listed", async (collection) => {
    const all = await team();
    const fault = { status: 403, code: 7, message: "not yours" };
    await fixture.platform.fault({ method: "GET", path: `^/iam/v2beta1/${collection}$` }, fault, { times: 0 });
    await expectStopped(all, "PERMISSION_DENIED", "not yours");
  });

  test.each([false, true])("stops at access that this run needs, where that may be deleted: %s", async (allowSelfLockout) => {
    const { place, uid, bind, run } = await own.runner();
    const mine = await bind(place, "owner");
    const state = { parentUid: fixture.platform.root, name: "place", forceDestroy: true };
    const notes: string[] = [];
    const before = await left(place);
    const removal = remove(group, place, state, await run({ allowSelfLockout, notify: (note) => notes.push(note) }));
    await expectFailure(removal, "SELF_LOCKOUT", "with forceDestroy", "Nothing was sent", mine.uid);
    expect([await left(place), notes]).toEqual([before, []]);
    expect(before).toEqual(expect.arrayContaining([place, uid, mine.uid]));
  });

  test("that fails half-way says so, keeps the group, and finishes in the next run", async () => {
    const all = await team();
    await fixture.platform.fault(
      { method: "DELETE", path: all.bot.uid },
      { status: 403, code: 7, message: "not yet" },
      { times: 0 },
    );
    await expectFailure(all.delete(), "PERMISSION_DENIED", "of 6 objects were deleted", "remain", "not yet", all.bot.uid);
    expect(await left(all.uid)).toEqual(expect.arrayContaining([all.uid, all.bot.uid]));
    await fixture.platform.clearFaults();
    await remove(group, all.uid, all.state, fixture.run());
    expect(await left(all.uid)).toEqual([]);
  });

  test("waits for what this run is deleting already", async () => {
    const all = await team();
    await fixture.platform.fault({ method: "DELETE", path: all.bindings[0]?.uid ?? "" }, { delayMs: 200 });
    const bound = { parentUid: all.uid, identityUid: all.ci.uid, roleUid: all.custom.uid };
    await Promise.all([remove(roleBinding, all.bindings[0]?.uid ?? "", bound, all.run), all.delete()]);
    expect(await left(all.uid)).toEqual([]);
    expect(await fixture.asked("DELETE", all.bindings[0]?.uid)).toHaveLength(1);
  });

  test("does not delete a group in which something new appears meanwhile", async () => {
    const all = await team();
    fixture.proxy.interfere = async ({ method, path }) => {
      if (method === "DELETE" && path.endsWith(`/groups/${all.uid}`)) {
        fixture.proxy.interfere = () => undefined;
        await fixture.platform.create("identities", all.uid, {
          name: "late",
          claimMatch: { issuer: "https://issuer.example", subject: "late" },
        });
      }
      return undefined;
    };
    await expectFailure(all.delete(), "FAILED_PRECONDITION", "late");
    expect(await left(all.uid)).toHaveLength(2);
  });
});

test("every kind says whether it is deleted with its group", () => {
  expect(Object.fromEntries(Object.values<Kind>(kinds).map(({ name, withGroup }) => [name, withGroup]))).toEqual({
    Group: true,
    Identity: true,
    RoleBinding: true,
    Role: true,
    IdentityProvider: false,
    ExternalGroupRoleMapping: false,
    AccountAssociation: true,
    Repo: false,
    Tag: false,
    GroupInvite: true,
    Subscription: true,
  });
});
