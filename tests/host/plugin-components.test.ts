import { setTimeout as sleep } from "node:timers/promises";
import { ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { FakeMonitor } from "../support/fake-monitor";
import { FaultProxy } from "../support/fault-proxy";
import { answered } from "../support/plugin-client";
import { TestPlatform } from "../support/test-platform";
import { PluginProcess } from "./processes";

const platform = TestPlatform.forFile();
let proxy: FaultProxy;
let plugin: PluginProcess;

beforeAll(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
  plugin = await PluginProcess.start(proxy, platform);
});
afterAll(async () => {
  await plugin.close();
  await proxy.close();
});

let monitor: FakeMonitor;
beforeEach(async () => (monitor = await FakeMonitor.start()));
afterEach(() => monitor.close());

/** Constructs an organisation with a group in a group. */
const organization = (name: string, groups: Record<string, object> = { shop: { groups: { inner: {} } } }) => {
  const request = new ConstructRequest().setType("platform:iam:Organization").setName(name).setMonitorendpoint(monitor.address);
  request
    .setProject("project")
    .setStack("stack")
    .setInputs(Struct.fromJavaScript({ parentUid: platform.root, groups }));
  return answered<ConstructResponse>((done) => plugin.client.construct(request, done));
};

test("components are constructed at once, with connections of their own, and again for another run", async () => {
  const made = await Promise.all(["one", "other"].map((name) => organization(name)));
  expect(made.map((each) => each.getState()?.toJavaScript())).toMatchObject([
    { groups: { "one/shop/inner": "uid of one/shop/inner" } },
    { groups: { "other/shop/inner": "uid of other/shop/inner" } },
  ]);
  monitor.close();
  monitor = await FakeMonitor.start();
  await organization("next");
  expect(monitor.registered).toHaveLength(3);
});

test("an error of a component is answered once the others have ended, and ends no process", async () => {
  monitor.beforeAnswer = async ({ name }) => {
    if (name === "bad/shop") throw new Error("refused");
    if (name.startsWith("good/")) await sleep(200);
  };
  const [bad, worse, good] = [organization("bad"), organization("worse", { "": {} }), organization("good")];
  const urn = "urn:pulumi:stack::project::platform:iam:Organization::good";
  await expect(bad).rejects.toMatchObject({ details: expect.stringContaining("refused") as string });
  expect(monitor.outputs.has(urn)).toBe(true);
  await expect(worse).rejects.toMatchObject({ details: expect.stringContaining("has 1 problem") as string });
  expect((await good).getUrn()).toBe(urn);
  await organization("next");
});

test("a cancelled run answers the components in progress", async () => {
  const own = await PluginProcess.start(proxy, platform);
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  monitor.beforeAnswer = () => {
    isAsked();
    return new Promise(() => undefined);
  };
  const request = new ConstructRequest().setType("platform:iam:Organization").setName("acme").setMonitorendpoint(monitor.address);
  request.setInputs(Struct.fromJavaScript({ parentUid: platform.root, groups: { shop: {} } }));
  const constructed = answered((done) => own.client.construct(request, done));
  await asked;
  const refused = expect(constructed).rejects.toMatchObject({ details: expect.stringContaining("CALLER_ABORTED") as string });
  await own.cancel();
  await refused;
  await own.close();
});
