import { dynamicProvider } from "../../../provider/host/dynamic";
import type { Inputs } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { AccessFixture, accessProvider, type Declared } from "../../support/access-fixture";
import { begin, deletionIn, OwnAccess } from "../../support/own-access";
import { expectFailure, failureOf, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const own = OwnAccess.forFile(access.fixture);

/** The inputs of a `RoleBinding`. */
async function bindingOf(groupUid: string, name: string, role: string): Promise<Inputs> {
  return { parentUid: groupUid, identityUid: await access.person(name), roleUid: access.roles.get(role) };
}

/** The same, as the class of the resource `one` passes them to check. */
const passed = (inputs: Inputs): Inputs => ({ ...inputs, __logicalName: "platform:iam:RoleBinding::one" });

const bindings = (run: Run) => dynamicProvider(roleBinding, () => run);

const reasons = ({ failures }: { failures: { reason: string }[] }) => failures.map(({ reason }) => reason).join();

describe("two owners in one program", () => {
  const conflicts: [string, Declared, boolean][] = [
    ["the group without the identity", { access: { owner: ["zoe"] } }, true],
    ["the identity with that role, by its uid", { access: { viewer: ["max"] } }, false],
    ["the identity with a role that may be another", { access: { owner: ["max"] } }, false],
    ["other roles only", { access: { owner: ["zoe"] }, roles: ["owner"] }, false],
    ["the identity as exempt", { access: { owner: ["zoe"] }, exempt: { identities: ["max"] } }, false],
    ["some role as exempt", { access: { owner: ["zoe"] }, exempt: { roles: ["viewer"] } }, false],
    ["some binding as exempt", { access: { owner: ["zoe"] }, exempt: { bindingUids: ["a/b"] } }, false],
  ];
  test.each(conflicts.flatMap((conflict) => [true, false].map((isFirst) => [...conflict, isFirst] as const)))(
    "a RoleBinding beside a GroupAccess that declares %s %j is rejected: %s; GroupAccess checked first: %s",
    async (_what, declared, isRejected, isFirst) => {
      const run = access.fixture.run();
      const groupUid = await access.fixture.parent();
      const checks = [
        async () => accessProvider(run).check({}, await (await access.stack(groupUid)).declares(declared)),
        async () => bindings(run).check({}, passed(await bindingOf(groupUid, "max", "viewer"))),
      ];
      const [first, second] = isFirst ? checks : checks.toReversed();
      expect(reasons(await (first as (typeof checks)[0])())).toBe("");
      const reason = reasons(await (second as (typeof checks)[0])());
      if (isRejected) expect(reason).toMatch(/RoleBinding "one" gives .* GroupAccess "access" .* `exempt`/);
      else expect(reason).toBe("");
    },
  );

  test.each([
    ["without the identity", ["zoe"], true],
    ["with the identity in some role", ["max"], false],
  ])("a RoleBinding that names its role, beside a GroupAccess %s", async (_what, owners, isRejected) => {
    const run = access.fixture.run();
    const groupUid = await access.fixture.parent();
    await accessProvider(run).check({}, await access.inputs(groupUid, { access: { owner: owners } }));
    const named = { parentUid: groupUid, identityUid: await access.person("max"), roleName: "viewer" };
    expect(reasons(await bindings(run).check({}, named)) !== "").toBe(isRejected);
  });

  test("a RoleBinding of another group is no conflict", async () => {
    const run = access.fixture.run();
    await accessProvider(run).check({}, await access.inputs(await access.fixture.parent(), { access: {} }));
    expect(reasons(await bindings(run).check({}, await bindingOf(await access.fixture.parent(), "max", "viewer")))).toBe("");
  });

  test.each([
    ["all roles twice", undefined, undefined, /same group|same roles/],
    ["all roles, and one", undefined, ["owner"], /same roles/],
    ["one role twice", ["owner", "viewer"], ["owner"], /same roles/],
    ["different roles", ["owner"], ["viewer"], /^$/],
  ])("two GroupAccess of one group that manage %s", async (_what, one, other, expected) => {
    const run = access.fixture.run();
    const groupUid = await access.fixture.parent();
    const check = async (name: string, roles: string[] | undefined) => {
      const stack = await access.stack(groupUid, name);
      return reasons(await accessProvider(run).check({}, await stack.declares({ access: {}, ...(roles && { roles }) })));
    };
    expect(await check("one", one)).toBe("");
    expect(await check("two", other)).toMatch(expected);
  });

  test("two that write the same role in two ways are rejected before anything is sent", async () => {
    const run = access.fixture.run();
    const [one, other] = [await access.stack(), "owner"];
    await one.up({ access: {}, roles: [other] }, { run });
    const twin = await access.stack(one.groupUid, "twin");
    const uid = access.roles.get(other) ?? "";
    await expectFailure(twin.up({ access: { [uid]: ["zoe"] }, roles: [uid] }, { run }), "KEY_TAKEN", "same roles");
    expect(await one.members()).toEqual([]);
  });

  test("a GroupAccess never deletes what a RoleBinding of the program declares, and says so", async () => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    await stack.up({ access: { viewer: ["max"], owner: ["max"] } });
    // The identity keeps a role that is written as a name, so that the check cannot know.
    const run = access.fixture.run();
    const inputs = await bindingOf(stack.groupUid, "max", "viewer");
    const provider = bindings(run);
    await provider.check(inputs, passed(inputs));
    const pending = stack.up({ access: { owner: ["max"] } }, { run });
    await provider.diff(uid, inputs, inputs);
    await expectFailure(pending, "KEY_TAKEN", 'RoleBinding "one"', 'GroupAccess "access"');
    expect(await stack.members()).toEqual(["max owner", "max viewer"]);
    expect(stack.known).toEqual(["max owner", "max viewer"]);
  });

  test("a binding that the state has as a RoleBinding is left to it", async () => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    await stack.up({ access: { viewer: ["max"], owner: ["max"] } });
    const run = access.fixture.run();
    await bindings(run).read(uid, await bindingOf(stack.groupUid, "max", "viewer"));
    await stack.up({ access: { owner: ["max"] } }, { run });
    expect(await access.bindings(stack.groupUid)).toContain(uid);
    expect(stack.known).toEqual(["max owner"]);
  });
});

