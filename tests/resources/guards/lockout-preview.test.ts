import { dynamically, dynamicProvider } from "../../../provider/host/dynamic";
import { lifeOf } from "../../../provider/resources/object/life";
import { openRun } from "../../../provider/host/session";
import { groupAccess } from "../../../provider/kinds/group-access";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs } from "../../../provider/schema/kind";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import type { Run } from "../../../provider/resources/run/run";
import { refusal } from "../../support/interference";
import { OwnAccess } from "../../support/own-access";
import { type Resource, ResourceFixture, type RunOptions } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const own = OwnAccess.forFile(fixture);

/** A caller that owns its group, the run of a preview of its program, and what that tells the user. */
async function previewed(options: RunOptions = {}) {
  const one = await own.runner();
  const mine = await one.bind(one.place, "owner");
  const told: string[] = [];
  const { client } = await one.run();
  const run = await one.run({ preview: { client, caller: one.uid }, notify: (message) => told.push(message), ...options });
  await fixture.platform.clearRequests();
  return { ...one, mine, told, preview: run };
}

/** Compares with the state, as the engine does. */
async function diff(run: Run, { kind, uid, outs }: Pick<Resource, "kind" | "uid" | "outs">, news: Inputs) {
  const life = kind.name === "GroupAccess" ? groupAccessLife : lifeOf(kind);
  return dynamically(life, () => run).diff(uid, outs, news);
}

/** Checks and compares, as the engine does for a resource in state. */
async function compare(run: Run, known: Pick<Resource, "kind" | "uid" | "outs">, change: Inputs) {
  const news = { ...known.outs, ...change };
  const { inputs, failures } = await dynamicProvider(known.kind, () => run).check(known.outs, news);
  expect(failures).toEqual([]);
  return diff(run, known, inputs);
}

/** Expects that `told` is one warning with `parts`. */
function expectOne(told: readonly string[], ...parts: string[]): void {
  expect(told).toEqual([expect.stringMatching(/^warning: /)]);
  for (const part of parts) expect(told[0]).toContain(part);
}

async function expectSilence(told: readonly string[]): Promise<void> {
  expect([told, await fixture.platform.requests()]).toEqual([[], []]);
}

