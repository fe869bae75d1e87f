import { status } from "@grpc/grpc-js";
import type { FaultProxy } from "../support/fault-proxy";
import { type PluginClient, unknown } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";
import { pluginForEach } from "./plugin-on-platform";

const all = pluginForEach();
let platform: TestPlatform;
let proxy: FaultProxy;
let plugin: PluginClient;
beforeEach(() => ({ platform, proxy, plugin } = all));

const group = "platform:iam:Group";

test("a List has each object that the query selects, with the id that an import takes, and its name", async () => {
  const place = (await platform.create("groups", platform.root, { name: "place" })).uid;
  const team = (await platform.create("groups", place, { name: "team" })).uid;
  const other = (await platform.create("groups", place, { name: "other" })).uid;
  const below = [
    ["other", other],
    ["team", team],
  ];
  expect(((await plugin.list(group, { childrenOf: place })) as string[][]).sort()).toEqual(below);
  expect(await plugin.list(group, { descendantsOf: place, name: "team" })).toEqual([["team", team]]);
  expect(await plugin.list(group, { childrenOf: team })).toEqual([]);
  expect(await plugin.read(group, team)).toMatchObject({ id: team, inputs: { name: "team" } });
});

test("a List has no more objects than its limit, and those without a name have none", async () => {
  expect(await plugin.list("platform:iam:Role", {}, 2)).toHaveLength(2);
  const bindings = await plugin.list("platform:iam:RoleBinding");
  const uids = (await platform.objects("roleBindings")).map(({ uid }) => ["", uid]);
  expect((bindings as string[][]).sort()).toEqual(uids.sort());
});

test("a List is read to its last page; its limit counts over all of them", async () => {
  const place = (await platform.create("groups", platform.root, { name: "paged" })).uid;
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
  for (const name of names) await platform.create("groups", place, { name });
  proxy.pageLimit = 3;
  const listed = (await plugin.list(group, { childrenOf: place })) as string[][];
  expect(listed.map(([name]) => name).sort()).toEqual(names);
  expect(await plugin.list(group, { childrenOf: place }, 5)).toHaveLength(5);
});

test("a query that a preview does not know yet is not asked; a wrong one is refused", async () => {
  await platform.clearRequests();
  expect(await plugin.list(group, { childrenOf: unknown })).toBe("computed");
  await expect(plugin.list(group, { nme: "team" })).rejects.toThrow("is not an argument of this function");
  expect(await platform.requests()).toEqual([]);
});

test("what the platform has no list of is answered as unimplemented; an error of the platform names the call", async () => {
  const missing = { code: status.UNIMPLEMENTED };
  await expect(plugin.list("platform:registry:RegistryCredentials")).rejects.toMatchObject(missing);
  await expect(plugin.list("platform:iam:GroupAccess")).rejects.toMatchObject(missing);
  await platform.fault({ method: "GET" }, { status: 403, code: 7, message: "no" }, { times: 0 });
  await expect(plugin.list(group)).rejects.toThrow("getGroups: ");
});
