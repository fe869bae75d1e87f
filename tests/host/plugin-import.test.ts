import { composites, kinds } from "../../provider/kinds/kinds";
import { typeToken } from "../../provider/host/plugin/resources";
import { login, namedObjects, type NamedObject } from "../support/named-objects";
import { clientOf } from "../support/native-host";
import { openRun } from "../../provider/host/session";
import { Plugin } from "../../provider/host/plugin/plugin";
import { type PluginClient, urnOf } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";

const all = { ...kinds, ...composites };
const typeOf = (kind: keyof typeof all) => typeToken(all[kind]);
const [group, identity, role, binding, tag] = (["group", "identity", "role", "roleBinding", "tag"] as const).map(typeOf) as [
  string,
  string,
  string,
  string,
  string,
];

const environment = { ...process.env };
let platform: TestPlatform;
let objects: readonly NamedObject[];
let plugin: PluginClient;

async function newPlugin(): Promise<PluginClient> {
  const started = clientOf(() => new Plugin([], (settings) => openRun(settings, process.env)));
  await started.configure({ organization: platform.root });
  return started;
}

beforeAll(async () => {
  platform = await TestPlatform.start();
  process.env = { ...environment, ...platform.environment };
  objects = await namedObjects(platform);
});
afterAll(async () => {
  process.env = environment;
  await platform.close();
});
beforeEach(async () => {
  process.env = { ...environment, ...platform.environment };
  await platform.settings({ duplicateNames: false });
  await platform.clearFaults();
  plugin = await newPlugin();
  await platform.clearRequests();
});

const uidOf = (kind: NamedObject["kind"]) => objects.find((each) => each.kind === kind)?.uid ?? "";
const named = (kind: NamedObject["kind"]) => objects.find((each) => each.kind === kind)?.ids[0] ?? "";
const refused = async (type: string, id: string): Promise<string> =>
  plugin.import(type, id).then(
    ({ id: uid }) => `imported ${uid}`,
    (error: unknown) => (error as Error).message,
  );

test("there is an object of every kind", () => {
  expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(Object.keys(all)));
});

test.each(Object.keys(all) as (keyof typeof all)[])(
  "a %s is imported by each of its names as by its uid, and nothing is written",
  async (kind) => {
    for (const { uid, ids } of objects.filter((each) => each.kind === kind)) {
      const byUid = await plugin.import(typeOf(kind), uid);
      expect(byUid.id).toBe(uid);
      for (const id of ids) expect(await plugin.import(typeOf(kind), id)).toEqual(byUid);
    }
    expect(await platform.writes()).toEqual([]);
  },
);

test("an import by a complete uid looks nothing up", async () => {
  await plugin.import(group, uidOf("group"));
  expect((await platform.requests()).filter(({ method }) => method === "GET")).toHaveLength(1);
});

test("a built-in role has its name alone, and a custom role of that name needs its path", async () => {
  const viewer = await platform.role("viewer");
  const custom = await platform.create("roles", uidOf("group"), { name: "viewer", capabilities: ["CAP_REPO_LIST"] });
  expect((await plugin.import(role, "viewer")).id).toBe(viewer);
  expect((await plugin.import(role, "acme.example/shop/viewer")).id).toBe(custom.uid);
  expect(await refused(role, "deploy-er")).toContain("write the path of its group");
});

