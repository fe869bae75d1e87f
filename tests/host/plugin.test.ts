import { status } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { answered, type PluginClient, secret, unknown, urnOf } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";
import { pluginForEach } from "./plugin-on-platform";

const all = pluginForEach();
let platform: TestPlatform;
let plugin: PluginClient;
beforeEach(() => ({ platform, plugin } = all));

const group = "platform:iam:Group";
const identity = "platform:iam:Identity";
const binding = "platform:iam:RoleBinding";
const invite = "platform:iam:GroupInvite";
const access = "platform:iam:GroupAccess";
const claimMatch = { issuer: "https://issuer.example", subject: "ci" };

test("the logical name is the default name; a given and an unknown one stay", async () => {
  expect((await plugin.check(group, "team", { parentUid: platform.root })).inputs).toMatchObject({ name: "team" });
  expect((await plugin.check(group, "team", { parentUid: platform.root, name: "other" })).inputs).toMatchObject({
    name: "other",
  });
  expect((await plugin.check(group, "team", { parentUid: platform.root, name: unknown })).inputs).toMatchObject({
    name: unknown,
  });
  expect((await plugin.check(group, "No name!", { parentUid: platform.root })).failures).toHaveLength(1);
});

test("unknown values of every type pass the check", async () => {
  const unknownObject = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";
  const { failures } = await plugin.check(identity, "ci", { parentUid: unknown, claimMatch: unknownObject });
  expect(failures).toEqual([]);
});

test("a diff names each member that differs, and what replaces", async () => {
  const olds = { parentUid: "a", name: "ci", claimMatch, createTime: "2026-01-01T00:00:00Z" };
  const changed = { parentUid: "a", name: "ci", claimMatch: { ...claimMatch, subject: "other" } };
  expect(await plugin.diff(identity, "a/b", olds, changed)).toEqual({
    changes: true,
    replaces: [],
    deleteBeforeReplace: false,
    detailed: { "claimMatch.subject": "UPDATE" },
  });
  expect((await plugin.diff(identity, "a/b", olds, { ...changed, claimMatch, description: "new" })).detailed).toEqual({
    description: "ADD",
  });
  expect(await plugin.diff(group, "a/b", { parentUid: "a", name: "x" }, { parentUid: "c", name: "x" })).toMatchObject({
    replaces: ["parentUid"],
    detailed: { parentUid: "UPDATE_REPLACE" },
  });
  expect(
    await plugin.diff(identity, "a/b", { ...olds, __provider: "old text" }, { parentUid: "a", name: "ci", claimMatch }),
  ).toEqual({
    changes: false,
    replaces: [],
    deleteBeforeReplace: false,
    detailed: {},
  });
});

test("a diff names the keys of maps as the engine reads them; one that its paths cannot express shows the map", async () => {
  const withClaims = (claims: object) => ({ parentUid: "a", name: "ci", claimMatch: { ...claimMatch, claims } });
  const changed = (claims: object) => plugin.diff(identity, "a/b", withClaims({ sub: "x" }), withClaims({ sub: "x", ...claims }));
  const names = { "a.b": "1", 'say "hi"': "2", "ACME\\zoe": "3" };
  expect((await changed(names)).detailed).toEqual({
    'claimMatch.claims["a.b"]': "ADD",
    'claimMatch.claims["say \\"hi\\""]': "ADD",
    'claimMatch.claims["ACME\\zoe"]': "ADD",
  });
  expect((await changed({ ...names, "ACME\\": "4" })).detailed).toEqual({ "claimMatch.claims": "UPDATE" });
});

test("a failed check about a part of an input, or a missing one, names it in its reason: the engine would print {<nil>}", async () => {
  const news = { claimMatch: { issuer: "ftp://issuer.example", subject: "ci" }, description: 7 };
  expect((await plugin.check(identity, "ci", news)).failures.sort()).toEqual([
    ["", expect.stringMatching(/^claimMatch\.issuer must be an https URL/)],
    ["", "parentUid or parentPath is required [INVALID_INPUT]"],
    ["description", "description must be a string [INVALID_INPUT]"],
  ]);
  const members = { "not a role\n": { zoe: `${platform.root}/0123456789abcdef` } };
  expect((await plugin.check(access, "it", { parentUid: platform.root, access: members })).failures).toEqual([
    ["", expect.stringMatching(/^access\.not a role \[INVALID_INPUT\]\n: role /)],
  ]);
});

test("changes that the program ignores are no difference", async () => {
  const olds = { parentUid: "a", name: "ci", description: "by hand", claimMatch: { ...claimMatch, subject: "by hand" } };
  const news = { parentUid: "a", name: "ci", description: "declared", claimMatch };
  expect((await plugin.diff(identity, "a/b", olds, news, ["description"])).detailed).toEqual({ "claimMatch.subject": "UPDATE" });
  expect((await plugin.diff(identity, "a/b", olds, news, ["description", 'claimMatch["subject"]'])).changes).toBe(false);
});

