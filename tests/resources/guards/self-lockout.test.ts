import { interruptedBy } from "../../../provider/client/interruption";
import type { Inputs } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { empty, instead, isDelete, notFound, on, refusal } from "../../support/interference";
import { begin, deletionIn, OwnAccess, ownAccessTiming as timing } from "../../support/own-access";
import { expectFailure, group, type Resource, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const own = OwnAccess.forFile(fixture);

const ofDestroy = ["`pulumi destroy --exclude <urn>`", "`dependsOn`"];
const waysOfDelete = ["`retainOnDelete`", "`pulumi up`", "pulumi destroy --exclude", ...ofDestroy];
const otherBinding = "another role binding first";

/** A runner that owns its group. */
async function owner() {
  const runner = await own.runner();
  return { ...runner, mine: await runner.bind(runner.place, "owner") };
}

/** Whether the run would end access that it needs by deleting `binding`. */
const isNeeded = (run: Run, binding: Resource) => begin(run, deletionIn(binding));

describe("deleting", () => {
  test("the only binding of the caller is rejected, and the error names the options", async () => {
    const { place, uid, mine, run } = await owner();
    await own.expectRefused(mine.remove(await run()), ...waysOfDelete, otherBinding, mine.uid, uid, "CAP_", place);
  });

  test("the identity of the caller is rejected", async () => {
    const { uid, me, run } = await owner();
    await own.expectRefused(me.remove(await run()), ...waysOfDelete, uid);
  });

  test.each([
    ["the same role above", "root", "owner", "place"],
    ["a role above that gives more", "root", "viewer", "place"],
    ["the same place", "place", "owner", "below"],
  ] as const)("a binding is not rejected where another gives as much: %s", async (_what, covering, role, where) => {
    const { place, bind, run } = await own.runner();
    const places = { root: fixture.platform.root, place, below: await fixture.parent(place) };
    await bind(places[covering], "owner");
    const other = await bind(places[where], role);
    await other.remove(await run());
    expect(await other.exists()).toBe(false);
  });

  test.each([
    ["gives less", "viewer", "above"],
    ["is below", "owner", "below"],
    ["is beside", "owner", "beside"],
  ] as const)("a binding is rejected where the other one %s", async (_what, role, where) => {
    const { place, mine, bind, run } = await owner();
    await bind(where === "above" ? fixture.platform.root : await fixture.parent(where === "below" ? place : undefined), role);
    await own.expectRefused(mine.remove(await run()));
  });

  test("several bindings that together grant as much are enough", async () => {
    const { place, bind, run } = await own.runner();
    const custom = async (...capabilities: string[]) => fixture.role(capabilities);
    const lists = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const mine = await bind(place, await custom(...lists, "CAP_IAM_ROLE_BINDINGS_DELETE"));
    await bind(fixture.platform.root, await custom(...lists));
    await own.expectRefused(mine.remove(await run()), "CAP_IAM_ROLE_BINDINGS_DELETE");
    await bind(place, await custom("CAP_IAM_ROLE_BINDINGS_DELETE"));
    await mine.remove(await run());
  });

  test.each([true, false])("of two bindings that replace each other one stays, deleted at once: %s", async (isAtOnce) => {
    const { mine, place, role, bind, run } = await owner();
    const both = [mine, await bind(place, (await role(own.owned)).uid)];
    const one = await run();
    const outcomes: PromiseSettledResult<void>[] = [];
    if (isAtOnce) outcomes.push(...(await Promise.allSettled(both.map((each) => each.remove(one)))));
    else for (const each of both) outcomes.push(...(await Promise.allSettled([each.remove(one)])));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await Promise.all(both.map((each) => each.exists()))).sort()).toEqual([false, true]);
  });

  test.each([
    ["the platform rejects counts", "INVALID_ARGUMENT", false],
    ["was lost does not count", "CONNECTION_LOST", true],
    ["is not proven does not count", "NOT_GONE", true],
    ["was lost, and forbidden when it was repeated, does not count", "PERMISSION_DENIED", true],
  ])("a binding whose DELETE %s as access again", async (_what, code, endsOwnAccess) => {
    let sent = 0;
    const { mine: failing, place, bind, run } = await owner();
    const below = await bind(await fixture.parent(place), "owner");
    const one = await run({ allowSelfLockout: true });
    fixture.proxy.interfere = ({ method, path }) => {
      if (method !== "DELETE" || !path.includes(failing.uid)) return undefined;
      if (code === "INVALID_ARGUMENT") return refusal(400, 3);
      if (code === "NOT_GONE") return notFound;
      return code === "CONNECTION_LOST" || sent++ === 0 ? "reset" : refusal(403, 7);
    };
    await expectFailure(failing.remove(one), code);
    expect(await isNeeded(await run({ allowSelfLockout: true }), below)).toBe(false);
    expect(await isNeeded(one, below)).toBe(endsOwnAccess);
  });

  test("a binding whose delete was cancelled before it was decided counts as access", async () => {
    const { mine, place, bind, run } = await owner();
    const other = await bind(place, "owner");
    const [held, ending] = [Promise.withResolvers<undefined>(), new AbortController()];
    const one = await run({ allowSelfLockout: true });
    fixture.proxy.interfere = on(
      ({ path }) => path.endsWith("/roleBindings"),
      () => {
        ending.abort();
        return held.promise;
      },
    );
    const cancelled = { waits: ending.signal, sent: ending.signal };
    const shared = { waits: new AbortController().signal, sent: new AbortController().signal };
    await expectFailure(
      interruptedBy({ ...cancelled, shared }, () => mine.remove(one)),
      "CALLER_ABORTED",
    );
    held.resolve(undefined);
    expect(await isNeeded(one, other)).toBe(false);
  });

  test("what does not affect the caller sends no extra request, but one List before the first binding goes", async () => {
    const { place, bind, run } = await owner();
    const other = await bind(place, "viewer", await fixture.identity());
    const child = await fixture.theirs(group, { parentUid: place });
    const one = await run();
    await fixture.platform.clearRequests();
    const asked = async () => (await fixture.platform.requests()).filter(({ query }) => /(^|&)identity=/.test(query));
    await child.remove(one);
    expect(await asked()).toEqual([]);
    await other.remove(one);
    expect(await asked()).toHaveLength(1);
  });

  describe.each([
    ["the bindings of the caller", "/roleBindings$"],
    ["the capabilities of a role", "/roles/"],
  ])("a binding, where %s cannot be read,", (_what, path) => {
    test.each([
      ["is rejected", 403, "SELF_LOCKOUT", []],
      ["or only for the moment, fails with the fault's own code, and nothing is sent", 500, "INTERNAL", ["Run again"]],
    ])("%s", async (_how, status, code, parts) => {
      const { place, bind, run } = await own.runner();
      const mine = await bind(place, "viewer");
      await bind(fixture.platform.root, "editor");
      await fixture.platform.fault({ method: "GET", path }, { status, code: status === 403 ? 7 : 13 }, { times: 0 });
      const removal = mine.remove(await run());
      const { message } = await expectFailure(
        removal,
        code,
        mine.uid,
        "of this run (",
        "cannot be read",
        "Nothing was sent",
        ...parts,
      );
      expect(message.includes("would end access")).toBe(code === "SELF_LOCKOUT");
      expect(await fixture.platform.writes()).toEqual([]);
    });
  });

  test("a binding that a List hides is rejected like one that it shows", async () => {
    const { place, bind, run } = await own.runner();
    const mine = await bind(place, await fixture.role(["CAP_IAM_ROLE_BINDINGS_DELETE"]));
    await own.expectRefused(mine.remove(await run()));
  });

  test("the only binding is deleted if that is allowed; whatever needs it fails and stays in state", async () => {
    const { mine, me, run } = await owner();
    await fixture.platform.settings({ denials: "hidden" });
    const one = await run({ allowSelfLockout: true });
    await mine.remove(one);
    expect(await mine.exists()).toBe(false);
    await expectFailure(me.remove(one), "NOT_GONE");
  });

  test("a role that is deleted at the same time waits for it, and not the other way round", async () => {
    const { place, bind, role, run } = await own.runner();
    const rights = ["GROUPS_LIST", "ROLES_LIST", "ROLES_DELETE", "ROLE_BINDINGS_LIST", "ROLE_BINDINGS_DELETE"];
    const kept = rights.map((right) => `CAP_IAM_${right}`);
    await bind(fixture.platform.root, await fixture.role(kept));
    const bound = await role([...kept, "CAP_IAM_GROUPS_UPDATE"]);
    const mine = await bind(place, bound.uid);
    const one = await run({ allowSelfLockout: true });
    await Promise.all([bound.remove(one), mine.remove(one)]);
    expect(await bound.exists()).toBe(false);
  });

  test("an unknown caller is protected by deletion proof alone", async () => {
    const { mine, uid } = await owner();
    const { token } = await fixture.as(uid);
    await expectFailure(mine.remove(fixture.run({ timing, token })), "NOT_GONE");
  });

  test("an own binding that is still visible after its DELETE is not deleted", async () => {
    const { place, bind, run } = await own.runner();
    const mine = await bind(place, "viewer");
    fixture.proxy.interfere = on(isDelete, instead(empty));
    await expectFailure(mine.remove(await run({ allowSelfLockout: true })), "WRONG_OBJECT", "still exists");
  });
});

