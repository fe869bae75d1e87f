import * as pulumi from "@pulumi/pulumi";
import { companionsArgument } from "../../provider/schema/inputs";
import { Group, GroupAccess, RoleBinding } from "../../sdk";
import { playEngine, settled } from "./support";

const uid = "0123456789abcdef0123456789abcdef01234567";
const binding = { parentUid: uid, identityUid: uid, roleUid: uid };

/** What each resource of `program` tells its provider about the others, by logical name. */
async function told(program: () => pulumi.Resource[]): Promise<Record<string, unknown>> {
  const registered = await playEngine({ isReal: true });
  await Promise.all(program().map(({ urn }) => settled(urn)));
  return Object.fromEntries(registered.map(({ name, inputs }) => [name, inputs[companionsArgument]]));
}

const both = () => [new GroupAccess("all", { parentUid: uid, access: {} }), new RoleBinding("one", binding)];

test("a GroupAccess waits for the other resources that give access, a RoleBinding for none", async () => {
  expect(await told(both)).toEqual({
    all: { id: 0, others: [{ id: 1, name: 'RoleBinding "one"' }] },
    one: { id: 1, others: [] },
  });
});

test("programs that run in one process, as inline ones do, know nothing of each other", async () => {
  const first = await told(both);
  expect(await told(both)).toEqual(first);
  expect(await told(() => [new GroupAccess("all", { parentUid: uid, access: {} })])).toEqual({ all: undefined });
});

test("a resource that depends on a GroupAccess is not waited for by it: the engine checks it only afterwards", async () => {
  const said = await told(() => {
    const all = new GroupAccess("all", { parentUid: uid, access: {} });
    const later = [all, [all]].map((dependsOn, index) => new RoleBinding(`later ${index}`, binding, { dependsOn }));
    return [all, ...later, new RoleBinding("now", binding)];
  });
  expect(said["all"]).toEqual({ id: 0, others: [{ id: 3, name: 'RoleBinding "now"' }] });
});

describe("a GroupAccess waits for no resource that certainly gives access in another group:", () => {
  const other = uid.replace("0", "1");
  const declared = (name: string, parentUid: pulumi.Input<string>) => new Group(name, { parentUid }).uid;
  test.each<[string, boolean, () => [pulumi.Input<string>, pulumi.Input<string>]]>([
    ["another uid", false, () => [uid, other]],
    ["the same uid", true, () => [uid, uid]],
    ["another group of the program", false, () => [declared("a", uid), declared("b", uid)]],
    ["a group of the program, below", false, () => [uid, declared("b", declared("a", uid))]],
    ["a group of the program, above", false, () => [declared("b", declared("a", uid)), uid]],
    ["a uid that may be that of a group of the program", true, () => [other, declared("a", uid)]],
    ["an output that may be any uid", true, () => [declared("a", uid), pulumi.output(other)]],
    ["what follows from the uid of another group", true, () => [declared("a", uid), declared("b", uid).apply(() => uid)]],
    ["a group that is only read", true, () => [declared("a", uid), Group.get("b", uid).uid]],
  ])("%s", async (_what, isAwaited, groups) => {
    const said = await told(() => {
      const [parentUid, elsewhere] = groups();
      return [new GroupAccess("all", { parentUid, access: {} }), new RoleBinding("one", { ...binding, parentUid: elsewhere })];
    });
    expect(said["all"]).toEqual({ id: 0, others: isAwaited ? [{ id: 1, name: 'RoleBinding "one"' }] : [] });
  });

  test("the same group of the program is not another one", async () => {
    const said = await told(() => {
      const parentUid = declared("a", uid);
      return [new GroupAccess("all", { parentUid, access: {} }), new RoleBinding("one", { ...binding, parentUid })];
    });
    expect(said["all"]).toMatchObject({ others: [{ id: 1 }] });
  });
});