test("an ignored member of a form that an identity does not have makes up no form, which would replace the identity", async () => {
  const news = { parentUid: "a", name: "ci", claimMatch };
  const olds = { ...news, claimMatch: { ...claimMatch, subject: "old" } };
  const { detailed, replaces } = await plugin.diff(identity, "a/b", olds, news, ["staticKeys.expirationTime"]);
  expect({ detailed, replaces }).toEqual({ detailed: { "claimMatch.subject": "UPDATE" }, replaces: [] });
});

test("in an update the engine alone ignores changes: of a list, it puts back the item, not the list", async () => {
  const role = "platform:iam:Role";
  const [olds, news] = [["CAP_REPO_LIST", "CAP_TAG_LIST"], ["CAP_REPO_LIST"]].map((capabilities) => ({
    ...{ parentUid: platform.root, name: "puller", capabilities },
  })) as [object, object];
  await plugin.check(role, "it", { ...news }, { ...olds });
  const { changes } = await plugin.diff(role, `${platform.root}/b`, { ...olds }, { ...news }, ["capabilities[0]"]);
  expect(changes).toBe(true);
});

test("the preview of an update knows inputs and the time of creation; what is copied from other objects is unknown", async () => {
  const olds = {
    parentUid: "a",
    identityUid: "a/i",
    roleUid: "r",
    identity: { name: "ci" },
    role: { name: "viewer" },
    createTime: "t",
  };
  const news = { parentUid: "a", identityUid: "a/i", roleUid: "s" };
  expect(await plugin.update(binding, "a/b", olds, news, { preview: true })).toEqual({
    ...news,
    identity: unknown,
    login: unknown,
    group: unknown,
    role: unknown,
    createTime: "t",
  });
  expect(await plugin.create(binding, news, { preview: true })).toMatchObject({ id: "", outs: { ...news, createTime: unknown } });
  expect(await platform.requests()).toEqual([]);
});

test("a preview does not know what the platform fills in, also in a message; in an update it stays", async () => {
  const staticKeys = { issuer: "https://issuer.example", subject: "ci", issuerKeys: "{}" };
  const [news, expirationTime] = [{ parentUid: "a", name: "ci", staticKeys }, "2027-01-01T00:00:00Z"];
  expect((await plugin.create(identity, news, { preview: true })).outs).toMatchObject({
    staticKeys: { ...staticKeys, expirationTime: unknown },
  });
  const olds = { ...news, staticKeys: { ...staticKeys, expirationTime } };
  const changed = { ...news, staticKeys: { ...staticKeys, subject: "other" } };
  expect(await plugin.update(identity, "a/b", olds, changed, { preview: true })).toMatchObject({
    staticKeys: { ...changed.staticKeys, expirationTime },
  });
});

test("a replacement that only the engine decides on, with `replaceOnChanges`, names the option that it needs", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "team" });
  const [olds, news] = [
    { parentUid: platform.root, name: "team" },
    { parentUid: platform.root, name: "team", description: "new" },
  ];
  const { inputs } = await plugin.check(group, "team", news, olds);
  expect((await plugin.diff(group, uid, olds, inputs)).replaces).toEqual([]);
  await plugin.check(group, "team", news);
  await expect(plugin.create(group, inputs)).rejects.toThrow("set `deleteBeforeReplace: true`");
});

test("a read without state fills the inputs; a missing object is an error, and a deleted one has no id", async () => {
  const made = await platform.create("groups", platform.root, { name: "team", description: "by hand" });
  const { id, inputs } = await plugin.read(group, made.uid);
  expect([id, inputs]).toEqual([made.uid, { parentUid: platform.root, name: "team", description: "by hand" }]);
  const missing = `${platform.root}/0123456789abcdef`;
  await expect(plugin.read(group, missing)).rejects.toThrow(`group ${missing} not found`);
  await platform.create("groups", platform.root, { name: "other" });
  expect(await plugin.read(group, missing, { parentUid: platform.root, name: "gone" })).toMatchObject({ id: "" });
});

test("what only the platform's first answer shows is marked as a secret", async () => {
  const team = await plugin.makeGroup(platform.root, "team");
  const role = await platform.role("viewer");
  const { inputs } = await plugin.check(invite, "guest", {
    parentUid: team.id,
    roleUid: role,
    ttl: "3600s",
    email: "a@example.com",
  });
  const { outs } = await plugin.create(invite, inputs);
  expect(outs["code"]).toEqual(secret(expect.any(String)));
});

test("a second provider in one process does not move the first one to its settings", async () => {
  await expect(plugin.configure({ baseUrl: "https://other.example" }, "other")).rejects.toThrow("already serves a provider");
  expect((await plugin.makeGroup(platform.root, "team")).id).toBe((await platform.named("groups", "team")).uid);
  await plugin.configure();
});

test("settings arrive with their marks and count without them; a wrong one fails the check of the configuration", async () => {
  await plugin.cancel();
  await plugin.configure({ baseUrl: secret(all.proxy.baseUrl), version: "0.1.0" });
  await expect(plugin.makeGroup(platform.root, "team")).resolves.toMatchObject({
    id: expect.stringContaining(`${platform.root}/`) as string,
  });
  expect(await plugin.checkConfig({ baseUrl: platform.baseUrl })).toEqual([]);
  expect(await plugin.checkConfig({ baseURL: platform.baseUrl })).toEqual([expect.stringContaining("platform:baseUrl")]);
  expect(await plugin.checkConfig({ baseUrl: unknown })).toEqual([]);
});

