import type { Inputs } from "../../provider/kinds/kind";
import { role } from "../../provider/kinds/role";
import { remove } from "../../provider/resources/delete";
import { update } from "../../provider/resources/update";
import type { RunOptions } from "../support/resource-fixture";
import { failureOf, group, identity, ResourceFixture, roleBinding } from "../support/resource-fixture";

let fixture: ResourceFixture;
let roleUids: Record<"owner" | "viewer" | "editor", string>;

beforeAll(async () => {
  fixture = await ResourceFixture.start();
  const [owner, viewer, editor] = await Promise.all(["owner", "viewer", "editor"].map((name) => fixture.platform.role(name)));
  roleUids = { owner: owner ?? "", viewer: viewer ?? "", editor: editor ?? "" };
});
afterAll(() => fixture.close());
beforeEach(() => fixture.reset());

const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

/** An identity that manages a group of its own, and runs that log in as it. */
async function runner() {
  const place = await fixture.parent();
  const claimMatch = { issuer: "https://issuer.example", subject: fixture.name("runner") };
  const inputs = { parentUid: place, name: fixture.name("runner"), claimMatch };
  const { uid } = await fixture.colleague(identity, inputs);
  const bind = async (parentUid: string, role: keyof typeof roleUids | { uid: string }, identityUid = uid) => {
    const state = { parentUid, identityUid, roleUid: typeof role === "string" ? roleUids[role] : role.uid };
    return { state, uid: (await fixture.colleague(roleBinding, state)).uid };
  };
  const run = async (options: RunOptions = {}) =>
    fixture.run({ timing, token: await fixture.platform.apiToken({ identity: uid }), caller: { uid }, ...options });
  return { place, uid, inputs, claimMatch, bind, run };
}

/** Expects that `work` is rejected before anything is written. */
async function expectRefused(work: Promise<unknown>, ...parts: string[]): Promise<void> {
  await fixture.platform.clearRequests();
  const error = await failureOf(work);
  expect(error).toMatchObject({ code: "SELF_LOCKOUT" });
  for (const part of ["Nothing was sent", "another identity", "PLATFORM_ALLOW_SELF_LOCKOUT=true", ...parts])
    expect(error.message).toContain(part);
  expect(await fixture.platform.writes()).toEqual([]);
}

const waysOfDelete = ["`retainOnDelete`", "`pulumi destroy --exclude <urn>`", "`dependsOn`"];

