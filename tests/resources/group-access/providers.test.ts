import { dynamicProvider } from "../../../provider/host/dynamic";
import { companionsArgument } from "../../../provider/schema/inputs";
import type { Inputs } from "../../../provider/schema/kind";
import { Facts } from "../../../provider/resources/ledger/facts";
import { Journal } from "../../../provider/resources/ledger/journal";
import type { Run } from "../../../provider/resources/run/run";
import { AccessFixture, accessProvider, type AccessStack } from "../../support/access-fixture";
import { declare, expectFailure, roleBinding } from "../../support/resource-fixture";
import { scratchFolder } from "../../support/scratch-folder";

const access = AccessFixture.forFile();
let folder: string;
let pid: number;
beforeEach(async () => {
  await access.fixture.reset();
  folder = scratchFolder();
  pid = 0;
});

/** The run of another provider of the same program: a process of its own. */
function process(notify?: (message: string) => void): Run {
  const journal = new Journal({ folder, engine: "127.0.0.1:1", pid: ++pid, stateOf: () => "running" });
  return access.fixture.run({ facts: new Facts("platform", journal), ...(notify && { notify }) });
}

/** What the classes pass: the number of this resource, and which others give access in the group. */
const beside = (id: number, ...others: number[]) => ({
  [companionsArgument]: { id, others: others.map((other) => ({ id: other, name: `RoleBinding "${other}"` })) },
});

/** Checks and updates the access, as a process does, after all that `meanwhile` does. */
async function changed(stack: AccessStack, declared: Parameters<AccessFixture["inputs"]>[1], run: Run, companions: Inputs) {
  const provider = accessProvider(run);
  const news = { ...(await access.inputs(stack.groupUid, declared)), ...companions };
  const { inputs, failures } = await provider.check(stack.state?.inputs ?? {}, news);
  expect(failures).toEqual([]);
  expect(Object.keys(inputs)).not.toContain(companionsArgument);
  const { id = "", outputs = {} } = stack.state ?? {};
  return provider.update(id, outputs, inputs);
}

/** The bindings in the group, and the DELETE requests. */
async function outcome(stack: AccessStack) {
  return { members: await stack.members(), deletes: await access.fixture.asked("DELETE") };
}

test("roles that move to a GroupAccess of another provider are never removed, however late that one comes", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  const before = await access.bindings(stack.groupUid);
  await access.platform.clearRequests();
  const [one, other] = [process(), process()];
  const leaving = changed(stack, { access: { viewer: ["max"] }, roles: ["viewer"] }, one, beside(0, 1));
  // The process of the other provider is still starting: the removal waits for its check.
  await access.fixture.clock.sleep(1_000);
  const provider = accessProvider(other);
  const { inputs } = await provider.check(
    {},
    {
      ...(await access.inputs(stack.groupUid, { access: { owner: ["zoe"] }, roles: ["owner"] })),
      ...beside(1, 0),
    },
  );
  await provider.create(inputs);
  const { outs } = await leaving;
  expect(outs["access"]).toEqual({ viewer: { max: await access.person("max") } });
  expect(await access.bindings(stack.groupUid)).toEqual(before);
  expect(await access.platform.writes()).toEqual([]);
});

test.each([
  ["roleUid", () => access.roles.get("owner")],
  ["roleName", () => "owner"],
])("a role that moves to a RoleBinding of another provider, by %s, is never removed", async (field, role) => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  const [one, other] = [process(), process()];
  const leaving = changed(stack, { access: { viewer: ["max"] }, roles: ["viewer"] }, one, beside(0, 1));
  const provider = dynamicProvider(roleBinding, () => other);
  const news = {
    parentUid: stack.groupUid,
    identityUid: await access.person("zoe"),
    [field]: role(),
    adopt: true,
    __isUpdate: true,
  };
  const { inputs, failures } = await provider.check({}, { ...news, ...beside(1, 0) });
  expect(failures).toEqual([]);
  await provider.create(inputs);
  await leaving;
  expect(await access.platform.writes()).toEqual([]);
  expect(await outcome(stack)).toMatchObject({ members: ["max viewer", "zoe owner"] });
});

test("a removal that waits for the check of another resource says for which, and goes on once it has come", async () => {
  const stack = await access.brought({ access: { viewer: ["zoe", "max"] } });
  let notice = (_message: string) => {};
  const noticed = new Promise<string>((resolve) => (notice = resolve));
  const one = process(notice);
  const leaving = changed(stack, { access: { viewer: ["max"] } }, one, beside(0, 1));
  expect(await noticed).toContain('waits up to 15 s until the engine has checked RoleBinding "1"');
  expect(await stack.members()).toEqual(["max viewer", "zoe viewer"]);
  const news = { parentUid: stack.groupUid, identityUid: await access.person("eve"), roleName: "viewer", ...beside(1, 0) };
  await dynamicProvider(roleBinding, () => process()).check({}, news);
  await leaving;
  expect(await stack.members()).toEqual(["max viewer"]);
});

test("what a RoleBinding whose check fails declares is not removed, nor forgotten", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  const [one, other] = [process(), process()];
  const leaving = changed(stack, { access: { viewer: ["max"] }, roles: ["viewer"] }, one, beside(0, 1));
  const news = { parentUid: stack.groupUid, identityUid: await access.person("zoe"), roleName: "owner", adpot: true };
  const { failures } = await dynamicProvider(roleBinding, () => other).check({}, { ...news, ...beside(1, 0) });
  expect(failures).toMatchObject([{ property: "adpot" }]);
  const { outs } = await leaving;
  expect(outs["access"]).toMatchObject({ viewer: { max: await access.person("max") } });
  expect(JSON.stringify(outs)).toContain(await access.person("zoe"));
  expect(await access.platform.writes()).toEqual([]);
});

test.each([["GroupAccess"], ["RoleBinding"]])(
  "what another process has begun to delete is not taken over by a %s: the run fails, and the next one adds it",
  async (by) => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    const [one, other] = [process(), process()];
    const state = { parentUid: stack.groupUid, identityUid: await access.person("max"), roleUid: access.roles.get("viewer") };
    let isAsked = () => {};
    const deleting = new Promise<void>((resolve) => (isAsked = resolve));
    let proceed = () => {};
    const allowed = new Promise<void>((resolve) => (proceed = resolve));
    access.fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "DELETE") return forward();
      isAsked();
      await allowed;
      return forward();
    };
    const removal = dynamicProvider(roleBinding, () => one).delete(uid, state);
    await deleting;
    const takesOver = (run: Run) =>
      by === "GroupAccess"
        ? stack.up({ access: { viewer: ["max"] } }, { run })
        : declare(roleBinding, { ...state, adopt: true }, run).then(() => undefined);
    await expectFailure(takesOver(other), "FAILED_PRECONDITION", "is removing what this one");
    proceed();
    await removal;
    await takesOver(process());
    expect(await stack.members()).toEqual(["max viewer"]);
  },
);
