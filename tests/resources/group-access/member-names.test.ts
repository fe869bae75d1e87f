import { groupAccess } from "../../../provider/kinds/group-access";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs } from "../../../provider/schema/kind";
import type { Run } from "../../../provider/resources/run/run";
import { dynamically } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { groupAccessLife } from "../../../provider/resources/group-access/life";
import { clientOf } from "../../support/native-host";
import { NamesFixture, update } from "../../support/names-fixture";
import { expectFailure, identity } from "../../support/resource-fixture";

const names = NamesFixture.forFile();
const provider = (run: Run) => dynamically(groupAccessLife, () => run);

/** A run whose previews look names up. */
function newRun(): Run {
  const { client } = names.resources.run();
  return names.resources.run({ preview: { client, caller: undefined } });
}

async function checked(news: Inputs, olds: Inputs = {}, run = newRun(), door = "dynamic provider host"): Promise<Inputs> {
  if (door === "plugin") {
    const { inputs, failures } = await clientOf(new Plugin([], () => run)).check(typeToken(groupAccess), "it", news, olds);
    expect(failures).toEqual([]);
    return inputs;
  }
  const { inputs, failures } = await provider(run).check(olds, { ...news, __logicalName: "it" });
  expect(failures).toEqual([]);
  return inputs;
}

/** A program whose only member is named in `written`. */
const program = (written: unknown) => ({ parentUid: names.team.uid, access: { viewer: { ci: written } } });
const byPath = () => ({ identityRef: `${names.place}/ci` });
const byLogin = () => ({ identityRef: names.login });

async function made(news: Inputs) {
  const run = names.resources.run();
  const inputs = await checked({ ...news, ...update }, {}, run);
  const { id, outs } = await provider(run).create(inputs);
  return { id, inputs, outs };
}

const members = async () =>
  (await names.platform.objects("roleBindings"))
    .filter(({ uid }) => uid.startsWith(`${names.team.uid}/`))
    .map((row) => (row as unknown as { identity: { uid: string } }).identity.uid);

describe.each(["dynamic provider host", "plugin"])("through the %s, check", (door) => {
  test.each([
    ["path", byPath],
    ["login", byLogin],
  ])("puts the uid beside a member by %s, and those of roles in roleUids; then it asks nothing", async (_how, written) => {
    const news = program(written());
    const inputs = await checked(news, {}, newRun(), door);
    expect(inputs).toEqual({
      ...program({ ...written(), identityUid: names.ci.uid }),
      roleUids: { viewer: names.resources.viewer },
    });
    await names.platform.clearRequests();
    expect(await checked(news, inputs, newRun(), door)).toEqual(inputs);
    expect(await checked({ ...news, access: inputs["access"] }, inputs, newRun(), door)).toEqual(inputs);
    expect(await names.platform.requests()).toEqual([]);
  });

  test("asks nothing for a state of an earlier release, whose inputs have no uids of roles", async () => {
    const old = program(names.ci.uid);
    expect(await checked(old, old, newRun(), door)).toEqual(old);
    expect(await names.platform.requests()).toEqual([]);
  });

  test("leaves a member without a uid whose name is not known, and keeps a uid in a member as a uid", async () => {
    const news = program({ identityRef: unknownValue });
    expect(await checked(news, {}, newRun(), door)).toMatchObject(news);
    expect(await checked(program({ identityUid: names.ci.uid }), {}, newRun(), door)).toMatchObject(program(names.ci.uid));
  });
});

test.each([
  ["path", byPath],
  ["login", byLogin],
])("a member by %s gets its role; later runs find no difference, and its uid instead is no write", async (_how, written) => {
  const old = await made(program(written()));
  expect(await members()).toEqual([names.ci.uid]);
  expect(old.outs).toMatchObject({ access: { viewer: { ci: { ...written(), identityUid: names.ci.uid } } } });
  const run = newRun();
  const inputs = await checked(program(written()), old.inputs, run);
  expect(await provider(run).diff(old.id, old.outs, inputs)).toMatchObject({ changes: false, replaces: [] });
  const read = await provider(names.resources.run()).read(old.id, old.outs);
  expect(read).toMatchObject({ props: old.outs, inputs: old.inputs });
  await names.platform.clearRequests();
  const other = names.resources.run();
  const byUid = await checked({ ...program(names.ci.uid), ...update }, old.inputs, other);
  expect(await provider(other).update(old.id, old.outs, byUid)).toMatchObject({ outs: program(names.ci.uid) });
  expect(await names.platform.writes()).toEqual([]);
});

test("an identity that takes the path of a member gets nothing: the member keeps its uid", async () => {
  const old = await made(program(byPath()));
  await names.platform.change("identities", names.ci.uid, { name: "renamed" });
  const impostor = await names.identity("ci", { issuer: "https://issuer.example", subject: "impostor" });
  const run = newRun();
  const inputs = await checked(program(byPath()), old.inputs, run);
  expect(JSON.stringify(inputs)).not.toContain(impostor.uid);
  expect(await checked(program(byPath()), {}, run)).toEqual(old.inputs);
});

test("a create resolves the members that check could not, and rejects what nothing has", async () => {
  const run = names.resources.run();
  const inputs = await checked(program(byPath()), {}, run);
  expect(inputs).toEqual(program(byPath()));
  await provider(run).create(inputs);
  expect(await members()).toEqual([names.ci.uid]);
  const wrong = names.resources.run();
  const missing = await checked(program({ identityRef: `${names.place}/nobody` }), {}, wrong);
  await expectFailure(provider(wrong).create(missing), "NOT_FOUND", "access.viewer.ci", "Nothing was changed.");
});

test("a preview warns of a member that does not exist, and rejects one that has the role by its uid already", async () => {
  const { client } = names.resources.run();
  const { run, told } = names.resources.told({ preview: { client, caller: undefined } });
  await checked(program({ identityRef: `${names.place}/nobody` }), {}, run);
  expect(told).toEqual([expect.stringMatching(/^warning: .*access\.viewer\.ci .*rejects it with NOT_FOUND/)]);
  const twice = { parentUid: names.team.uid, access: { viewer: { ci: byPath(), again: names.ci.uid } } };
  const { failures } = await provider(newRun()).check({}, twice);
  expect(failures).toMatchObject([{ reason: expect.stringContaining("has this role already") as string }]);
});

test("a login that an identity of the program gets is never a person", async () => {
  const login = { issuer: names.login.issuer, subject: names.resources.name("new") };
  const run = newRun();
  const inputs = await checked(program({ identityRef: login }), {}, run);
  run.ledger.logins.record(identity, { claimMatch: login });
  await expectFailure(provider(run).create(inputs), "INVALID_INPUT", "declares an identity with that issuer and subject");
  expect(await members()).toEqual([]);
});

test.each<[string, unknown, string]>([
  ["both a uid and a name", { identityUid: "a/b", identityRef: "acme/ci" }, "exactly one of access.viewer.ci.identityUid"],
  ["neither", {}, "access.viewer.ci"],
  ["an unknown member", { identityUid: "a/b", expires: 1 }, "has an unknown member"],
  ["a name that is no path", { identityRef: "ci" }, "must be the path of a group and the name of an identity in it"],
  ["a number", 7, "must be a string"],
])("check rejects %s", async (_what, written, reason) => {
  const { failures } = await provider(newRun()).check({}, program(written));
  expect(failures.map((each) => each.reason).join("\n")).toContain(reason);
});
