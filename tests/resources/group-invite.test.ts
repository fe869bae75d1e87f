import { check } from "../../provider/resources/object/check";
import { remove } from "../../provider/resources/object/delete";
import { diff } from "../../provider/resources/object/diff";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import type { Inputs } from "../../provider/schema/kind";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { notesIn } from "../support/notes";
import { declare, expectFailure, failureOf, groupInvite, ResourceFixture, subscription } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "invites-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => fixture.platform.settings({ clockOffsetSeconds: 0, expiredInvites: "kept" }));

async function anInvite(more: Inputs = {}, run = fixture.run()) {
  const inputs = { parentUid: await fixture.parent(), roleUid: fixture.viewer, ttl: "3600s", ...more };
  return { run, inputs, ...(await declare(groupInvite, inputs, run)) };
}

/** A run, and what it tells the user. */
function told() {
  const notices: string[] = [];
  return { notices, run: fixture.run({ notify: (notice) => notices.push(notice) }) };
}

test("an invite keeps the code of its create, and every change replaces it", async () => {
  const { id, inputs, outs } = await anInvite({ email: "Jo@example.com" });
  expect(outs).toMatchObject({ ...inputs, role: { name: "viewer" } });
  expect(typeof outs["code"] === "string" && outs["code"] !== "").toBe(true);
  const seen = await refresh(groupInvite, id, outs, fixture.run());
  expect(seen?.props).toEqual(outs);
  const changesTo = (more: Inputs) =>
    diff({ kind: groupInvite, uid: id, olds: outs, news: { ...inputs, ...more } }, fixture.run());
  expect(changesTo({}).changes).toBe(false);
  expect(changesTo({ email: "jo@example.com" }).changes).toBe(false);
  for (const more of [{ ttl: "60s" }, { singleUse: true }, { email: "x@example.com" }, { roleUid: "b" }, { parentUid: "c" }])
    expect(changesTo(more)).toEqual({ changes: true, replaces: Object.keys(more), deleteBeforeReplace: false });
});

describe("an invite that is gone", () => {
  test.each<[string, Inputs, boolean]>([
    ["accepted, for a single use", { singleUse: true }, true],
    ["accepted, for one person", { email: "jo@example.com" }, true],
  ])("because it was %s stays in state without a difference, and is announced", async (_how, more, isSettled) => {
    const { id, inputs, outs } = await anInvite(more);
    await fixture.platform.delete("groupInvites", id);
    const { notices, run } = told();
    const seen = await refresh(groupInvite, id, outs, run);
    expect(seen?.props).toEqual(outs);
    expect(diff({ kind: groupInvite, uid: id, olds: seen?.props ?? {}, news: inputs }, run).changes).toBe(!isSettled);
    expect(notices).toEqual([expect.stringContaining("no longer exists: it was used, or deleted by hand")]);
  });

  test("because it was accepted by a person stays in state", async () => {
    const { id, outs } = await anInvite({ singleUse: true });
    const identity = await fixture.identity();
    await fixture.platform.admin("POST", "invite-acceptances", { code: outs["code"], identity });
    expect((await refresh(groupInvite, id, outs, fixture.run()))?.props).toEqual(outs);
  });

  test.each(["kept", "removed"])(
    "because it expired (and the platform's row is %s) is no drift, silently",
    async (expiredInvites) => {
      const { id, inputs, outs } = await anInvite({ ttl: "60s" });
      await fixture.platform.settings({ clockOffsetSeconds: 120, expiredInvites });
      const { notices, run } = told();
      const seen = await refresh(groupInvite, id, outs, run);
      expect(seen?.props).toEqual(outs);
      expect(diff({ kind: groupInvite, uid: id, olds: seen?.props ?? {}, news: inputs }, run).changes).toBe(false);
      expect(notices).toEqual([]);
    },
  );

  test("before it expired, and although anybody can use it again, was deleted by hand", async () => {
    const { id, outs } = await anInvite();
    await fixture.platform.delete("groupInvites", id);
    expect(await refresh(groupInvite, id, outs, fixture.run())).toBeUndefined();
  });

  test("is destroyed without an error, and with nobody left who could use it", async () => {
    const { id, inputs, outs } = await anInvite({ singleUse: true });
    await fixture.platform.delete("groupInvites", id);
    await remove(groupInvite, id, outs, fixture.run());
    expect(await fixture.children(groupInvite, inputs.parentUid)).toEqual([]);
  });
});

test("an imported invite is not replaced because its ttl is unknown, and nothing is sent", async () => {
  const { id, inputs, outs } = await anInvite();
  const { ttl: _, code: __, ...imported } = outs;
  expect(diff({ kind: groupInvite, uid: id, olds: imported, news: inputs }, fixture.run())).toMatchObject({
    changes: true,
    replaces: [],
  });
  await fixture.platform.clearRequests();
  const after = await update({ kind: groupInvite, uid: id, olds: imported, news: inputs }, fixture.run());
  expect(after).toMatchObject({ ttl: "3600s" });
  expect(await fixture.platform.writes()).toEqual([]);
  expect(diff({ kind: groupInvite, uid: id, olds: after, news: inputs }, fixture.run()).changes).toBe(false);
});

