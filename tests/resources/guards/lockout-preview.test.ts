import { dynamicProvider } from "../../../provider/host/dynamic";
import { openRun } from "../../../provider/host/session";
import { groupAccess } from "../../../provider/kinds/group-access";
import { unknownValue } from "../../../provider/kinds/inputs";
import type { Inputs, Kind } from "../../../provider/kinds/kind";
import { role } from "../../../provider/kinds/role";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import type { Run } from "../../../provider/resources/run";
import { update } from "../../../provider/resources/update";
import { json } from "../../support/fault-proxy";
import { type ExpectRefused, ownAccess, type RoleUids, type Runner } from "../../support/own-access";
import { identity, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let roleUids: RoleUids;
let runner: () => Promise<Runner>;
let expectRefused: ExpectRefused;

beforeAll(async () => {
  ({ roleUids, runner, expectRefused } = await ownAccess(fixture));
});

/** The run of a preview, and what it tells the user. */
async function preview({ uid, run }: Runner, options: Parameters<Runner["run"]>[0] = {}) {
  const told: string[] = [];
  const { client } = await run();
  const one = await run({ preview: { client, caller: uid }, notify: (message) => told.push(message), ...options });
  return { told, run: one };
}

/** Compares with the state, as the engine does. */
async function diff(run: Run, kind: Kind, uid: string, olds: Inputs, news: Inputs) {
  const life = kind.name === "GroupAccess" ? groupAccessLife : undefined;
  return dynamicProvider(kind, () => run, life).diff(uid, olds, news);
}

/** Checks and compares, as the engine does for a resource in state. */
async function compare(run: Run, kind: Kind, uid: string, olds: Inputs, news: Inputs) {
  const { inputs, failures } = await dynamicProvider(kind, () => run).check(olds, news);
  expect(failures).toEqual([]);
  return diff(run, kind, uid, olds, inputs);
}

const requests = async () => (await fixture.platform.requests()).map(({ method, path }) => `${method} ${path}`);

/** Expects that `told` is one warning with `parts`. */
function expectOne(told: readonly string[], ...parts: string[]): void {
  expect(told).toHaveLength(1);
  const [warning = ""] = told;
  expect(warning).toMatch(/^warning: /);
  for (const part of parts) expect(warning).toContain(part);
}

describe("a preview warns once, and sends what the update would send to find out, of", () => {
  const changes: [string, (runner: Runner) => Inputs | Promise<Inputs>, string][] = [
    ["a weaker role of the caller's binding", () => ({ roleUid: roleUids.viewer }), "update"],
    ["a weaker role by name", () => ({ roleUid: undefined, roleName: "viewer" }), "update"],
    ["another identity in it", async () => ({ identityUid: await fixture.identity() }), "update"],
    ["another group of it", async () => ({ parentUid: await fixture.parent() }), "replace"],
  ];
  test.each(changes)("%s", async (_what, change, verb) => {
    const one = await runner();
    const own = await one.bind(one.place, "owner");
    const { told, run } = await preview(one);
    const changed = await change(one);
    await fixture.platform.clearRequests();
    const news = { ...own.state, ...changed };
    await compare(run, roleBinding, own.uid, own.state, news);
    expect((await fixture.asked("GET", "/roleBindings")).length).toBe(1);
    await diff(run, roleBinding, own.uid, own.state, news);
    expectOne(
      told,
      `${verb} role binding`,
      own.uid,
      "CAP_",
      one.place,
      "`pulumi up` rejects it with SELF_LOCKOUT",
      "another role binding first",
    );
    expect(told.join()).not.toContain("Nothing was sent");
    expect((await requests()).filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  test("a new login and a replacement of the caller's identity", async () => {
    const one = await runner();
    await one.bind(one.place, "owner");
    const { told, run } = await preview(one);
    const claimMatch = { ...one.claimMatch, subject: "somebody else" };
    await fixture.platform.clearRequests();
    await compare(run, identity, one.uid, one.inputs, { ...one.inputs, claimMatch });
    expectOne(told, "update identity", one.uid, "claimMatch", "SELF_LOCKOUT", "use another identity");
    await compare(run, identity, one.uid, one.inputs, { ...one.inputs, parentUid: fixture.platform.root });
    expectOne(told.slice(1), "replace identity", one.uid, "SELF_LOCKOUT");
    expect(await requests()).toEqual([]);
  });

  test.each([true, false])("fewer capabilities of a role that the caller holds by the state; role first: %s", async (isFirst) => {
    const one = await runner();
    const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const inputs = { parentUid: one.place, name: fixture.name("role"), capabilities };
    const { uid } = await fixture.platform.create("roles", one.place, { name: inputs.name, capabilities });
    const own = await one.bind(one.place, { uid });
    const { told, run } = await preview(one);
    const steps = [
      () => compare(run, role, uid, inputs, { ...inputs, capabilities: capabilities.slice(1) }),
      () => compare(run, roleBinding, own.uid, own.state, own.state),
    ];
    for (const step of isFirst ? steps : steps.toReversed()) await step();
    expectOne(told, "update role", uid, "CAP_IAM_GROUPS_LIST", one.place, "SELF_LOCKOUT");
  });

  test("the second of two bindings that replace each other, and an update in the same process is decided anew", async () => {
    const one = await runner();
    const [first, second] = [await one.bind(one.place, "owner"), await one.bind(one.place, "owner")];
    const { told, run } = await preview(one);
    const viewer = { ...first.state, roleUid: roleUids.viewer };
    const editor = { ...second.state, roleUid: roleUids.editor };
    await compare(run, roleBinding, first.uid, first.state, viewer);
    expect(told).toEqual([]);
    await compare(run, roleBinding, second.uid, second.state, editor);
    expectOne(told, second.uid, "SELF_LOCKOUT");
    // In the other order: nothing that the preview has permitted or rejected counts.
    await update(roleBinding, second.uid, second.state, editor, run);
    await expectRefused(update(roleBinding, first.uid, first.state, viewer, run));
  });

  test("a member of a GroupAccess that is the caller", async () => {
    const one = await runner();
    const own = await one.bind(one.place, "owner");
    const { told, run } = await preview(one);
    const inputs = { parentUid: one.place, access: { owner: { me: one.uid } } };
    const olds = { ...inputs, roleUids: { owner: roleUids.owner }, bindings: { owner: { me: own.uid } } };
    await compare(run, groupAccess, one.place, olds, {
      ...inputs,
      access: { owner: { other: await fixture.identity() } },
    });
    expectOne(told, own.uid, "CAP_", "SELF_LOCKOUT", "In a GroupAccess: list this member in `access`");
  });
});

describe("a preview says nothing, and sends nothing,", () => {
  test("in its refresh, which compares the state", async () => {
    const one = await runner();
    const own = await one.bind(one.place, "owner");
    const { told, run } = await preview(one);
    await fixture.platform.clearRequests();
    await diff(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer });
    expect(told).toEqual([]);
    expect(await requests()).toEqual([]);
  });

  test.each([
    [
      "of a binding of somebody else",
      async () => ({ identityUid: await fixture.identity() }),
      () => ({ roleUid: roleUids.viewer }),
    ],
    ["of a role that is not known yet", () => ({}), () => ({ roleUid: unknownValue })],
    ["of a binding that does not change", () => ({}), () => ({})],
  ] as [string, () => Inputs | Promise<Inputs>, () => Inputs][])("%s", async (_what, state, change) => {
    const one = await runner();
    const own = await one.bind(one.place, "owner");
    const olds = { ...own.state, ...(await state()) };
    const { told, run } = await preview(one);
    await fixture.platform.clearRequests();
    await compare(run, roleBinding, own.uid, olds, { ...olds, ...change() });
    expect(told).toEqual([]);
    expect(await requests()).toEqual([]);
  });

  test("of a change in the update, which is rejected there", async () => {
    const one = await runner();
    const own = await one.bind(one.place, "owner");
    const { told, run } = await preview(one);
    await fixture.platform.clearRequests();
    await compare(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer, __isUpdate: true });
    expect(told).toEqual([]);
    expect(await requests()).toEqual([]);
  });

  test("of a role that no binding in the state gives the caller", async () => {
    const { run, told } = await preview(await runner());
    const inputs = { parentUid: fixture.platform.root, name: "custom", capabilities: ["CAP_IAM_GROUPS_LIST"] };
    await fixture.platform.clearRequests();
    await compare(run, role, `${fixture.platform.root}/custom`, inputs, { ...inputs, capabilities: ["CAP_IAM_ROLES_LIST"] });
    expect(told).toEqual([]);
    expect(await requests()).toEqual([]);
  });
});

test("a preview says nothing where another binding gives as much", async () => {
  const one = await runner();
  await one.bind(fixture.platform.root, "owner");
  const own = await one.bind(one.place, "owner");
  const { told, run } = await preview(one);
  await compare(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer });
  expect(told).toEqual([]);
});

test("with PLATFORM_ALLOW_SELF_LOCKOUT, the preview says that the change will be sent", async () => {
  const one = await runner();
  const own = await one.bind(one.place, "owner");
  const { told, run } = await preview(one, { allowSelfLockout: true });
  await compare(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer });
  expectOne(told, own.uid, "PLATFORM_ALLOW_SELF_LOCKOUT is set, so `pulumi up` sends it");
});

test.each([
  ["is away", () => "reset" as const, "once"],
  ["is overloaded", () => json(503, { code: 14, message: "later" }), "once"],
  ["refuses", () => json(403, { code: 7, message: "denied" }), "for each"],
])("a preview passes in silence where the platform %s, after one attempt", async (_what, answer, isAsked) => {
  const { place, uid, bind } = await runner();
  const own = await bind(place, "owner");
  const token = await fixture.platform.apiToken({ identity: uid });
  const run = openRun({}, { PLATFORM_BASE_URL: fixture.proxy.baseUrl, PLATFORM_TOKEN: token, PLATFORM_IDENTITY: uid });
  let sent = 0;
  fixture.proxy.interfere = () => {
    sent++;
    return answer();
  };
  const { changes } = await compare(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer });
  expect(changes).toBe(true);
  expect(sent).toBe(1);
  await diff(run, roleBinding, own.uid, own.state, { ...own.state, roleUid: roleUids.viewer });
  expect(sent).toBe(isAsked === "once" ? 1 : 2);
});
