import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { FaultProxy } from "../support/fault-proxy";
import { PluginClient } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";
import { Host, PluginProcess } from "./processes";

const platform = TestPlatform.forFile();
let proxy: FaultProxy;
let plugin: PluginProcess;
let connections: ResourceProviderClient[];

beforeEach(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
  plugin = await PluginProcess.start(proxy, platform);
  connections = [];
});
afterEach(async () => {
  for (const each of connections) each.close();
  await plugin.close();
  await proxy.close();
});

/** Another connection to the plugin, as an engine opens one for each provider. */
function connect(): PluginClient {
  const address = plugin.client.getChannel().getTarget().replace("dns:", "");
  const client = new ResourceProviderClient(address, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  connections.push(client);
  return new PluginClient(client);
}

let names = 0;
const makeGroup = async (client: PluginClient) => (await client.makeGroup(platform.root, `team-${++names}`)).id;

/** The settings of a provider whose identity exists nowhere. */
const nobody = () => ({ identity: `${platform.root}/00000000000000ff`, arguments: "identity" });

test("each connection has a provider of its own, with its settings and its end", async () => {
  const other = connect();
  await other.configure(nobody(), "other");
  await expect(makeGroup(other)).rejects.toThrow("00000000000000ff");
  await expect(makeGroup(plugin)).resolves.toContain(platform.root);
  await other.cancel();
  await expect(makeGroup(other)).rejects.toThrow("The run was cancelled");
  await expect(makeGroup(plugin)).resolves.toContain(platform.root);
});

test("a connection that was lost and opened again reaches its provider if that is the only one", async () => {
  await expect(makeGroup(connect())).resolves.toContain(platform.root);
});

test("after several providers, a connection that configured none of them is refused before anything is sent", async () => {
  const other = connect();
  await other.configure(nobody(), "other");
  const [lost, again] = [connect(), connect()];
  await platform.clearRequests();
  await expect(makeGroup(lost)).rejects.toThrow(/has served several providers.*\[CONFIGURATION\]/s);
  await expect(lost.delete("platform:iam:Group", platform.root, {})).rejects.toThrow("several providers");
  await expect(lost.cancel()).rejects.toThrow("several providers");
  expect(await platform.requests()).toEqual([]);
  // It may belong to the one that has ended, too.
  await other.cancel();
  await expect(makeGroup(again)).rejects.toThrow("several providers");
});

test("a connection over which the engine only looks at the configuration is no provider in use, and its end ends nothing", async () => {
  const looking = connect();
  expect(await looking.checkConfig({ baseUrl: platform.baseUrl })).toEqual([]);
  await looking.cancel();
  await expect(makeGroup(connect())).resolves.toContain(platform.root);
});

test("an ordinary host refuses every call of a run in which a rehearsal is declared", async () => {
  const rehearsal = { copy: platform.baseUrl, standsFor: [platform.baseUrl], token: "token" };
  const variables = { ...platform.environment, PLATFORM_REHEARSAL: JSON.stringify(rehearsal) };
  const host = await Host.start(variables);
  const rehearsing = await PluginProcess.start(proxy, platform, variables);
  await platform.clearRequests();
  const [id, state] = [`${platform.root}/0123456789abcdef`, { parentUid: platform.root, name: "team" }];
  for (const [client, type] of [
    [host, "group"],
    [rehearsing, "platform:iam:Group"],
  ] as const) {
    const refusal = "PLATFORM_REHEARSAL is set";
    expect((await client.check(type, "it", state)).failures).toEqual([["", expect.stringContaining(refusal)]]);
    const calls = [
      client.diff(type, id, state, { ...state, name: "b" }),
      client.create(type, state),
      client.read(type, id, state),
      client.update(type, id, state, { ...state, description: "b" }),
      client.delete(type, id, state),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(refusal);
  }
  await expect(rehearsing.invoke("platform:iam:getGroups", { inRoot: true })).rejects.toThrow("PLATFORM_REHEARSAL is set");
  await expect(rehearsing.list("platform:iam:Group", { inRoot: true })).rejects.toThrow("PLATFORM_REHEARSAL is set");
  expect(await rehearsing.checkConfig({})).toEqual([expect.stringContaining("PLATFORM_REHEARSAL is set")]);
  expect(await platform.requests()).toEqual([]);
  await Promise.all([host.close(), rehearsing.close()]);
});