describe("deleting", () => {
  test("the only binding of the caller is rejected, and the error names the options", async () => {
    const { place, uid, bind, run } = await runner();
    const own = await bind(place, "owner");
    await expectRefused(remove(roleBinding, own.uid, own.state, await run()), ...waysOfDelete, own.uid, uid, "CAP_", place);
  });

  test("the identity of the caller is rejected", async () => {
    const { place, uid, inputs, bind, run } = await runner();
    await bind(place, "owner");
    await expectRefused(remove(identity, uid, inputs, await run()), ...waysOfDelete, uid);
  });

  test.each([
    ["the same role above", "owner", "root"],
    ["a role above that gives more", "owner", "root"],
    ["the same place", "owner", "place"],
  ] as const)("a binding is not rejected where another gives as much: %s", async (_what, role, where) => {
    const { place, bind, run } = await runner();
    await bind(where === "root" ? fixture.platform.root : place, role);
    const other = await bind(where === "root" ? place : await fixture.parent(place), where === "root" ? "viewer" : "owner");
    await remove(roleBinding, other.uid, other.state, await run());
    expect((await fixture.platform.objects("roleBindings")).map(({ uid }) => uid)).not.toContain(other.uid);
  });

  test.each([
    ["gives less", "viewer", "above"],
    ["is below", "owner", "below"],
    ["is beside", "owner", "beside"],
  ] as const)("a binding is rejected where the other one %s", async (_what, role, where) => {
    const { place, bind, run } = await runner();
    const own = await bind(place, "owner");
    await bind(where === "above" ? fixture.platform.root : await fixture.parent(where === "below" ? place : undefined), role);
    await expectRefused(remove(roleBinding, own.uid, own.state, await run()));
  });

  test("several bindings that together grant as much are enough", async () => {
    const { place, bind, run } = await runner();
    const custom = async (...capabilities: string[]) =>
      fixture.platform.create("roles", fixture.platform.root, { name: fixture.name("role"), capabilities });
    const lists = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const own = await bind(place, await custom(...lists, "CAP_IAM_ROLE_BINDINGS_DELETE"));
    await bind(fixture.platform.root, await custom(...lists));
    await expectRefused(remove(roleBinding, own.uid, own.state, await run()), "CAP_IAM_ROLE_BINDINGS_DELETE");
    await bind(place, await custom("CAP_IAM_ROLE_BINDINGS_DELETE"));
    await remove(roleBinding, own.uid, own.state, await run());
  });

  test("of two bindings that replace each other one stays, however they are deleted", async () => {
    for (const isAtOnce of [true, false]) {
      const { place, bind, run } = await runner();
      const custom = await fixture.platform.create("roles", place, {
        name: fixture.name("role"),
        capabilities: (await fixture.platform.objects("roles")).find(({ name }) => name === "owner")?.["capabilities"],
      });
      const both = [await bind(place, "owner"), await bind(place, custom)];
      const one = await run();
      const deletions = both.map((own) => () => remove(roleBinding, own.uid, own.state, one));
      const outcomes: PromiseSettledResult<void>[] = [];
      if (isAtOnce) outcomes.push(...(await Promise.allSettled(deletions.map((deletion) => deletion()))));
      else for (const deletion of deletions) outcomes.push(...(await Promise.allSettled([deletion()])));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const left = (await fixture.platform.objects("roleBindings")).map(({ uid }) => uid);
      expect(both.filter(({ uid }) => left.includes(uid))).toHaveLength(1);
    }
  });

  test("a binding whose delete fails counts as access again", async () => {
    const { place, bind, run } = await runner();
    const failing = await bind(place, "owner");
    const below = await bind(await fixture.parent(place), "owner");
    await fixture.platform.fault({ method: "DELETE", path: failing.uid }, { status: 403, code: 7, message: "not now" });
    const one = await run({ allowSelfLockout: true });
    expect(await failureOf(remove(roleBinding, failing.uid, failing.state, one))).toMatchObject({ code: "PERMISSION_DENIED" });
    expect((await one.selfLockout.beforeDelete(roleBinding, below.uid, below.state)).endsOwnAccess).toBe(false);
  });

  test("what does not affect the caller sends no extra request", async () => {
    const { place, bind, run } = await runner();
    await bind(place, "owner");
    const other = await bind(place, "viewer", await fixture.identity());
    const child = await fixture.parent(place);
    const one = await run();
    await fixture.platform.clearRequests();
    await remove(group, child, { parentUid: place, name: "child" }, one);
    await remove(roleBinding, other.uid, other.state, one);
    const asked = (await fixture.platform.requests()).filter(({ query }) => /(^|&)identity=/.test(query));
    expect(asked).toEqual([]);
  });

  test.each([
    ["the bindings of the caller cannot be listed", "/roleBindings$"],
    ["the capabilities of a role cannot be read", "/roles/"],
  ])("a binding is rejected where %s", async (_what, path) => {
    const { place, bind, run } = await runner();
    const own = await bind(place, "viewer");
    await bind(fixture.platform.root, "editor");
    await fixture.platform.fault({ method: "GET", path }, { status: 403, code: 7 }, { times: 0 });
    await expectRefused(remove(roleBinding, own.uid, own.state, await run()), "cannot be read");
  });

  test.each([
    ["the List of bindings", "/roleBindings$"],
    ["the capabilities of a role", "/roles/"],
  ])("a fault while reading %s keeps its code, and nothing is sent", async (_what, path) => {
    const { place, bind, run } = await runner();
    const own = await bind(place, "viewer");
    await bind(fixture.platform.root, "editor");
    await fixture.platform.fault({ method: "GET", path }, { status: 503, code: 14 }, { times: 0 });
    await fixture.platform.clearRequests();
    const error = await failureOf(remove(roleBinding, own.uid, own.state, await run({ timing: { ...timing, budgetMs: 50 } })));
    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    for (const part of [own.uid, "cannot be read", "Nothing was sent", "Run again"]) expect(error.message).toContain(part);
    expect(error.message).not.toContain("it would end access");
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("a binding that a List hides is rejected like one that it shows", async () => {
    const { place, bind, run } = await runner();
    const { uid: roleUid } = await fixture.platform.create("roles", fixture.platform.root, {
      name: fixture.name("role"),
      capabilities: ["CAP_IAM_ROLE_BINDINGS_DELETE"],
    });
    const own = await bind(place, { uid: roleUid });
    await expectRefused(remove(roleBinding, own.uid, own.state, await run()));
  });

  test("the only binding is deleted if that is allowed; whatever needs it fails and stays in state", async () => {
    const { place, uid, inputs, bind, run } = await runner();
    const own = await bind(place, "owner");
    await fixture.platform.settings({ denials: "hidden" });
    const one = await run({ allowSelfLockout: true });
    await remove(roleBinding, own.uid, own.state, one);
    expect((await fixture.platform.objects("roleBindings")).map((row) => row.uid)).not.toContain(own.uid);
    expect(await failureOf(remove(identity, uid, inputs, one))).toMatchObject({ code: "NOT_GONE" });
  });

  test("an unknown caller is protected by deletion proof alone", async () => {
    const { place, uid, bind } = await runner();
    const own = await bind(place, "owner");
    const run = fixture.run({ timing, token: await fixture.platform.apiToken({ identity: uid }) });
    expect(await failureOf(remove(roleBinding, own.uid, own.state, run))).toMatchObject({
      code: "NOT_GONE",
    });
  });
});

describe("updating", () => {
  test.each([
    ["the role to a weaker one", () => ({ roleUid: roleUids.viewer })],
    ["the identity to another", async () => ({ identityUid: await fixture.identity() })],
  ] as [string, () => Inputs | Promise<Inputs>][])("%s is rejected", async (_what, change) => {
    const { place, bind, run } = await runner();
    const own = await bind(place, "owner");
    await expectRefused(update(roleBinding, own.uid, own.state, { ...own.state, ...(await change()) }, await run()));
  });

  test("the role to a stronger one, or with another binding that gives as much, is sent", async () => {
    const { place, bind, run } = await runner();
    await bind(fixture.platform.root, "owner");
    const own = await bind(place, "viewer");
    const one = await run();
    const stronger = { ...own.state, roleUid: roleUids.editor };
    await update(roleBinding, own.uid, own.state, stronger, one);
    await update(roleBinding, own.uid, stronger, { ...own.state, identityUid: await fixture.identity() }, one);
    expect(await fixture.platform.writes()).toHaveLength(2);
  });

  test("the claim match of the caller's identity is rejected where its login may no longer match", async () => {
    const { place, uid, inputs, claimMatch, bind, run } = await runner();
    await bind(place, "owner");
    const news = { ...inputs, claimMatch: { ...claimMatch, subject: "somebody else" } };
    await expectRefused(update(identity, uid, inputs, news, await run()), uid, "claimMatch");
    const login = { issuer: claimMatch.issuer, subject: claimMatch.subject };
    await expectRefused(update(identity, uid, inputs, news, await run({ caller: { uid, login } })));
  });

  test("a claim match of the caller's identity that was widened by hand is repaired, since its login matches what is declared", async () => {
    const { place, uid, inputs, claimMatch, bind, run } = await runner();
    await bind(place, "owner");
    const wide = { issuer: claimMatch.issuer, subjectPattern: ".*" };
    await fixture.platform.change("identities", uid, { claimMatch: wide });
    const olds = { ...inputs, claimMatch: wide };
    await expectRefused(update(identity, uid, olds, inputs, await run()));
    const login = { issuer: claimMatch.issuer, subject: claimMatch.subject };
    await update(identity, uid, olds, inputs, await run({ caller: { uid, login } }));
    expect(await fixture.platform.writes()).toHaveLength(1);
  });

  test("name and description of the caller's identity are sent", async () => {
    const { place, uid, inputs, bind, run } = await runner();
    await bind(place, "owner");
    await update(identity, uid, inputs, { ...inputs, description: "the pipeline" }, await run());
    expect(await fixture.platform.writes()).toHaveLength(1);
  });

  test("capabilities of a role that the caller holds are rejected where they shrink", async () => {
    const { place, bind, run } = await runner();
    const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLES_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const inputs = { parentUid: place, name: fixture.name("role"), capabilities };
    const { uid } = await fixture.platform.create("roles", place, { name: inputs.name, capabilities });
    await bind(place, { uid });
    await expectRefused(
      update(role, uid, inputs, { ...inputs, capabilities: capabilities.slice(0, 2) }, await run()),
      "CAP_IAM_ROLES_UPDATE",
    );
    await update(role, uid, inputs, { ...inputs, capabilities: [...capabilities, "CAP_IAM_GROUPS_UPDATE"] }, await run());
    const unbound = await fixture.platform.create("roles", place, { name: fixture.name("role"), capabilities });
    await update(role, unbound.uid, inputs, { ...inputs, capabilities: capabilities.slice(0, 1) }, await run());
  });

  test("a fault while reading whether the caller holds a role keeps its code, and nothing is sent", async () => {
    const { place, run } = await runner();
    const inputs = { parentUid: place, name: fixture.name("role"), capabilities: ["CAP_IAM_GROUPS_LIST"] };
    const { uid } = await fixture.platform.create("roles", place, { name: inputs.name, capabilities: inputs.capabilities });
    await fixture.platform.fault({ method: "GET", path: "/roleBindings$" }, { status: 503, code: 14 }, { times: 0 });
    await fixture.platform.clearRequests();
    const one = await run({ timing: { ...timing, budgetMs: 50 } });
    const error = await failureOf(update(role, uid, inputs, { ...inputs, capabilities: ["CAP_IAM_ROLES_LIST"] }, one));
    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    expect(await fixture.platform.writes()).toEqual([]);
  });
});

describe("changes of one run that are under way together", () => {
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLES_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"];

  const custom = async (parentUid: string) => {
    const inputs = { parentUid, name: fixture.name("role"), capabilities };
    return { inputs, uid: (await fixture.platform.create("roles", parentUid, { name: inputs.name, capabilities })).uid };
  };
  const weaker = ({ inputs }: { inputs: Inputs }) => ({ ...inputs, capabilities: capabilities.slice(0, 1) });

  /** Lets no PATCH pass until `count` updates are decided. */
  const gate = (count: number) => {
    let decided = 0;
    let open: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    fixture.proxy.interfere = async ({ method }) => {
      if (method === "PATCH") {
        if (++decided === count) open();
        await opened;
      }
      return undefined;
    };
    return (work: Promise<unknown>) =>
      work.catch((error: unknown) => {
        if (++decided === count) open();
        throw error;
      });
  };

  test("of two roles that cover for each other one stays as it is, however they are weakened", async () => {
    for (const isAtOnce of [true, false]) {
      const { place, bind, run } = await runner();
      const both = [await custom(place), await custom(place)];
      for (const { uid } of both) await bind(place, { uid });
      const one = await run();
      const updates = both.map((each) => () => update(role, each.uid, each.inputs, weaker(each), one));
      const outcomes: PromiseSettledResult<unknown>[] = [];
      if (isAtOnce) {
        const decided = gate(2);
        outcomes.push(...(await Promise.allSettled(updates.map((start) => decided(start())))));
      } else for (const start of updates) outcomes.push(...(await Promise.allSettled([start()])));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const now = (await fixture.platform.objects("roles")).filter(({ uid }) => both.some((each) => each.uid === uid));
      expect(now.map((row) => (row["capabilities"] as string[]).length).sort()).toEqual([1, capabilities.length]);
    }
  });

  test("a role that is being weakened covers for no binding", async () => {
    const { place, bind, run } = await runner();
    const [covering, other] = [await custom(place), await custom(place)];
    await bind(place, { uid: covering.uid });
    const own = await bind(place, { uid: other.uid });
    const one = await run();
    expect((await one.selfLockout.beforeUpdate(role, covering.uid, covering.inputs, weaker(covering))).endsOwnAccess).toBe(false);
    await expectRefused(remove(roleBinding, own.uid, own.state, one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role that a binding of the caller is being given is not weakened", async () => {
    const { place, bind, run } = await runner();
    const [old, next] = [await custom(place), await custom(place)];
    const own = await bind(place, { uid: old.uid });
    const one = await run();
    await one.selfLockout.beforeUpdate(roleBinding, own.uid, own.state, { ...own.state, roleUid: next.uid });
    await expectRefused(update(role, next.uid, next.inputs, weaker(next), one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role whose update fails covers for others again", async () => {
    const { place, bind, run } = await runner();
    const both = [await custom(place), await custom(place)];
    for (const { uid } of both) await bind(place, { uid });
    const [failing, other] = both as [(typeof both)[0], (typeof both)[0]];
    await fixture.platform.fault({ method: "PATCH", path: failing.uid }, { status: 403, code: 7, message: "not now" });
    const one = await run();
    expect(await failureOf(update(role, failing.uid, failing.inputs, weaker(failing), one))).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    await update(role, other.uid, other.inputs, weaker(other), one);
  });

  test("a binding that this run has given a stronger role covers for the one that is deleted after it", async () => {
    const { place, bind, run } = await runner();
    const [raised, old] = [await bind(place, "viewer"), await bind(place, "owner")];
    const owner = (await fixture.platform.objects("roles")).find(({ name }) => name === "owner");
    const same = { name: fixture.name("role"), capabilities: owner?.["capabilities"] };
    const { uid: roleUid } = await fixture.platform.create("roles", place, same);
    const one = await run();
    await update(roleBinding, raised.uid, raised.state, { ...raised.state, roleUid }, one);
    await remove(roleBinding, old.uid, old.state, one);
    expect((await fixture.platform.objects("roleBindings")).map(({ uid }) => uid)).not.toContain(old.uid);
  });

  test("a binding covers for others with no more than it gives before and after its update", async () => {
    const { place, bind, run } = await runner();
    const [raised, old] = [await bind(place, "viewer"), await bind(place, "editor")];
    const one = await run();
    await one.selfLockout.beforeUpdate(roleBinding, raised.uid, raised.state, { ...raised.state, roleUid: roleUids.editor });
    await expectRefused(remove(roleBinding, old.uid, old.state, one));
    const [lowered, second] = [await bind(place, "owner"), await bind(place, "owner")];
    await one.selfLockout.beforeUpdate(roleBinding, lowered.uid, lowered.state, { ...lowered.state, roleUid: roleUids.viewer });
    await expectRefused(remove(roleBinding, second.uid, second.state, one));
  });
});