describe("a RoleBinding that the GroupAccess leaves out", () => {
  test.each([
    ["a new one", false],
    ["one in state", true],
  ])("%s, after the GroupAccess: rejected in check, create and diff, and nothing is removed", async (_what, isInState) => {
    const stack = await access.stack();
    const declared: Declared = { access: { owner: ["max"] }, adopt: true };
    await stack.up(declared);
    const inputs = await bindingOf(stack.groupUid, "max", "viewer");
    const uid = isInState ? await access.bind(stack.groupUid, "max", "viewer") : "";
    const run = access.fixture.run();
    await stack.up(declared, { run });
    const provider = bindings(run);
    expect(reasons(await provider.check(isInState ? inputs : {}, passed(inputs)))).toContain('GroupAccess "access"');
    const late = isInState ? provider.diff(uid, inputs, inputs) : provider.create(inputs);
    await expectFailure(late, "KEY_TAKEN", "GroupAccess", String(inputs["identityUid"]));
    expect(await stack.members()).toEqual(isInState ? ["max owner", "max viewer"] : ["max owner"]);
  });

  test("one that has its binding before the GroupAccess: rejected in the diff that would show the removal", async () => {
    const stack = await access.brought({ access: { owner: ["max"] } });
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    await stack.refresh();
    const run = access.fixture.run();
    const inputs = await bindingOf(stack.groupUid, "max", "viewer");
    await bindings(run).check(inputs, passed(inputs));
    await bindings(run).diff(uid, inputs, inputs);
    const provider = accessProvider(run);
    const { inputs: news } = await provider.check(
      stack.state?.inputs ?? {},
      await stack.declares({ access: { owner: ["max"] } }),
    );
    const both = ['RoleBinding "one"', 'GroupAccess "access"'];
    await expectFailure(provider.diff(stack.groupUid, stack.state?.outputs ?? {}, news), "KEY_TAKEN", ...both);
    await expectFailure(provider.update(stack.groupUid, stack.state?.outputs ?? {}, news), "KEY_TAKEN", ...both);
    expect(await access.bindings(stack.groupUid)).toContain(uid);
  });

  test.each([
    ["lists it", { access: { owner: ["max"], viewer: ["max"] } }],
    ["manages other roles", { access: { owner: ["max"] }, roles: ["owner"] }],
    ["exempts its role", { access: { owner: ["max"] }, exempt: { roles: ["viewer"] } }],
    ["exempts the identity", { access: { owner: ["zoe"] }, exempt: { identities: ["max"] } }],
  ] satisfies [string, Declared][])("is accepted beside a GroupAccess that %s", async (_what, declared: Declared) => {
    const stack = await access.stack();
    const run = access.fixture.run();
    await stack.up(declared, { run });
    const provider = bindings(run);
    const { inputs } = await provider.check({}, { ...(await bindingOf(stack.groupUid, "max", "viewer")), adopt: true });
    // A member of the GroupAccess is claimed already.
    if (!("viewer" in declared.access)) await provider.create(inputs);
    else expect((await failureOf(provider.create(inputs))).message).not.toContain("does not list it");
    expect(await stack.members()).toContain("max viewer");
  });
});

