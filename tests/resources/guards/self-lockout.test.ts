import { interruptedBy } from "../../../provider/client/interruption";
import type { Inputs } from "../../../provider/kinds/kind";
import { role } from "../../../provider/kinds/role";
import { remove } from "../../../provider/resources/delete";
import { update } from "../../../provider/resources/update";
import { json } from "../../support/fault-proxy";
import { type ExpectRefused, ownAccess, ownAccessTiming as timing, type RoleUids, type Runner } from "../../support/own-access";
import { expectFailure, failureOf, group, identity, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let roleUids: RoleUids;
let runner: () => Promise<Runner>;
let expectRefused: ExpectRefused;

beforeAll(async () => {
  ({ roleUids, runner, expectRefused } = await ownAccess(fixture));
});

const ofDestroy = ["`pulumi destroy --exclude <urn>`", "`dependsOn`"];
const waysOfDelete = [
  "`retainOnDelete` on it and run `pulumi up` before",
  "in a destroy, `pulumi destroy --exclude",
  ...ofDestroy,
];
const otherBinding = "another role binding first";

describe("deleting", () => {
  test("the only binding of the caller is rejected, and the error names the options", async () => {
    const { place, uid, bind, run } = await runner();
    const own = await bind(place, "owner");
    await expectRefused(
      remove(roleBinding, own.uid, own.state, await run()),
      ...waysOfDelete,
      otherBinding,
      own.uid,
      uid,
      "CAP_",
      place,
    );
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

  test("a binding whose delete the platform rejects counts as access again", async () => {
    const { place, bind, run } = await runner();
    const failing = await bind(place, "owner");
    const below = await bind(await fixture.parent(place), "owner");
    await fixture.platform.fault({ method: "DELETE", path: failing.uid }, { status: 400, code: 3, message: "not now" });
    const one = await run({ allowSelfLockout: true });
    await expectFailure(remove(roleBinding, failing.uid, failing.state, one), "INVALID_ARGUMENT");
    expect((await one.selfLockout.beforeDelete(roleBinding, below.uid, below.state)).endsOwnAccess).toBe(false);
  });

  test.each([
    ["DELETE was lost", "CONNECTION_LOST"],
    ["DELETE is not proven", "NOT_GONE"],
    ["DELETE was lost, and forbidden when it was repeated,", "PERMISSION_DENIED"],
  ])("a binding whose %s does not count as access again", async (fault, code) => {
    let sent = 0;
    const { place, bind, run } = await runner();
    const failing = await bind(place, "owner");
    const below = await bind(await fixture.parent(place), "owner");
    const one = await run({ allowSelfLockout: true });
    fixture.proxy.interfere = ({ method, path }) => {
      if (method !== "DELETE" || !path.includes(failing.uid)) return undefined;
      if (code === "NOT_GONE") return json(404, { code: 5, message: "not found" });
      return code === "CONNECTION_LOST" || sent++ === 0 ? "reset" : json(403, { code: 7, message: "denied" });
    };
    await expectFailure(remove(roleBinding, failing.uid, failing.state, one), code);
    const again = await run({ allowSelfLockout: true });
    expect((await again.selfLockout.beforeDelete(roleBinding, below.uid, below.state)).endsOwnAccess).toBe(false);
    expect((await one.selfLockout.beforeDelete(roleBinding, below.uid, below.state)).endsOwnAccess).toBe(true);
  });

  test("a binding whose delete was cancelled before it was decided counts as access", async () => {
    const { place, bind, run } = await runner();
    const [one, other] = [await bind(place, "owner"), await bind(place, "owner")];
    const [held, ending] = [Promise.withResolvers<undefined>(), new AbortController()];
    const ofRun = await run({ allowSelfLockout: true });
    fixture.proxy.interfere = async ({ path }) => {
      if (!path.endsWith("/roleBindings")) return undefined;
      ending.abort();
      await held.promise;
      return undefined;
    };
    const cancelled = { waits: ending.signal, sent: ending.signal };
    const shared = { waits: new AbortController().signal, sent: new AbortController().signal };
    const deleting = interruptedBy({ ...cancelled, shared }, () => remove(roleBinding, one.uid, one.state, ofRun));
    await expectFailure(deleting, "CALLER_ABORTED");
    held.resolve(undefined);
    expect((await ofRun.selfLockout.beforeDelete(roleBinding, other.uid, other.state)).endsOwnAccess).toBe(false);
  });

  test("what does not affect the caller sends no extra request, but one List before the first binding goes", async () => {
    const { place, bind, run } = await runner();
    await bind(place, "owner");
    const other = await bind(place, "viewer", await fixture.identity());
    const child = await fixture.parent(place);
    const one = await run();
    await fixture.platform.clearRequests();
    const asked = async () => (await fixture.platform.requests()).filter(({ query }) => /(^|&)identity=/.test(query));
    await remove(group, child, { parentUid: place, name: "child" }, one);
    expect(await asked()).toEqual([]);
    await remove(roleBinding, other.uid, other.state, one);
    expect(await asked()).toHaveLength(1);
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
    await fixture.platform.fault({ method: "GET", path }, { status: 500, code: 13 }, { times: 0 });
    await fixture.platform.clearRequests();
    const error = await expectFailure(
      remove(roleBinding, own.uid, own.state, await run()),
      "INTERNAL",
      own.uid,
      "cannot be read",
      "Nothing was sent",
      "Run again",
    );
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
    await expectFailure(remove(identity, uid, inputs, one), "NOT_GONE");
  });

  test("a role that is deleted at the same time waits for it, and not the other way round", async () => {
    const { place, bind, run } = await runner();
    const custom = (parentUid: string, ...capabilities: string[]) => {
      const inputs = { name: fixture.name("role"), capabilities };
      return fixture.platform.create("roles", parentUid, inputs).then(({ uid }) => ({ uid, state: { parentUid, ...inputs } }));
    };
    const rights = ["GROUPS_LIST", "ROLES_LIST", "ROLES_DELETE", "ROLE_BINDINGS_LIST", "ROLE_BINDINGS_DELETE"];
    const kept = rights.map((right) => `CAP_IAM_${right}`);
    await bind(fixture.platform.root, await custom(fixture.platform.root, ...kept));
    const bound = await custom(place, ...kept, "CAP_IAM_GROUPS_UPDATE");
    const own = await bind(place, bound);
    const one = await run({ allowSelfLockout: true });
    await Promise.all([remove(role, bound.uid, bound.state, one), remove(roleBinding, own.uid, own.state, one)]);
    expect((await fixture.platform.objects("roles")).map(({ uid }) => uid)).not.toContain(bound.uid);
  });

  test("an unknown caller is protected by deletion proof alone", async () => {
    const { place, uid, bind } = await runner();
    const own = await bind(place, "owner");
    const run = fixture.run({ timing, token: await fixture.platform.apiToken({ identity: uid }) });
    await expectFailure(remove(roleBinding, own.uid, own.state, run), "NOT_GONE");
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

  test.each([
    ["matches its login", (subject: string) => `^${subject}$`, {}, true],
    ["matches a part of its login", (subject: string) => subject.slice(0, 3), {}, false],
    [
      "matches its login, with an audience that it may not have",
      (subject: string) => `^${subject}$`,
      { audiencePattern: "^x$" },
      false,
    ],
    [
      "matches its login, with a claim that it may not have",
      (subject: string) => `^${subject}$`,
      { claims: { ref: "x" } },
      false,
    ],
  ])("a pattern for the caller's identity that %s", async (_what, patternOf, more, isSent) => {
    const { place, uid, inputs, claimMatch, bind, run } = await runner();
    await bind(place, "owner");
    const login = { issuer: claimMatch.issuer, subject: claimMatch.subject };
    const news = { ...inputs, claimMatch: { issuer: claimMatch.issuer, subjectPattern: patternOf(claimMatch.subject), ...more } };
    const change = update(identity, uid, inputs, news, await run({ caller: { uid, login } }));
    if (isSent) await change;
    else await expectRefused(change, uid, "claimMatch");
    expect(await fixture.platform.writes()).toHaveLength(isSent ? 1 : 0);
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
    const state = { ...inputs, name: unbound.name };
    await update(role, unbound.uid, state, { ...state, capabilities: capabilities.slice(0, 1) }, await run());
  });

  test("a fault while reading whether the caller holds a role keeps its code, and nothing is sent", async () => {
    const { place, run } = await runner();
    const inputs = { parentUid: place, name: fixture.name("role"), capabilities: ["CAP_IAM_GROUPS_LIST"] };
    const { uid } = await fixture.platform.create("roles", place, { name: inputs.name, capabilities: inputs.capabilities });
    await fixture.platform.fault({ method: "GET", path: "/roleBindings$" }, { status: 500, code: 13 }, { times: 0 });
    await fixture.platform.clearRequests();
    const one = await run();
    await expectFailure(update(role, uid, inputs, { ...inputs, capabilities: ["CAP_IAM_ROLES_LIST"] }, one), "INTERNAL");
    expect(await fixture.platform.writes()).toEqual([]);
  });
});

test("an own binding that is still visible after its DELETE is not deleted", async () => {
  const { place, bind, run } = await runner();
  const own = await bind(place, "viewer");
  fixture.proxy.interfere = ({ method }) => (method === "DELETE" ? { status: 200, headers: {}, body: "" } : undefined);
  const error = await failureOf(remove(roleBinding, own.uid, own.state, await run({ allowSelfLockout: true })));
  expect(error.message).toContain("its DELETE succeeded, but it still exists");
});

describe("the advice", () => {
  const adviceOf = async (work: Promise<unknown>) => {
    const { code, message } = await failureOf(work);
    expect(code).toBe("SELF_LOCKOUT");
    return message;
  };

  test("on an update names nothing that only fits a delete", async () => {
    const { place, bind, run } = await runner();
    const own = await bind(place, "owner");
    const message = await adviceOf(
      update(roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer }, await run()),
    );
    expect(message).toContain(otherBinding);
    for (const part of ["retainOnDelete", ...ofDestroy]) expect(message).not.toContain(part);
  });

  test("on the caller's identity names no other role binding, which would not help", async () => {
    const { place, uid, inputs, claimMatch, bind, run } = await runner();
    await bind(place, "owner");
    const one = await run();
    const news = { ...inputs, claimMatch: { ...claimMatch, subject: "somebody else" } };
    for (const work of [() => update(identity, uid, inputs, news, one), () => remove(identity, uid, inputs, one)])
      expect(await adviceOf(work())).not.toContain(otherBinding);
  });
});
