import { dynamicProvider } from "../../../provider/host/dynamic";
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
function process(): Run {
  const journal = new Journal({ folder, engine: "127.0.0.1:1", pid: ++pid, stateOf: () => "running" });
  return access.fixture.run({ facts: new Facts("platform", journal) });
}

/** Checks and updates the access, as a process does. */
async function changed(stack: AccessStack, declared: Parameters<AccessFixture["inputs"]>[1], run: Run) {
  const provider = accessProvider(run);
  const { inputs, failures } = await provider.check(stack.state?.inputs ?? {}, await access.inputs(stack.groupUid, declared));
  expect(failures).toEqual([]);
  const { id = "", outputs = {} } = stack.state ?? {};
  return provider.update(id, outputs, inputs);
}

/** The inputs of a `RoleBinding` that takes over the role. */
const takingOver = async ({ groupUid }: AccessStack, name: string, role: string) => ({
  ...{ parentUid: groupUid, identityUid: await access.person(name), roleUid: access.roles.get(role), adopt: true },
  ...{ __isUpdate: true, __logicalName: `platform:iam:RoleBinding::${name}` },
});

test.each(["before", "after"])(
  "a role that moves to a RoleBinding of another provider, whose create comes %s the removal, ends as declared",
  async (order) => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    const [one, other] = [process(), process()];
    const provider = dynamicProvider(roleBinding, () => other);
    const steps = [
      () => changed(stack, { access: { viewer: ["max"] }, roles: ["viewer"] }, one),
      async () => {
        const { inputs, failures } = await provider.check({}, await takingOver(stack, "zoe", "owner"));
        expect(failures).toEqual([]);
        await provider.create(inputs);
      },
    ];
    for (const step of order === "after" ? steps : steps.toReversed()) await step();
    expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
    // The order of the calls decides whether the binding is taken over or made again.
    const deletes = await access.fixture.asked("DELETE");
    expect(deletes).toHaveLength(order === "after" ? 1 : 0);
  },
);

test("a RoleBinding of another provider that the GroupAccess does not list is not removed by it", async () => {
  const stack = await access.brought({ access: { viewer: ["max"] } });
  const [one, other] = [process(), process()];
  const provider = dynamicProvider(roleBinding, () => other);
  const { inputs } = await provider.check({}, await takingOver(stack, "zoe", "owner"));
  await provider.create(inputs);
  await expectFailure(changed(stack, { access: { viewer: ["max"] } }, one), "KEY_TAKEN", "a RoleBinding of this program");
  expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
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
    await expectFailure(takesOver(other), "FAILED_PRECONDITION", "is removing role binding");
    proceed();
    await removal;
    await takesOver(process());
    expect(await stack.members()).toEqual(["max viewer"]);
  },
);