test.each(["first", "last"])(
  "an identity is replaced that a RoleBinding names and a GroupAccess exempts, with the update of the RoleBinding %s",
  async (order) => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    const olds = await bindingOf(stack.groupUid, "max", "viewer");
    await stack.up({ access: { owner: ["zoe"] }, exempt: { identities: ["max"] } });
    const run = access.fixture.run();
    const provider = bindings(run);
    const { inputs } = await provider.check(olds, passed(await bindingOf(stack.groupUid, "eve", "viewer")));
    await provider.diff(uid, olds, inputs);
    const both = [
      () => provider.update(uid, olds, inputs),
      () => stack.up({ access: { owner: ["zoe"] }, exempt: { identities: ["eve"] } }, { run }),
    ];
    for (const step of order === "first" ? both : both.toReversed()) await step();
    expect(await stack.members()).toEqual(["eve viewer", "zoe owner"]);
    expect(await access.bindings(stack.groupUid)).toContain(uid);
  },
);

describe("a RoleBinding and a GroupAccess that swap a member", () => {
  test("to the GroupAccess: the delete of the RoleBinding sends nothing", async () => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    const inputs = await bindingOf(stack.groupUid, "max", "viewer");
    await access.platform.clearRequests();
    const run = access.fixture.run();
    await stack.up({ access: { viewer: ["max"] } }, { run });
    await bindings(run).delete(uid, inputs);
    // In the next run it is an unchanged member that keeps it.
    const next = access.fixture.run();
    await stack.up({ access: { viewer: ["max"] } }, { run: next });
    await bindings(next).delete(uid, inputs);
    expect(await access.platform.writes()).toEqual([]);
  });

  test.each(["first", "last", "meanwhile"])(
    "from the GroupAccess, which goes on for the rest, with the create of the RoleBinding %s: the end is the same",
    async (order) => {
      const stack = await access.brought({ access: { viewer: ["max", "zoe"] } });
      const run = access.fixture.run();
      const provider = bindings(run);
      const passedInputs = passed({ ...(await bindingOf(stack.groupUid, "max", "viewer")), adopt: true });
      const { inputs } = await provider.check({}, passedInputs);
      const smaller: Declared = { access: { viewer: ["zoe"] }, exempt: { identities: ["max"] } };
      const both = [() => provider.create(inputs), () => stack.up(smaller, { run })];
      if (order === "meanwhile") await Promise.all(both.map((step) => step()));
      else for (const step of order === "first" ? both : both.toReversed()) await step();
      expect(await stack.members()).toEqual(["max viewer", "zoe viewer"]);
      expect(stack.known).toEqual(["zoe viewer"]);
    },
  );

  test("a member that no other resource owns is removed, although a RoleBinding declares it: its create makes another binding", async () => {
    const stack = await access.brought({ access: { viewer: ["max", "zoe"] } });
    const run = access.fixture.run();
    const { inputs } = await bindings(run).check(
      {},
      passed({ ...(await bindingOf(stack.groupUid, "max", "viewer")), adopt: true }),
    );
    await stack.up({ access: { owner: ["zoe"] }, roles: ["owner"] }, { run });
    expect(await stack.members()).toEqual(["zoe owner"]);
    await bindings(run).create(inputs);
    expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
  });

  test("a GroupAccess that is deleted first, for members that a RoleBinding declares, removes nobody", async () => {
    const stack = await access.brought({ access: { viewer: ["max", "zoe"] } });
    const run = access.fixture.run();
    await bindings(run).check({}, passed({ ...(await bindingOf(stack.groupUid, "max", "viewer")), adopt: true }));
    await expectFailure(stack.destroy(run), "KEY_TAKEN", '"max" as viewer');
    expect(await stack.members()).toEqual(["max viewer", "zoe viewer"]);
  });
});