describe("updating", () => {
  test.each<[string, () => Inputs | Promise<Inputs>]>([
    ["the role to a weaker one", () => ({ roleUid: own.roleUids.viewer })],
    ["the identity to another", async () => ({ identityUid: await fixture.identity() })],
  ])("%s is rejected, without the advice that only fits a delete", async (_what, change) => {
    const { mine, run } = await owner();
    await own.expectRefused(mine.update(await change(), await run()), otherBinding);
    const { message } = await expectFailure(mine.update(await change(), await run()), "SELF_LOCKOUT");
    for (const part of ["retainOnDelete", ...ofDestroy]) expect(message).not.toContain(part);
  });

  test("the role to a stronger one, or with another binding that gives as much, is sent", async () => {
    const { place, bind, run } = await own.runner();
    await bind(fixture.platform.root, "owner");
    const mine = await bind(place, "viewer");
    const one = await run();
    await mine.update({ roleUid: own.roleUids.editor }, one);
    await (await mine.refreshed(one)).update({ identityUid: await fixture.identity() }, one);
    expect(await fixture.platform.writes()).toHaveLength(2);
  });

  test("the claim match of the caller's identity is rejected where its login may no longer match; another binding would not help", async () => {
    const { uid, me, login, run } = await owner();
    const claimMatch = { ...login, subject: "somebody else" };
    for (const caller of [{ uid }, { uid, login }])
      await own.expectRefused(me.update({ claimMatch }, await run({ caller })), uid, "claimMatch");
    const one = await run();
    for (const work of [() => me.update({ claimMatch }, one), () => me.remove(one)])
      expect((await expectFailure(work(), "SELF_LOCKOUT")).message).not.toContain(otherBinding);
  });

  test("a claim match of the caller's identity that was widened by hand is repaired, since its login matches what is declared", async () => {
    const { uid, me, login, run } = await owner();
    await me.byHand({ claimMatch: { issuer: login.issuer, subjectPattern: ".*", subject: null } });
    const widened = await me.refreshed();
    await own.expectRefused(widened.update({}, await run()));
    await widened.update({}, await run({ caller: { uid, login } }));
    expect(await fixture.platform.writes()).toHaveLength(1);
  });

  const [whole, part] = [(subject: string) => `^${subject}$`, (subject: string) => subject.slice(0, 3)];
  test.each([
    ["matches its login", whole, {}, true],
    ["matches a part of its login", part, {}, false],
    ["matches its login, with an audience that it may not have", whole, { audiencePattern: "^x$" }, false],
    ["matches its login, with a claim that it may not have", whole, { claims: { ref: "x" } }, false],
  ])("a pattern for the caller's identity that %s", async (_what, patternOf, more, isSent) => {
    const { uid, me, login, run } = await owner();
    const claimMatch = { issuer: login.issuer, subjectPattern: patternOf(login.subject), ...more };
    const change = me.update({ claimMatch }, await run({ caller: { uid, login } }));
    if (isSent) await change;
    else await own.expectRefused(change, uid, "claimMatch");
    expect(await fixture.platform.writes()).toHaveLength(isSent ? 1 : 0);
  });

  test("name and description of the caller's identity are sent", async () => {
    const { me, run } = await owner();
    await me.update({ description: "the pipeline" }, await run());
    expect(await fixture.platform.writes()).toHaveLength(1);
  });

  test("capabilities of a role that the caller holds are rejected where they shrink", async () => {
    const { place, bind, role, run } = await own.runner();
    const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLES_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const held = await role(capabilities);
    await bind(place, held.uid);
    const fewer = { capabilities: capabilities.slice(0, 2) };
    await own.expectRefused(held.update(fewer, await run()), "CAP_IAM_ROLES_UPDATE");
    await held.update({ capabilities: [...capabilities, "CAP_IAM_GROUPS_UPDATE"] }, await run());
    await (await role(capabilities)).update(fewer, await run());
  });

  test("a fault while reading whether the caller holds a role keeps its code, and nothing is sent", async () => {
    const { role, run } = await own.runner();
    const held = await role(["CAP_IAM_GROUPS_LIST"]);
    await fixture.platform.fault({ method: "GET", path: "/roleBindings$" }, { status: 500, code: 13 }, { times: 0 });
    await expectFailure(held.update({ capabilities: ["CAP_IAM_ROLES_LIST"] }, await run()), "INTERNAL");
    expect(await fixture.platform.writes()).toEqual([]);
  });
});
