import { ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { construct } from "../../sdk/construct/construct";
import { FakeMonitor } from "../support/fake-monitor";
import { type Properties, secret, unknown } from "../support/plugin-client";

const root = "0123456789abcdef0123456789abcdef01234567";
const stack = "urn:pulumi:stack::project::pulumi:pulumi:Stack::project-stack";
const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const asked = { engine: "", provider: "urn:pulumi:stack::project::pulumi:providers:platform::default::an-id" };

let monitor: FakeMonitor;
beforeEach(async () => (monitor = await FakeMonitor.start()));
afterEach(() => monitor.close());

/** How an SDK sends an output. */
const output = (members: { value?: unknown; secret?: boolean; dependencies?: string[] }) => ({
  "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  ...members,
});

function requestOf(type: string, name: string, inputs: Properties): ConstructRequest {
  const request = new ConstructRequest().setType(`platform:iam:${type}`).setName(name).setParent(stack);
  request.setProject("project").setStack("stack").setParallel(4).setMonitorendpoint(monitor.address);
  return request.setInputs(Struct.fromJavaScript(inputs as Record<string, JavaScriptValue>));
}

const organization = (inputs: Properties, name = "acme") => construct(requestOf("Organization", name, inputs), asked);
const inputsOf = (name: string) => monitor.registered.find((each) => each.name === name)?.inputs;
const stateOf = (response: ConstructResponse) => response.getState()?.toJavaScript();

test("an organisation is registered with its resources, and answered with its URN and uids", async () => {
  const groups = { shop: { identities: { ci: { claimMatch } }, access: { viewer: ["ci"] } } };
  const response = await organization({ parentUid: root, groups });
  const urn = "urn:pulumi:stack::project::platform:iam:Organization::acme";
  expect(response.getUrn()).toBe(urn);
  const outputs = { groups: { "acme/shop": "uid of acme/shop" }, identities: { "acme/shop/ci": "uid of acme/shop/ci" } };
  expect(stateOf(response)).toEqual(outputs);
  expect(monitor.outputs.get(urn)).toEqual(outputs);
  const [dependencies] = [response.getStatedependenciesMap().get("groups")?.getUrnsList()];
  expect(dependencies).toEqual(["urn:pulumi:stack::project::platform:iam:Organization$platform:iam:Group::acme/shop"]);
  expect(monitor.registered.map(({ type, name, parent }) => [type, name, parent])).toEqual([
    ["platform:iam:Organization", "acme", stack],
    ["platform:iam:Group", "acme/shop", urn],
    ["platform:iam:Identity", "acme/shop/ci", urn],
    ["platform:iam:RoleBinding", "acme/shop:viewer:shop/ci", urn],
  ]);
  expect(inputsOf("acme")).toEqual({});
  expect(inputsOf("acme/shop")).toMatchObject({ name: "shop", parentUid: root });
});

test("a team is answered with the uids of its group and its pipeline", async () => {
  const response = await construct(requestOf("Team", "web", { parentUid: root, pipeline: { claimMatch } }), asked);
  expect(stateOf(response)).toEqual({ group: "uid of web", pipeline: "uid of web/pipeline" });
});

test("marks of secrets and unknown values reach the resources where they were; known outputs are read as objects", async () => {
  const dependencies = ["urn:pulumi:stack::project::platform:iam:Group::top"];
  await organization({
    parentUid: output({ dependencies }),
    groups: output({
      value: {
        shop: output({
          value: {
            description: secret("hidden"),
            identities: { ci: { claimMatch: output({ value: claimMatch, secret: true }) } },
          },
        }),
        other: { description: unknown, groups: { inner: { description: output({ value: "text", dependencies }) } } },
      },
    }),
  });
  expect(inputsOf("acme/shop")).toMatchObject({ description: secret("hidden"), parentUid: unknown });
  expect(inputsOf("acme/other")).toMatchObject({ description: unknown });
  expect(inputsOf("acme/shop/ci")).toMatchObject({ claimMatch: secret(claimMatch) });
  const dependenciesOf = (name: string, property: string) =>
    monitor.registered
      .find((each) => each.name === name)
      ?.request.getPropertydependenciesMap()
      .get(property)
      ?.getUrnsList();
  expect(inputsOf("acme/other/inner")).toMatchObject({ description: "text" });
  expect(dependenciesOf("acme/other/inner", "description")).toEqual(dependencies);
  expect(dependenciesOf("acme/shop", "parentUid")).toEqual(dependencies);
  expect(dependenciesOf("acme/shop", "description")).toEqual([]);
});

test("dependencies of an argument without output values are those of all its values", async () => {
  const request = requestOf("Organization", "acme", { parentUid: root, groups: { shop: {} } });
  const urn = "urn:pulumi:stack::project::platform:iam:Group::top";
  request.getInputdependenciesMap().set("parentUid", new ConstructRequest.PropertyDependencies().setUrnsList([urn]));
  await construct(request, asked);
  const shop = monitor.registered.find(({ name }) => name === "acme/shop")?.request;
  expect(shop?.getPropertydependenciesMap().get("parentUid")?.getUrnsList()).toEqual([urn]);
});

test.each([
  ["a secret tree", { groups: secret({ shop: {} }) }, "keys must be known now"],
  ["an unknown tree", { groups: unknown }, "keys must be known now"],
  ["a wrong key", { groups: { shop: { descripton: "" } } }, 'groups.shop: "descripton" is not a key of group'],
  ["no tree", {}, "set exactly one of groups and file"],
  [
    "a file in place of a text",
    { groups: { shop: { description: { [Object.keys(secret(""))[0] ?? ""]: "c44067f5952c0a294b673a41bacd8c17" } } } },
    "no component takes one",
  ],
])("%s is an error that says so, and registers nothing", async (_title, inputs, text) => {
  const failed = organization({ parentUid: root, ...inputs });
  await expect(failed).rejects.toThrow(text);
  await expect(failed).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(monitor.registered).toEqual([]);
});

test("options of the component apply to it and to its resources", async () => {
  const request = requestOf("Organization", "acme", { parentUid: root, groups: { shop: {} } })
    .setProtect(true)
    .setRetainondelete(true);
  const dependency = "urn:pulumi:stack::project::platform:iam:Group::top";
  request.setDependenciesList([dependency]).setAliasesList([new Alias().setSpec(new Alias.Spec().setName("old"))]);
  await construct(request, asked);
  const [acme, shop] = monitor.registered.map(({ request: each }) => each);
  expect(acme?.getAliasesList().map((alias) => alias.getSpec()?.getName())).toEqual(["old"]);
  // The engine passes it on to the resources.
  expect(acme?.getRetainondelete()).toBe(true);
  for (const each of [acme, shop]) {
    expect(each?.getProtect()).toBe(true);
    expect(each?.getDependenciesList()).toContain(dependency);
  }
  expect(shop?.getProvider()).toBe(asked.provider);
  const chosen = requestOf("Organization", "other", { parentUid: root, groups: { shop: {} } });
  const reference = "urn:pulumi:stack::project::pulumi:providers:platform::chosen::its-id";
  chosen.getProvidersMap().set("platform", reference);
  await construct(chosen, asked);
  expect(monitor.registered.find(({ name }) => name === "other/shop")?.request.getProvider()).toBe(reference);
});

test("deletedWith is rejected, because the engine would pass it on to the resources", async () => {
  const request = requestOf("Organization", "acme", { parentUid: root, groups: { shop: {} } }).setDeletedwith(stack);
  await expect(construct(request, asked)).rejects.toThrow("the option deletedWith is not supported");
  expect(monitor.registered).toEqual([]);
});

test("an unknown component is named", async () => {
  await expect(construct(requestOf("Nothing", "it", {}), asked)).rejects.toThrow("platform:iam:Nothing is not a component");
});