test("a forced replacement of the resource changes nothing on the platform", async () => {
  const stack = await access.brought({ access: { viewer: ["max"] } });
  const run = access.fixture.run();
  const provider = accessProvider(run);
  const news = await access.inputs(stack.groupUid, { access: { viewer: ["max"] } });
  const { inputs } = await provider.check(stack.state?.inputs ?? {}, news);
  expect(reasons(await provider.check({}, news))).toBe("");
  await provider.create(inputs);
  await provider.delete(stack.groupUid, stack.state?.outputs ?? {});
  expect(await access.platform.writes()).toEqual([]);
});

test("a forced replacement that deletes first fails, removes nobody, and says how to replace", async () => {
  const stack = await access.brought({ access: { viewer: ["max"] } });
  const provider = accessProvider(access.fixture.run());
  // As the class passes it in an update.
  const news = await stack.declares({ access: { viewer: ["max"] } });
  await provider.check(stack.state?.inputs ?? {}, news);
  const deleted = provider.delete(stack.groupUid, stack.state?.outputs ?? {});
  await expectFailure(deleted, "KEY_TAKEN", '"max" as viewer', "remove `deleteBeforeReplace`");
  expect(await access.platform.writes()).toEqual([]);
});

describe("access that the run itself needs", () => {
  /** A stack that a runner manages, with the members `names` of its group, of whom "runner" is the runner itself. */
  async function managed(...names: string[]) {
    const one = await own.runner();
    const stack = await access.stack(one.place);
    const inputsWith = async (members: string[]): Promise<Inputs> => {
      const uidOf = async (name: string) => [name, name === "runner" ? one.uid : await access.person(name)] as const;
      return { parentUid: one.place, access: { owner: Object.fromEntries(await Promise.all(members.map(uidOf))) } };
    };
    const provider = accessProvider(access.fixture.run());
    const { inputs } = await provider.check({}, await inputsWith(names));
    const { id, outs } = await provider.create(inputs);
    stack.state = { id, inputs, outputs: outs, isHalfMade: false };
    const updateTo = async (run: Run, members: string[]) => {
      const { inputs: news } = await accessProvider(run).check(inputs, await inputsWith(members));
      return accessProvider(run).update(id, outs, news);
    };
    return { ...one, stack, updateTo, before: await access.bindings(one.place) };
  }

  test.each(["update", "destroy"])("is not removed by an %s, nor is anything else", async (verb) => {
    const { stack, run, updateTo, before } = await managed("runner", "max");
    const removal = verb === "update" ? updateTo(await run(), []) : stack.destroy(await run());
    const ways = verb === "update" ? ["`exempt`"] : [];
    await expectFailure(removal, "SELF_LOCKOUT", "PLATFORM_ALLOW_SELF_LOCKOUT", ...ways);
    expect(await access.bindings(stack.groupUid)).toEqual(before);
  });

  test("is not removed by a destroy if it was given by hand, by a binding that was a member's", async () => {
    const { stack, uid, run, before } = await managed("max");
    await access.platform.change("roleBindings", before[0] ?? "", { identityUid: uid });
    await expectFailure(stack.destroy(await run()), "SELF_LOCKOUT");
    expect(await access.bindings(stack.groupUid)).toEqual(before);
  });

  test("counts as access still if another removal fails before it", async () => {
    const { place, bind, run, stack, updateTo, before } = await managed("max", "runner");
    const above = await bind(access.platform.root, "owner");
    const below = await bind(await access.fixture.parent(place), "owner");
    const one = await run({ allowSelfLockout: true });
    await access.platform.fault({ method: "DELETE" }, { status: 403, code: 7, message: "not now" });
    await expectFailure(updateTo(one, []), "PERMISSION_DENIED", "not now");
    expect(await access.bindings(stack.groupUid)).toEqual(before);
    await begin(one, deletionIn(above));
    expect(await begin(one, deletionIn(below))).toBe(false);
  });

  test("goes last if that is allowed, and nothing of another group goes", async () => {
    const [others, { place, stack, run }] = [await managed("runner", "max"), await managed("runner", "a", "b", "c")];
    await stack.destroy(await run({ allowSelfLockout: true }));
    expect(await access.bindings(place)).toEqual([]);
    expect(await access.bindings(others.place)).toEqual(others.before);
  });
});
