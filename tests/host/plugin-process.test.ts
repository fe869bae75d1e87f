import { readFileSync } from "node:fs";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { FaultProxy } from "../support/fault-proxy";
import { answered, urnOf } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";
import { PluginProcess } from "./processes";

const platform = TestPlatform.forFile();
let proxy: FaultProxy;
let plugin: PluginProcess;

const group = "platform:iam:Group";

beforeAll(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
  plugin = await PluginProcess.start(proxy, platform);
});
afterAll(async () => {
  await plugin.close();
  await proxy.close();
});

test("the schema that the plugin serves is the committed one", async () => {
  expect(await plugin.schema()).toEqual(JSON.parse(readFileSync(path.resolve(__dirname, "../../schema.json"), "utf8")));
});

test("the plugin serves every resource and every function of its schema", async () => {
  const { resources, functions } = (await plugin.schema()) as {
    resources: Record<string, { isComponent?: true }>;
    functions: object;
  };
  const [components, others] = [true, undefined].map((is) =>
    Object.keys(resources).filter((type) => resources[type]?.isComponent === is),
  );
  const refusals = [
    ...Object.keys(functions).map((token) => plugin.invoke(token, { noSuchArgument: 1 })),
    ...(others ?? []).map((type) => plugin.check(type, "it", {})),
  ];
  const answers = await Promise.allSettled<unknown>(refusals);
  const errors = answers.flatMap((each) => (each.status === "rejected" ? [each.reason as { code: status }] : []));
  expect(errors.filter(({ code }) => code === status.UNIMPLEMENTED)).toEqual([]);
  for (const type of components ?? []) {
    const request = new ConstructRequest().setType(type).setName("it").setMonitorendpoint("127.0.0.1:1");
    const constructed = answered((done) => plugin.client.construct(request, done));
    await expect(constructed).rejects.toThrow("UNAVAILABLE");
  }
});

test("effective access is answered: in a group, each grant with its role", async () => {
  const { grants } = await plugin.invoke("platform:iam:getEffectiveAccess", { group: platform.root });
  expect(grants).toContainEqual(expect.objectContaining({ role: expect.objectContaining({ name: "owner" }) as object }));
});

test("messages go to the engine's log, with the resource that they are about", async () => {
  const made = await platform.create("groups", platform.root, { name: "team" });
  const { inputs } = await plugin.check(group, "team", { parentUid: platform.root, adopt: true });
  await plugin.create(group, inputs, { name: "team" });
  expect(plugin.messages).toEqual([
    expect.objectContaining({ urn: urnOf(group, "team"), text: expect.stringContaining(`adopted group "team"`) as string }),
  ]);
  expect(plugin.messages[0]?.text).toContain(made.uid);
});

// The last one in this file.
test("the plugin ends with its engine, although its stdin is no pipe", async () => {
  plugin.loseEngine();
  expect(await plugin.ended()).toBe(1);
});
