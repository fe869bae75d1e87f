import { check, checkAlone } from "../../provider/resources/object/check";
import { diff } from "../../provider/resources/object/diff";
import { update } from "../../provider/resources/object/update";
import { inSeconds } from "../../provider/schema/inputs";
import type { Inputs } from "../../provider/schema/kind";
import { notesIn } from "../support/notes";
import { declare, expectFailure, failureOf, groupInvite, ResourceFixture, subscription } from "../support/resource-fixture";
import { scratchFolder } from "../support/scratch-folder";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });
afterEach(() => fixture.platform.settings({ clockOffsetSeconds: 0, expiredInvites: "kept" }));

/** Declares an invite in this run. */
async function declared(more: Inputs, run = fixture.run()) {
  return declare(groupInvite, { ...(await fixture.inputs(groupInvite, String(more["parentUid"]))), ...more }, run);
}
const made = (more: Inputs = {}) => fixture.made(groupInvite, more);

test("an invite keeps the code of its create, and every change replaces it", async () => {
  const invite = await made({ email: "Jo@example.com" });
  const { inputs, outs } = invite;
  expect(outs).toMatchObject({ ...inputs, role: { name: "viewer" } });
  expect(typeof outs["code"] === "string" && outs["code"] !== "").toBe(true);
  expect((await invite.refreshed()).outs).toEqual(outs);
  for (const same of [{}, { email: "jo@example.com" }]) expect(invite.diff(same).changes).toBe(false);
  for (const more of [{ ttl: "60s" }, { singleUse: true }, { email: "x@example.com" }, { roleUid: "b" }, { parentUid: "c" }])
    expect(invite.diff(more)).toEqual({ changes: true, replaces: Object.keys(more), deleteBeforeReplace: false });
});

test.each([
  ["7d", "604800s", "8d"],
  ["12h", "43200s", "13h"],
  ["30m", "1800s", "31m"],
  ["2w", "14d", "15d"],
])("a ttl of %s is the same as %s, on the platform and in a diff, and not as %s", async (ttl, same, other) => {
  const invite = await made({ ttl });
  const { createTime, expirationTime } = invite.outs as { createTime: string; expirationTime: string };
  const seconds = (Date.parse(expirationTime) - Date.parse(createTime)) / 1_000;
  expect(`${Math.round(seconds)}s`).toBe(inSeconds(same));
  expect(invite.diff({ ttl: same }).changes).toBe(false);
  expect(invite.diff({ ttl: other })).toMatchObject({ changes: true, replaces: ["ttl"] });
});

test.each(["7 days", "7", "d", "-7d", "0d", "1.5d", "7D", "1y"])(
  "a ttl of %s is rejected, with the forms to use",
  async (ttl) => {
    const { failures } = checkAlone(groupInvite, {}, { ...(await fixture.inputs(groupInvite, "a/b")), ttl });
    expect(failures.map(({ reason }) => reason).join()).toContain('"7d", "12h", "30m" or "604800s"');
  },
);

describe("an invite that is gone", () => {
  test.each<[string, Inputs, boolean]>([
    ["accepted, for a single use", { singleUse: true }, true],
    ["accepted, for one person", { email: "jo@example.com" }, true],
  ])("because it was %s stays in state without a difference, and is announced", async (_how, more, isSettled) => {
    const invite = await made(more);
    await invite.deletedByHand();
    const { told, run } = fixture.told();
    const seen = await invite.refreshed(run);
    expect(seen.outs).toEqual(invite.outs);
    expect(seen.diff({}, run).changes).toBe(!isSettled);
    expect(told).toEqual([expect.stringContaining("no longer exists")]);
  });

  test("because it was accepted by a person stays in state", async () => {
    const invite = await made({ singleUse: true });
    const identity = await fixture.identity();
    await fixture.platform.admin("POST", "invite-acceptances", { code: invite.outs["code"], identity });
    expect((await invite.refreshed()).outs).toEqual(invite.outs);
  });

  test.each(["kept", "removed"])(
    "because it expired (and the platform's row is %s) is no drift, silently",
    async (expiredInvites) => {
      const invite = await made({ ttl: "60s" });
      await fixture.platform.settings({ clockOffsetSeconds: 120, expiredInvites });
      const { told, run } = fixture.told();
      const seen = await invite.refreshed(run);
      expect(seen.outs).toEqual(invite.outs);
      expect(seen.diff({}, run).changes).toBe(false);
      expect(told).toEqual([]);
    },
  );

  test("before it expired, and although anybody can use it again, was deleted by hand", async () => {
    const invite = await made();
    await invite.deletedByHand();
    expect(await invite.refresh()).toBeUndefined();
  });

  test("is destroyed without an error, and with nobody left who could use it", async () => {
    const invite = await made({ singleUse: true });
    await invite.deletedByHand();
    await invite.remove();
    expect(await fixture.children(groupInvite, invite.place)).toEqual([]);
  });
});

