import { dynamicProvider } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs, Kind } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { refusal } from "../../support/interference";
import { clientOf } from "../../support/native-host";
import { NamesFixture, update } from "../../support/names-fixture";
import { group, role, roleBinding } from "../../support/resource-fixture";

const names = NamesFixture.forFile();

const doors = ["dynamic provider host", "plugin"] as const;

/** One run of the engine, as its checks and diffs reach the provider through a door. */
class EngineRun {
  readonly said: string[];
  readonly run: Run;

  /** @param seen whether previews may look names up. Default: true */
  constructor(
    private readonly door: (typeof doors)[number],
    seen = true,
  ) {
    const timing = { firstDelayMs: Infinity, longestDelayMs: Infinity };
    const { client } = names.resources.run({ timing });
    const { run, told } = names.resources.told(seen ? { preview: { client, caller: undefined } } : {});
    [this.run, this.said] = [run, told];
  }

  /** The result of the check of the program `news`. @param olds the inputs in state. Default: a new resource */
  async checked(kind: Kind, news: Inputs, olds: Inputs = {}, name = "it"): Promise<Inputs> {
    const runOf = () => this.run;
    if (this.door === "plugin") {
      const { inputs, failures } = await clientOf(new Plugin([], runOf)).check(typeToken(kind), name, news, olds);
      expect(failures).toEqual([]);
      return inputs;
    }
    const { inputs, failures } = await dynamicProvider(kind, runOf).check(olds, { ...news, __logicalName: name });
    expect(failures).toEqual([]);
    return inputs;
  }

  diff(kind: Kind, uid: string, outputs: Inputs, inputs: Inputs) {
    return dynamicProvider(kind, () => this.run).diff(uid, outputs, inputs);
  }
}

const both = () => ({ ...names.named(), ...names.uids() });