describe("a preview warns once, and sends what the update would send to find out, of", () => {
  test.each<[string, () => Inputs | Promise<Inputs>, string]>([
    ["a weaker role of the caller's binding", () => ({ roleUid: own.roleUids.viewer }), "update"],
    ["a weaker role by name", () => ({ roleUid: undefined, roleName: "viewer" }), "update"],
    ["another identity in it", async () => ({ identityUid: await fixture.identity() }), "update"],
    ["another group of it", async () => ({ parentUid: await fixture.parent() }), "replace"],
  ])("%s", async (_what, change, verb) => {
    const { place, mine, told, preview } = await previewed();
    const changed = await change();
    await fixture.platform.clearRequests();
    await compare(preview, mine, changed);
    expect((await fixture.asked("GET", "/roleBindings")).length).toBe(1);
    await diff(preview, mine, { ...mine.inputs, ...changed });
    expectOne(told, `${verb} role binding`, mine.uid, "CAP_", place, "SELF_LOCKOUT", "another role binding first");
    expect(told.join()).not.toContain("Nothing was sent");
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("a new login and a replacement of the caller's identity", async () => {
    const { uid, me, login, told, preview } = await previewed();
    await compare(preview, me, { claimMatch: { ...login, subject: "somebody else" } });
    expectOne(told, "update identity", uid, "claimMatch", "SELF_LOCKOUT", "Use another identity");
    await compare(preview, me, { parentUid: fixture.platform.root });
    expectOne(told.slice(1), "replace identity", uid, "SELF_LOCKOUT");
    // The new parent is looked up.
    expect((await fixture.asked("GET")).filter((path) => !path.endsWith("/groups"))).toEqual([]);
  });

  test("fewer capabilities of a role that the caller holds, by whichever stack", async () => {
    const one = await own.runner();
    const held = await one.role(["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"]);
    await one.bind(one.place, held.uid);
    const { client } = await one.run();
    const { told, run } = fixture.told({ ...(await fixture.as(one.uid)), preview: { client, caller: one.uid } });
    const fewer = { capabilities: ["CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"] };
    await compare(run, held, fewer);
    expectOne(told, "update role", held.uid, "CAP_IAM_GROUPS_LIST", one.place, "SELF_LOCKOUT");
  });

  test("the second of two bindings that replace each other, and an update in the same process is decided anew", async () => {
    const { place, mine: first, bind, told, preview } = await previewed();
    const second = await bind(place, "owner");
    await compare(preview, first, { roleUid: own.roleUids.viewer });
    expect(told).toEqual([]);
    await compare(preview, second, { roleUid: own.roleUids.editor });
    expectOne(told, second.uid, "SELF_LOCKOUT");
    // In the other order: nothing that the preview has permitted or rejected counts.
    await second.update({ roleUid: own.roleUids.editor }, preview);
    await own.expectRefused(first.update({ roleUid: own.roleUids.viewer }, preview));
  });

  test.each<[string, string, Inputs]>([
    ["", "owner", {}],
    ["beside others", "owner", { others: "keep" }],
    ["if it no longer manages the role", "viewer", { roles: ["viewer"] }],
  ])("a member of a GroupAccess that is the caller, %s", async (_what, role, more) => {
    const { place, uid, mine, told, preview } = await previewed();
    const access = { owner: { me: uid } };
    const outs = { parentUid: place, access, roleUids: { owner: own.roleUids.owner }, bindings: { owner: { me: mine.uid } } };
    const { inputs } = await dynamicProvider(groupAccess, () => preview).check(
      {},
      { parentUid: place, access: { [role]: { other: await fixture.identity() } }, ...more },
    );
    await diff(preview, { kind: groupAccess, uid: place, outs }, inputs);
    expectOne(told, mine.uid, "CAP_", "SELF_LOCKOUT", "In a GroupAccess", "`access`");
  });
});

describe("a preview says nothing, and sends nothing,", () => {
  test("in its refresh, which compares the state", async () => {
    const { mine, told, preview } = await previewed();
    await diff(preview, mine, { ...mine.inputs, roleUid: own.roleUids.viewer });
    await expectSilence(told);
  });

  test.each<[string, () => Inputs]>([
    ["of a role that is not known yet", () => ({ roleUid: unknownValue })],
    ["of a binding that does not change", () => ({})],
    ["of a change in the update, which is rejected there", () => ({ roleUid: own.roleUids.viewer, __isUpdate: true })],
  ])("%s", async (_what, change) => {
    const { mine, told, preview } = await previewed();
    await compare(preview, mine, change());
    await expectSilence(told);
  });

  test("of a binding of somebody else", async () => {
    const { mine, told, preview } = await previewed();
    const outs = { ...mine.inputs, identityUid: await fixture.identity() };
    await fixture.platform.clearRequests();
    await compare(preview, { kind: mine.kind, uid: mine.uid, outs }, { roleUid: own.roleUids.viewer });
    await expectSilence(told);
  });
});

test("a preview asks once about a role that the caller does not hold, and says nothing", async () => {
  const { role: custom, told, preview } = await previewed();
  const other = await custom(["CAP_IAM_GROUPS_LIST"]);
  await fixture.platform.clearRequests();
  await compare(preview, other, { capabilities: ["CAP_IAM_ROLES_LIST"] });
  expect(told).toEqual([]);
  expect(await fixture.asked("GET", "")).toHaveLength(1);
});

test("a preview says nothing where another binding gives as much", async () => {
  const { mine, bind, told, preview } = await previewed();
  await bind(fixture.platform.root, "owner");
  await compare(preview, mine, { roleUid: own.roleUids.viewer });
  expect(told).toEqual([]);
});

test("with PLATFORM_ALLOW_SELF_LOCKOUT, the preview says that the change will be sent", async () => {
  const { mine, told, preview } = await previewed({ allowSelfLockout: true });
  await compare(preview, mine, { roleUid: own.roleUids.viewer });
  expectOne(told, mine.uid, "PLATFORM_ALLOW_SELF_LOCKOUT is set");
});

test.each([
  ["is away", "reset", "once"],
  ["is overloaded", refusal(503, 14), "once"],
  ["refuses", refusal(403, 7), "for each"],
] as const)("a preview passes in silence where the platform %s, after one attempt", async (_what, answer, isAsked) => {
  const { uid, mine } = await previewed();
  const { token } = await fixture.as(uid);
  const run = openRun({}, { PLATFORM_BASE_URL: fixture.proxy.baseUrl, PLATFORM_TOKEN: token, PLATFORM_IDENTITY: uid });
  let sent = 0;
  fixture.proxy.interfere = () => {
    sent++;
    return answer;
  };
  expect((await compare(run, mine, { roleUid: own.roleUids.viewer })).changes).toBe(true);
  expect(sent).toBe(1);
  await diff(run, mine, { ...mine.inputs, roleUid: own.roleUids.viewer });
  expect(sent).toBe(isAsked === "once" ? 1 : 2);
});