test("an imported invite is not replaced because its ttl is unknown, and nothing is sent", async () => {
  const { uid: id, inputs, outs } = await made();
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
    const error = await failureOf(declared({ parentUid, email: "jo@example.com" }));
    const [made, ...others] = await fixture.children(groupInvite, parentUid);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    for (const part of [made?.uid, made?.["keyId"], made?.["createTime"], "jo@example.com", "and with it code", "Delete"])
      expect(error.message).toContain(part);
    expect(error.message).not.toContain(made?.["code"]);
  });

  test("is told from an equal one that another resource of the program has, which the error does not ask to delete", async () => {
    const [parentUid, run] = [await fixture.parent(), fixture.run()];
    const { id: sibling } = await declared({ parentUid }, run);
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    const error = await failureOf(declared({ parentUid }, run));
    const made = (await fixture.children(groupInvite, parentUid)).find(({ uid }) => uid !== sibling);
    expect(error.message).toContain(`Delete ${made?.uid ?? "?"} on the platform`);
    expect(error.message).not.toContain(sibling);
  });

  test("is found by the next run too, which says so again until it is deleted", async () => {
    const [parentUid, folder] = [await fixture.parent(), scratchFolder()];
    const inProcess = (pid: number) => fixture.run({ notes: notesIn(folder, { pid }) });
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    await failureOf(declared({ parentUid }, inProcess(1)));
    const again = await failureOf(declared({ parentUid }, inProcess(2)));
    const [made, ...others] = await fixture.children(groupInvite, parentUid);
    expect(others).toEqual([]);
    expect(again.message).toContain(`Delete ${made?.uid ?? "?"}`);
    await fixture.platform.delete("groupInvites", made?.uid ?? "");
    const { outs } = await declared({ parentUid }, inProcess(3));
    expect(outs).toHaveProperty("code");
    expect(await fixture.children(groupInvite, parentUid)).toHaveLength(1);
  });

  test("because the request was lost is sent once more", async () => {
    const parentUid = await fixture.parent();
    await made();
    await fixture.platform.create("groupInvites", fixture.platform.root, { roleUid: fixture.viewer });
    await fixture.platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "before" });
    const { outs } = await declared({ parentUid });
    expect(outs).toHaveProperty("code");
    expect(await fixture.children(groupInvite, parentUid)).toHaveLength(1);
  });
});

test("two equal invites of one program are two invites", async () => {
  const run = fixture.run();
  const parentUid = await fixture.parent();
  const [one, other] = [await declared({ parentUid }, run), await declared({ parentUid }, run)];
  expect(one.id).not.toBe(other.id);
  expect(one.outs["code"]).not.toBe(other.outs["code"]);
});

test("an invite is checked before anything is sent", () => {
  const reasons = (more: Inputs) =>
    check(
      { kind: groupInvite, olds: {}, news: { parentUid: "a", roleUid: "b", ttl: "60s", ...more } },
      fixture.run(),
    ).failures.map(({ reason }) => reason);
  for (const ttl of ["1 h", "60", "0s", "-1s"]) expect(reasons({ ttl })[0]).toContain("ttl must be");
  for (const ttl of ["60s", "0.5s", "0.25s"]) expect(reasons({ ttl })).toEqual([]);
  expect(reasons({ email: "jo" })).toEqual(['email "jo" is not an e-mail address']);
  expect(reasons({ adopt: true })[0]).toContain("adopt cannot be used");
  expect(reasons({ adopt: false })).toEqual([]);
});

describe("a subscription", () => {
  const sinkIn = async () => ({ parentUid: await fixture.parent(), sink: "https://events.example/a" });

  test("whose create was applied and not answered is taken back, for no other had this sink right before", async () => {
    const inputs = await sinkIn();
    await fixture.platform.fault({ method: "POST", path: "/subscriptions/" }, { reset: "after" });
    const { id, outs } = await declare(subscription, inputs, fixture.run());
    expect(outs).toEqual(inputs);
    expect(await fixture.children(subscription, inputs.parentUid)).toMatchObject([{ uid: id }]);
  });

  test("with a sink that another one has is refused, or adopted if the program says so", async () => {
    const inputs = await sinkIn();
    const theirs = await fixture.colleague(subscription, inputs);
    await expectFailure(declare(subscription, inputs, fixture.run()), "KEY_TAKEN", theirs.uid);
    expect((await declare(subscription, { ...inputs, adopt: true }, fixture.run())).id).toBe(theirs.uid);
    expect(await fixture.children(subscription, inputs.parentUid)).toHaveLength(1);
  });

  test("takes an https URL only, and the message does not show it", () => {
    for (const sink of ["http://events.example", "https://user:secret@events.example", "events"]) {
      const { failures } = check({ kind: subscription, olds: {}, news: { parentUid: "a", sink } }, fixture.run());
      expect(failures).toEqual([{ property: "sink", reason: "sink must be an https URL without user or fragment" }]);
    }
  });
});