describe.each(doors)("through the %s, check", (door) => {
  test("puts beside each name the uid of its object, by one List each", async () => {
    const run = new EngineRun(door);
    expect(await run.checked(roleBinding, names.named())).toEqual(both());
    expect(await run.checked(roleBinding, { ...names.named(), roleName: "editor" }, {}, "other")).toEqual({
      ...both(),
      roleName: "editor",
      roleUid: await names.platform.role("editor"),
    });
    const asked = (await names.resources.asked("GET")).map((path) => path.split("/").at(-1));
    expect(asked.sort()).toEqual(["groups", "groups", "identities", "roles"]);
  });

  test("finds an identity by its issuer and subject", async () => {
    const run = new EngineRun(door);
    expect(await run.checked(roleBinding, { ...names.named(), identityRef: names.login })).toMatchObject({
      identityRef: names.login,
      identityUid: names.ci.uid,
    });
  });

  test("keeps the uid of each name that the state has, and asks nothing", async () => {
    const olds = { ...both(), roleUid: await names.platform.role("owner") };
    expect(await new EngineRun(door).checked(roleBinding, names.named(), olds)).toEqual(olds);
    const byLogin = { ...names.uids(), identityRef: { ...names.login } };
    const { identityUid: _, ...program } = byLogin;
    expect(await new EngineRun(door).checked(roleBinding, program, byLogin)).toEqual(byLogin);
    expect(await names.platform.requests()).toEqual([]);
  });

  test("asks only for the name that is new", async () => {
    const news = { ...names.named(), roleName: "editor" };
    const roleUid = await names.platform.role("editor");
    expect(await new EngineRun(door).checked(roleBinding, news, both())).toEqual({ ...news, ...names.uids(), roleUid });
    expect(await names.platform.requests()).toHaveLength(1);
  });

  test("asks nothing for a name of a state of an earlier release, which has the uid in its outputs", async () => {
    const run = new EngineRun(door);
    const outputs = { ...both(), identityRef: names.login };
    const old = { ...names.named(), identityRef: names.login };
    const inputs = await run.checked(roleBinding, old, old);
    expect(inputs).toEqual(old);
    expect(await run.diff(roleBinding, "binding", outputs, inputs)).toMatchObject({ changes: false, replaces: [] });
    expect(await names.platform.requests()).toEqual([]);
  });

  test("keeps for a replacement, whose second check has no state, the uid of the first", async () => {
    const name = names.resources.name("deployer");
    const deployer = await names.customRole(names.platform.root, name);
    await names.platform.change("roles", deployer.uid, { name: names.resources.name("renamed") });
    await names.customRole(names.platform.root, name);
    const news = { ...names.named(), roleName: name };
    const run = new EngineRun(door);
    expect(await run.checked(roleBinding, news, { ...both(), roleName: name, roleUid: deployer.uid })).toMatchObject({
      roleUid: deployer.uid,
    });
    expect(await run.checked(roleBinding, news)).toMatchObject({ roleUid: deployer.uid });
    expect(await run.checked(roleBinding, { ...news, identityRef: names.login }, {}, "another")).not.toMatchObject({
      roleUid: deployer.uid,
    });
  });

  test("looks a custom role up again where the group is another one, in which the old role cannot be granted", async () => {
    const name = names.resources.name("deployer");
    const before = await names.customRole(await names.resources.parent(), name);
    const after = await names.customRole(names.team.uid, name);
    const { roleUid: _, ...uids } = names.uids();
    const news = { ...uids, roleName: name };
    const olds = {
      ...names.uids(),
      parentUid: before.uid.split("/").slice(0, -1).join("/"),
      roleName: name,
      roleUid: before.uid,
    };
    const run = new EngineRun(door);
    expect(await run.checked(roleBinding, news, olds)).toMatchObject({ roleUid: after.uid });
    expect(await run.checked(roleBinding, news)).toMatchObject({ roleUid: after.uid });
  });

  test.each<[string, () => Inputs]>([
    ["a path, and a custom role, in a group that is not known yet", () => ({ parentUid: unknownValue })],
    ["a name that is not known yet", () => ({ roleName: unknownValue })],
  ])("leaves %s without a uid", async (_what, unknown) => {
    const name = names.resources.name("deployer");
    await names.customRole(names.platform.root, name);
    const { parentPath: _, ...rest } = names.named();
    const inputs = await new EngineRun(door).checked(roleBinding, {
      ...rest,
      parentUid: names.team.uid,
      roleName: name,
      ...unknown(),
    });
    expect(inputs["roleUid"]).toBeUndefined();
    expect(inputs["identityUid"]).toBe(names.ci.uid);
  });

  test("finds a built-in role although the group is not known yet: it comes before every custom one", async () => {
    const { identityUid } = names.uids();
    const news = { parentUid: unknownValue, identityUid, roleName: "viewer" };
    expect(await new EngineRun(door).checked(roleBinding, news)).toMatchObject({ roleUid: names.resources.viewer });
  });

  test("leaves a name without a uid that this run gives to an object", async () => {
    const name = names.resources.name("deployer");
    await names.customRole(names.platform.root, name);
    const run = new EngineRun(door);
    await run.checked(role, { parentUid: names.team.uid, name, capabilities: ["CAP_REPO_LIST"] }, {}, "role");
    const inputs = await run.checked(roleBinding, { ...names.named(), roleName: name });
    expect(inputs["roleUid"]).toBeUndefined();
    expect(run.said).toEqual([]);
  });

  test.each(["offline", "without rights"])("leaves names without a uid %s, and asks once", async (where) => {
    const run = new EngineRun(door);
    let asked = 0;
    names.resources.proxy.interfere = () => (asked++, where === "offline" ? "reset" : refusal(403, 7));
    expect(await run.checked(roleBinding, names.named())).toEqual(names.named());
    expect(await run.checked(group, { parentPath: names.place, name: "child" })).not.toHaveProperty("parentUid");
    expect([asked, run.said]).toEqual([1, []]);
  });

  test("leaves names to creates where previews look nothing up", async () => {
    expect(await new EngineRun(door, false).checked(roleBinding, names.named())).toEqual(names.named());
    expect(await names.platform.requests()).toEqual([]);
  });

  describe("with ignoreChanges, by which the engine puts the old input back,", () => {
    const others = () => ({ ...names.named(), roleName: "editor" });

    test("keeps the pair, whichever of the two is ignored", async () => {
      const run = new EngineRun(door);
      expect(await new EngineRun(door).checked(roleBinding, names.named(), both())).toEqual(both());
      expect(await run.checked(roleBinding, { ...others(), roleUid: both().roleUid }, both())).toEqual(both());
      expect(run.said).toEqual([expect.stringContaining('roleName "editor" has no effect')]);
      expect(await names.platform.requests()).toEqual([]);
    });

    test("keeps all of them, also after a refresh has found another role", async () => {
      const drifted = { ...both(), roleUid: await names.platform.role("owner"), __resolved: { roleUid: names.resources.viewer } };
      const { __resolved, ...found } = drifted;
      expect(await new EngineRun(door).checked(roleBinding, drifted, drifted)).toEqual(found);
    });

    test("rejects a uid beside the name that is not the one in state", async () => {
      const wrong = { ...names.named(), roleUid: await names.platform.role("owner") };
      const { failures } = await dynamicProvider(roleBinding, () => new EngineRun(door).run).check(both(), wrong);
      expect(failures).toMatchObject([{ reason: expect.stringContaining("exactly one of roleUid and roleName") as string }]);
    });
  });
});