test.each([
  [group, "acme.exmaple/shop", 'no root organisation "acme.exmaple" is visible', 'Did you mean "acme.example"?'],
  [group, "acme.example/shpo", '"acme.example" exists', 'it has no group "shpo"', 'Did you mean "shop"?'],
  [identity, "acme.example/shpo/ci", '"acme.example" exists', 'it has no group "shpo"'],
  [identity, "acme.example/shop/cd", 'group "acme.example/shop" exists', 'it has no identity "cd"', '"ci"'],
  [role, "acme.example/shpo/deploy/er", '"acme.example" exists', 'it has no group "shpo"'],
  [binding, "acme.example/shpo|acme.example/shop/ci|viewer", 'it has no group "shpo"'],
  [binding, "acme.example/shop|acme.example/shop/cd|viewer", 'it has no identity "cd"'],
  [binding, "acme.example/shop|acme.example/shop/ci|veiwer", "no built-in role has that name", '"viewer"'],
  [binding, "acme.example/shop|acme.example/shop/ci|editor", "it has no role binding with identityUid"],
  [tag, "acme.example/shop/images/nginx:1.26", 'repo "acme.example/shop/images/nginx" exists', 'it has no tag "1.26"'],
])("a %s that does not exist, %s, says which part is missing", async (type, id, ...parts) => {
  const message = await refused(type, id);
  for (const part of parts) expect(message).toContain(part);
  expect(message).toMatch(/\[NOT_FOUND\]/);
});

test.each([
  [group, "acme.example//shop", "group/name"],
  [identity, "ci", "group/name"],
  [binding, "acme.example/shop|ci", "group|identity|role"],
  [binding, "acme.example/shop|acme.example/shop/ci|viewer|more", "group|identity|role"],
  [binding, `acme.example/shop|{"issuer":"https://issuer.example"}|viewer`, "group|identity|role"],
  [binding, `acme.example/shop|acme.example/shop/ci|${JSON.stringify(login)}`, "group|identity|role"],
  [tag, "acme.example/shop/images/nginx", "repo:name"],
])("a %s in no form, %s, is rejected with the form", async (type, id, form) => {
  const message = await refused(type, id);
  expect(message).toContain(`not of the form ${form}`);
  expect(message).toContain("[INVALID_INPUT]");
});

describe("an ambiguous name is refused, with the uid of each candidate and when it was created", () => {
  beforeEach(() => platform.settings({ duplicateNames: true }));

  test("a group in the middle of a path, and at its end", async () => {
    const [one, other] = [
      await platform.create("groups", platform.root, { name: "twin", description: "The old one" }),
      await platform.create("groups", platform.root, { name: "twin" }),
    ];
    await platform.create("identities", one.uid, { name: "ci", claimMatch: login });
    for (const [type, id] of [
      [group, "acme.example/twin"],
      [identity, "acme.example/twin/ci"],
      [binding, "acme.example/twin|acme.example/shop/ci|viewer"],
    ] as const) {
      const message = await refused(type, id);
      expect(message).toContain("[AMBIGUOUS]");
      expect(message).toContain(`${one.uid} (created ${String(one["createTime"])}, "The old one")`);
      expect(message).toContain(`${other.uid} (created ${String(other["createTime"])})`);
    }
  });

  test("a role binding that exists twice", async () => {
    const identityUid = (await platform.create("identities", uidOf("group"), { name: "both", claimMatch: login })).uid;
    const roleUid = await platform.role("editor");
    const [one, other] = [
      await platform.create("roleBindings", uidOf("group"), { identityUid, roleUid }),
      await platform.create("roleBindings", uidOf("group"), { identityUid, roleUid }),
    ];
    const message = await refused(binding, "acme.example/shop|acme.example/shop/both|editor");
    expect(message).toContain("[AMBIGUOUS]");
    expect(message).toContain(one.uid);
    expect(message).toContain(other.uid);
  });

  test("a path of two groups and names that both exist", async () => {
    const nested = await platform.create("groups", uidOf("group"), { name: "deploy" });
    const other = await platform.create("roles", nested.uid, { name: "er", capabilities: ["CAP_REPO_LIST"] });
    try {
      const message = await refused(role, named("role"));
      expect(message).toContain("[AMBIGUOUS]");
      expect(message).toContain(uidOf("role"));
      expect(message).toContain(other.uid);
    } finally {
      await platform.delete("roles", other.uid);
      await platform.delete("groups", nested.uid);
    }
  });
});

