import { dynamicProvider } from "../../../provider/host/dynamic";
import type { Inputs } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { AccessFixture, type Declared } from "../../support/access-fixture";
import { refusal } from "../../support/interference";
import { expectFailure, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const keep = (members: Record<string, string[]>, more: Partial<Declared> = {}): Declared => ({
  access: members,
  others: "keep",
  ...more,
});

/** A refused create of a role binding of this identity fails the update that adds it. */
async function refuseCreatesFor(name: string): Promise<void> {
  const uid = await access.person(name);
  access.fixture.proxy.interfere = ({ method, body }) =>
    method === "POST" && body.includes(uid) ? refusal(400, 3, "no") : undefined;
}

describe("a member moves from one GroupAccess to another, and the first one fails half-way", () => {
  const moved = keep({ owner: ["eva"], viewer: ["max"] });
  const begun = async () => {
    const from = await access.brought(keep({ owner: ["zoe", "eva"] }));
    const to = await access.stack(from.groupUid, "to");
    await refuseCreatesFor("max");
    return { from, to, first: access.fixture.run() };
  };

  test("once the other has it, the first no longer deletes it", async () => {
    const { from, to, first } = await begun();
    await to.up(keep({ owner: ["zoe"] }, { adopt: true }), { run: first });
    await expect(from.up(moved, { run: first })).rejects.toThrow("[INVALID_ARGUMENT]");
    expect(from.known).toEqual(["eva owner"]);
    await access.fixture.reset();
    const second = access.fixture.run();
    await from.up(moved, { run: second });
    await to.up(keep({ owner: ["zoe"] }), { run: second });
    expect(await from.members()).toEqual(["eva owner", "max viewer", "zoe owner"]);
  });

  test("once the first has failed, the other does not take it over", async () => {
    const { from, to, first } = await begun();
    await expect(from.up(moved, { run: first })).rejects.toThrow("[INVALID_ARGUMENT]");
    await expectFailure(to.up(keep({ owner: ["zoe"] }, { adopt: true }), { run: first }), "KEY_TAKEN");
    expect(to.state).toBeUndefined();
    await access.fixture.reset();
    const second = access.fixture.run();
    await from.up(moved, { run: second });
    await to.up(keep({ owner: ["zoe"] }, { adopt: true }), { run: second });
    expect(await from.members()).toEqual(["eva owner", "max viewer", "zoe owner"]);
  });
});

describe("a RoleBinding that changes in place, beside a new GroupAccess that adopts what it was", () => {
  const bindings = (run: Run) => dynamicProvider(roleBinding, () => run);
  async function bound(groupUid: string, name: string): Promise<Inputs> {
    return { parentUid: groupUid, identityUid: await access.person(name), roleUid: access.roles.get("viewer") };
  }
  const passed = (inputs: Inputs): Inputs => ({ ...inputs, __logicalName: "platform:iam:RoleBinding::one" });
  const besideOthers = keep({ viewer: ["zoe"] }, { adopt: true });
  const exempt = { access: { viewer: ["zoe"] }, exempt: { identities: ["max"] }, adopt: true };

  test.each([
    ["before it", "beside others", besideOthers, false],
    ["between its diff and its update", "beside others", besideOthers, false],
    ["after it", "beside others", besideOthers, true],
    ["before it", "with the new one exempt", exempt, false],
    ["between its diff and its update", "with the new one exempt", exempt, false],
    ["after it", "with the new one exempt", exempt, true],
  ] as const)("%s, %s: the state of the GroupAccess names no binding of somebody else", async (when, _how, declared, isRight) => {
    const groupUid = await access.fixture.parent();
    const [old, news] = [await bound(groupUid, "zoe"), await bound(groupUid, "max")];
    const { id, outs } = await bindings(access.fixture.run()).create(old);
    const [run, stack] = [access.fixture.run(), await access.stack(groupUid)];
    const change = async (between: () => Promise<void>) => {
      const { inputs } = await bindings(run).check(old, passed(news));
      await bindings(run).diff(id, outs, inputs);
      await between();
      await bindings(run).update(id, outs, inputs);
    };
    const give = () => stack.up(declared, { run });
    const work = {
      "before it": () => give().then(() => change(nothing)),
      "between its diff and its update": () => change(() => give()),
      "after it": () => change(nothing).then(give),
    };
    await (isRight ? work[when]() : expectFailure(work[when](), "KEY_TAKEN"));
    const rows = await access.membersWithBindings(groupUid);
    const known = stack.binding("zoe", "viewer");
    if (known !== "") expect(rows).toContainEqual({ name: "zoe viewer", binding: known });
    expect(isRight).toBe(rows.length === 2);
  });
});

const nothing = () => Promise.resolve();