describe("an impostor that takes the name", () => {
  test("is a difference until it is repaired, also after refreshes, and never resolved again", async () => {
    const name = names.resources.name("deployer");
    const deployer = await names.customRole(names.team.uid, name);
    const program = { ...names.named(), roleName: name };
    const made = await names.made(roleBinding, program);
    await names.platform.change("roles", deployer.uid, { name: names.resources.name("renamed") });
    const impostor = await names.customRole(names.team.uid, name);
    await names.platform.change("roleBindings", made.id, { roleUid: impostor.uid });

    let state = made;
    for (let time = 0; time < 2; time++) {
      const { props = {}, inputs = {} } = await names.process().of(roleBinding).read(state.id, state.outs);
      expect(props).toMatchObject({ roleUid: impostor.uid });
      expect(inputs).toMatchObject({ roleName: name, roleUid: impostor.uid });
      state = { ...state, outs: props, inputs };
    }
    for (const door of doors) {
      const run = new EngineRun(door);
      const inputs = await run.checked(roleBinding, program, state.inputs);
      expect(inputs).toEqual({ ...both(), roleName: name, roleUid: deployer.uid });
      expect((await run.diff(roleBinding, state.id, state.outs, inputs)).changes).toBe(true);
    }
    const { outs } = await names.updated(roleBinding, state, program);
    expect(outs).toMatchObject({ roleName: name, roleUid: deployer.uid });
    expect(outs).not.toHaveProperty("__resolved");
    expect(await names.roleOf(made.id)).toBe(deployer.uid);
  });
});

test("an object that an import took by uid becomes one by name without a write", async () => {
  const made = await names.made(roleBinding, names.uids());
  const { props = {}, inputs = {} } = await names.process().of(roleBinding).read(made.id, {});
  expect(inputs).toEqual(names.uids());
  await names.platform.clearRequests();
  const { outs } = await names.updated(roleBinding, { id: made.id, outs: props, inputs }, names.named());
  expect(outs).toMatchObject(both());
  expect(await names.platform.writes()).toEqual([]);
});

test("what check left open is resolved by the create, and rejected by it where nothing has the name", async () => {
  const run = new EngineRun("plugin", false);
  const inputs = await run.checked(roleBinding, names.named());
  const { id } = await dynamicProvider(roleBinding, () => run.run).create(inputs);
  expect(await names.roleOf(id)).toBe(names.resources.viewer);
  const wrong = await run.checked(roleBinding, { ...names.named(), roleName: "nothing" }, {}, "other");
  await expect(dynamicProvider(roleBinding, () => run.run).create(wrong)).rejects.toThrow("no built-in role has that name");
});

test("a moved parentPath of the same group is no replacement, and an update does not ask again", async () => {
  const made = await names.made(group, { parentUid: names.team.uid, name: "child" });
  const news = { parentPath: names.place, name: "child" };
  for (const mark of [{}, update]) {
    const run = new EngineRun("dynamic provider host");
    const inputs = await run.checked(group, { ...news, ...mark }, made.inputs);
    expect(await run.diff(group, made.id, made.outs, inputs)).toMatchObject({ changes: true, replaces: [] });
  }
});