describe("an invite whose create was applied and not answered", () => {
  test("is not taken, since its code is lost; the error says which one to delete, and no second one is made", async () => {
    const parentUid = await fixture.parent();
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    const error = await failureOf(anInvite({ parentUid, email: "jo@example.com" }));
    const [made, ...others] = await fixture.children(groupInvite, parentUid);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    for (const part of [made?.uid, made?.["keyId"], made?.["createTime"], "jo@example.com", "and with it code", "Delete"])
      expect(error.message).toContain(part);
    expect(error.message).not.toContain(made?.["code"]);
  });

  test("is told from an equal one that another resource of the program has, which the error does not ask to delete", async () => {
    const [parentUid, run] = [await fixture.parent(), fixture.run()];
    const { id: sibling } = await anInvite({ parentUid }, run);
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    const error = await failureOf(anInvite({ parentUid }, run));
    const made = (await fixture.children(groupInvite, parentUid)).find(({ uid }) => uid !== sibling);
    expect(error.message).toContain(`Delete ${made?.uid ?? "?"} on the platform`);
    expect(error.message).not.toContain(sibling);
  });

  test("is found by the next run too, which says so again until it is deleted", async () => {
    const parentUid = await fixture.parent();
    const inProcess = (pid: number) => fixture.run({ notes: notesIn(folder, { pid }) });
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    await failureOf(anInvite({ parentUid }, inProcess(1)));
    const again = await failureOf(anInvite({ parentUid }, inProcess(2)));
    const [made, ...others] = await fixture.children(groupInvite, parentUid);
    expect(others).toEqual([]);
    expect(again.message).toContain(`Delete ${made?.uid ?? "?"}`);
    await fixture.platform.delete("groupInvites", made?.uid ?? "");
    const { outs } = await anInvite({ parentUid }, inProcess(3));
    expect(outs).toHaveProperty("code");
    expect(await fixture.children(groupInvite, parentUid)).toHaveLength(1);
  });

  test("because the request was lost is sent once more", async () => {
    const parentUid = await fixture.parent();
    await anInvite();
    await fixture.platform.create("groupInvites", fixture.platform.root, { roleUid: fixture.viewer });
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "before" });
    const { outs } = await anInvite({ parentUid });
    expect(outs).toHaveProperty("code");
    expect(await fixture.children(groupInvite, parentUid)).toHaveLength(1);
  });
});

test("two equal invites of one program are two invites", async () => {
  const run = fixture.run();
  const parentUid = await fixture.parent();
  const [one, other] = [await anInvite({ parentUid }, run), await anInvite({ parentUid }, run)];
  expect(one.id).not.toBe(other.id);
  expect(one.outs["code"]).not.toBe(other.outs["code"]);
});

test("an invite is checked before anything is sent", () => {
  const reasons = (more: Inputs) =>
    check(groupInvite, {}, { parentUid: "a", roleUid: "b", ttl: "60s", ...more }, fixture.run()).failures.map(
      ({ reason }) => reason,
    );
  for (const ttl of ["1h", "60", "0s", "-1s"]) expect(reasons({ ttl })[0]).toContain("ttl must be a number of seconds with an s");
  for (const ttl of ["60s", "0.5s", "0.25s"]) expect(reasons({ ttl })).toEqual([]);
  expect(reasons({ email: "jo" })).toEqual(['email "jo" is not an e-mail address']);
  expect(reasons({ adopt: true })[0]).toContain("adopt cannot be used: a group invite has no natural key");
  expect(reasons({ adopt: false })).toEqual([]);
});

describe("a subscription", () => {
  const declared = async () => ({ parentUid: await fixture.parent(), sink: "https://events.example/a" });

  test("whose create was applied and not answered is taken back, for no other had this sink right before", async () => {
    const inputs = await declared();
    await fixture.platform.fault({ method: "POST", path: "/subscriptions/" }, { reset: "after" });
    const { id, outs } = await declare(subscription, inputs, fixture.run());
    expect(outs).toEqual(inputs);
    expect(await fixture.children(subscription, inputs.parentUid)).toMatchObject([{ uid: id }]);
  });

  test("with a sink that another one has is refused, or adopted if the program says so", async () => {
    const inputs = await declared();
    const theirs = await fixture.colleague(subscription, inputs);
    await expectFailure(declare(subscription, inputs, fixture.run()), "KEY_TAKEN", theirs.uid);
    expect((await declare(subscription, { ...inputs, adopt: true }, fixture.run())).id).toBe(theirs.uid);
    expect(await fixture.children(subscription, inputs.parentUid)).toHaveLength(1);
  });

  test("takes an https URL only, and the message does not show it", () => {
    for (const sink of ["http://events.example", "https://user:secret@events.example", "events"]) {
      const { failures } = check(subscription, {}, { parentUid: "a", sink }, fixture.run());
      expect(failures).toEqual([{ property: "sink", reason: "sink must be an https URL without user or fragment" }]);
    }
  });
});