test("a List that fails decides nothing", async () => {
  await platform.fault({ path: "/groups$" }, { status: 403 });
  expect(await refused(group, "acme.example/shop")).not.toContain("imported");
});

test("without the setting, platform:organization says so", async () => {
  delete process.env["PLATFORM_ORGANIZATION"];
  const unset = clientOf(() => new Plugin([], (settings) => openRun(settings, process.env)));
  await unset.configure();
  plugin = unset;
  expect(await refused(group, "platform:organization")).toContain("Set platform:organization to its uid");
});

test("get takes the uid alone, because the engine keeps the text of a get as its id in the program", async () => {
  await expect(plugin.read(group, "acme.example/shop")).rejects.toThrow("pass the uid instead");
});

test("of two resources for the access of one group, one that is imported by path keeps its own access only", async () => {
  const access = typeOf("groupAccess");
  const { uid: parentUid } = await platform.create("groups", uidOf("group"), { name: "shared" });
  const identityUid = (await platform.create("identities", parentUid, { name: "shared-ci", claimMatch: login })).uid;
  const declared = (role: string) => ({ parentUid, access: { [role]: { ci: identityUid } }, roles: [role] });
  const made = async (name: string, role: string) => {
    const { inputs } = await plugin.check(access, name, declared(role));
    const { outs } = await plugin.create(access, inputs, { name });
    return { inputs, outs, binding: (outs as { bindings: Record<string, { ci: string }> }).bindings[role]?.ci };
  };
  const bindings = async () =>
    (await platform.objects("roleBindings")).map(({ uid }) => uid).filter((uid) => uid.startsWith(`${parentUid}/`));
  const [old, kept] = [await made("old", "editor"), await made("it", "viewer")];
  expect((await bindings()).sort()).toEqual([old.binding, kept.binding].sort());

  plugin = await newPlugin();
  expect((await plugin.import(access, "acme.example/shop/shared")).id).toBe(parentUid);
  const { inputs } = await plugin.check(access, "it", declared("viewer"), kept.inputs);
  expect(await plugin.diff(access, parentUid, kept.outs, inputs)).toMatchObject({ changes: false });
  await plugin.diff(access, parentUid, old.outs, old.inputs, [], urnOf(access, "old"));
  await plugin.delete(access, parentUid, old.outs, { urn: urnOf(access, "old") });
  expect(await bindings()).toEqual([kept.binding]);
  await plugin.delete(access, parentUid, kept.outs);
  expect(await bindings()).toEqual([kept.binding]);
});

test("an object that is imported by path, and that the engine then replaces on its own account, is deleted", async () => {
  const declared = (name: string) => ({ parentUid: uidOf("group"), name });
  const { uid } = await platform.create("groups", uidOf("group"), { name: "before" });
  const { outs } = await plugin.import(group, "acme.example/shop/before");
  const { inputs } = await plugin.check(group, "it", declared("after"));
  expect(await plugin.diff(group, uid, outs, inputs)).toMatchObject({ replaces: [] });
  await plugin.create(group, inputs);
  await plugin.delete(group, uid, outs);
  expect(await platform.groupNames()).toContain("after");
  expect(await platform.groupNames()).not.toContain("before");
});

test("one that the engine deletes before it makes another is kept, and the create says so instead of leaving it behind", async () => {
  const declared = (name: string) => ({ parentUid: uidOf("group"), name });
  const { uid } = await platform.create("groups", uidOf("group"), { name: "earlier" });
  const { outs } = await plugin.import(group, "acme.example/shop/earlier");
  const { inputs } = await plugin.check(group, "it", declared("later"));
  await plugin.diff(group, uid, outs, inputs);
  await plugin.delete(group, uid, outs);
  await expect(plugin.create(group, inputs)).rejects.toThrow(`${uid} and deletes it first`);
  expect(await platform.groupNames()).toContain("earlier");
  expect(await platform.groupNames()).not.toContain("later");
});