test("a provider that a program calls `default` is its own: no credentials of the stack reach another platform", async () => {
  expect(await plugin.checkConfig({ baseUrl: platform.baseUrl, arguments: "baseUrl" })).toEqual([
    expect.stringContaining("No credentials: "),
  ]);
});

test("`platform:arguments` in the configuration of a stack is no setting", async () => {
  expect(await plugin.checkConfig({ arguments: "baseUrl" })).toEqual([
    "platform:arguments is not a setting. Remove it with `pulumi config rm platform:arguments`. [CONFIGURATION]",
  ]);
});

test("data sources answer, and their errors name them", async () => {
  const made = await platform.create("groups", platform.root, { name: "team" });
  expect(await plugin.invoke("platform:iam:getGroup", { name: "team" })).toMatchObject({ uid: made.uid, name: "team" });
  expect(await plugin.invoke("platform:iam:getGroups", { childrenOf: platform.root })).toMatchObject({
    groups: [{ uid: made.uid }],
  });
  await expect(plugin.invoke("platform:iam:getGroup", {})).rejects.toThrow("getGroup: which group?");
  await expect(plugin.invoke("platform:iam:getGroups", { nme: "x" })).rejects.toThrow("is not an argument of this function");
  await expect(plugin.invoke("platform:iam:getNothing", {})).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test("methods are answered as unimplemented", async () => {
  const call = answered((done) => plugin.client.call(new proto.CallRequest(), done));
  await expect(call).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

describe("a replacement that only the engine decides on, with `replaceOnChanges`", () => {
  const binds = (identityUid: string, roleUid: string) => ({ parentUid: platform.root, identityUid, roleUid });

  /** A role binding in state as viewer, and what the program makes of it: editor. */
  async function changedBinding() {
    const claims = { issuer: "https://issuer.example", subject: "ci" };
    const { uid: who } = await platform.create("identities", platform.root, { name: "ci", claimMatch: claims });
    const [viewer, editor] = [await platform.role("viewer"), await platform.role("editor")];
    const { uid } = await platform.create("roleBindings", platform.root, { identityUid: who, roleUid: viewer });
    return { uid, olds: binds(who, viewer), news: binds(who, editor) };
  }
  const bound = async () => (await platform.objects("roleBindings")).map(({ uid }) => uid);

  test("deletes the old object, whose access would live on otherwise", async () => {
    const { uid, olds, news } = await changedBinding();
    const { inputs } = await plugin.check(binding, "it", news, olds);
    expect((await plugin.diff(binding, uid, olds, inputs)).replaces).toEqual([]);
    await plugin.check(binding, "it", news);
    const { id } = await plugin.create(binding, inputs);
    await plugin.delete(binding, uid, olds);
    expect(await bound()).toContain(id);
    expect(await bound()).not.toContain(uid);
  });

  test("with `deleteBeforeReplace`, when the natural key stays, replaces the object", async () => {
    const { uid } = await platform.create("groups", platform.root, { name: "team" });
    const olds = { parentUid: platform.root, name: "team" };
    const { inputs } = await plugin.check(group, "it", { ...olds, description: "new" }, olds);
    await plugin.diff(group, uid, olds, inputs);
    await plugin.delete(group, uid, olds);
    expect(await platform.groupNames()).toEqual([]);
    await plugin.check(group, "it", { ...olds, description: "new" });
    await plugin.create(group, inputs);
    expect(await platform.groupNames()).toEqual(["team"]);
  });

  test("deletes the old group, although the access to it, which has its uid, was compared too", async () => {
    const { uid } = await platform.create("groups", platform.root, { name: "team" });
    const olds = { parentUid: platform.root, name: "team" };
    const { inputs } = await plugin.check(group, "it", { ...olds, name: "squad" }, olds);
    expect((await plugin.diff(group, uid, olds, inputs)).replaces).toEqual([]);
    await plugin.check(group, "it", { ...olds, name: "squad" });
    const { id } = await plugin.create(group, inputs);
    const [before, after] = [uid, id].map((parentUid) => ({ parentUid, access: { viewer: { zoe: "0".repeat(40) } } }));
    await plugin.check(access, "it", after ?? {}, before);
    expect((await plugin.diff(access, uid, before ?? {}, after ?? {})).replaces).toEqual(["parentUid"]);
    await plugin.delete(group, uid, olds);
    expect(await platform.groupNames()).toEqual(["squad"]);
  });

  test("keeps what another resource of the program has, also when a refresh has compared the deleted one", async () => {
    const { uid, olds, news } = await changedBinding();
    const other = urnOf(binding, "other");
    await plugin.diff(binding, uid, olds, olds, [], other);
    const { inputs } = await plugin.check(binding, "it", news, olds);
    await plugin.diff(binding, uid, olds, inputs);
    await plugin.delete(binding, uid, olds, { urn: other });
    expect(await bound()).toContain(uid);
  });
});
