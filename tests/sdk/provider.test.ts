import * as pulumi from "@pulumi/pulumi";
import { getGroups, getGroupsOutput, Group, Provider, type ProviderArgs } from "../../sdk";
import { TestPlatform } from "../support/test-platform";
import { playEngine, refusalOf, type Registration, runErrorOf, settled, useStack } from "./support";

const { configure } = useStack();
const [here, there] = [TestPlatform.forFile(), TestPlatform.forFile()];
let registered: Registration[];

beforeEach(async () => {
  configure({}, here.environment);
  registered = await playEngine({ isReal: true });
});

/** A provider with the arguments of a program in JavaScript. */
const make = (args: unknown, opts?: object) => new Provider("other", args as ProviderArgs, opts);
const own = () => ({ baseUrl: there.baseUrl, identity: there.identity, oidcTokenFile: there.oidcTokenFile });
const inputsOf = async (provider: Provider) => (await settled(provider.settings)).value;

const refusal = (args: unknown, opts?: object) => refusalOf(() => make(args, opts));

describe("arguments", () => {
  afterEach(() => {
    expect(registered).toEqual([]);
  });

  test("that are unknown are rejected, with the nearest", () => {
    expect(refusal({ baseURL: "https://a.example" })).toBe('Provider "other": unknown argument "baseURL"; did you mean baseUrl?');
  });

  test.each(["token", "oidcToken", "apiToken", "accessToken", "password", "clientSecret"])("%s is refused unread", (name) => {
    const message = refusal({ baseUrl: "https://a.example", [name]: "s3cret-value" });
    expect(message).not.toContain("s3cret-value");
    expect(message).toMatch(/is a secret|unknown argument/);
  });

  test("that hold a token, a user or a password are rejected, and not shown", async () => {
    const token = await there.apiToken();
    for (const value of [token, `Bearer ${token}`, "https://user:s3cret@a.example"]) {
      const message = refusal({ baseUrl: value });
      expect(message).toContain("stored in state as plain text");
      expect(message).not.toContain(value);
    }
  });

  test.each([undefined, null, ""])("without a value (%p) are refused: they must not select another platform", (value) => {
    expect(refusal({ baseUrl: value, identity: "a/b" })).toMatch(/^Provider "other": baseUrl has no value\. Leave it out/);
  });

  test.each(["default", "default_eu"])("with the name %s are rejected: no preview would show the provider", (name) => {
    expect(refusalOf(() => new Provider(name, own()))).toMatch(
      /^Provider "default.*previews do not show.* Choose another name\.$/,
    );
  });

  test("of another type are rejected", () => {
    const message = 'Provider "other": baseUrl must be a string. adopt must be true or false.';
    expect(refusal({ baseUrl: 7, adopt: "yes" })).toBe(message);
    expect(refusal(undefined)).toContain("the arguments must be one object");
  });

  test.each([0, 1.5, 1_000, "8", null])("a concurrency of %p is refused", (concurrency) => {
    expect(refusal({ concurrency })).toMatch(/concurrency must be a whole number from 1 to \d+\.$/);
  });

  test("a password in the address of a command is refused, and a user alone is not", () => {
    const command = (address: string) => ({ ...own(), tokenCommand: `fetch-token --from="${address}"` });
    expect(refusal(command("https://ci:hunter2@issuer.example"))).toContain("tokenCommand holds a user name or password");
    expect(() => make(command("ssh://ci@issuer.example"))).not.toThrow();
  });

  test("that would reach resources only are rejected", () => {
    expect(refusal(own(), { envVarMappings: { OTHER_TOKEN: "PLATFORM_TOKEN" } })).toContain("tokenCommand");
  });

  test.each([
    ["a secret", () => pulumi.secret("a/b"), "identity is a secret"],
    ["a token", async () => there.apiToken(), "identity holds a token"],
    ["nothing", () => pulumi.output(undefined), "identity has no value"],
  ])("that are outputs or promises and turn out to be %s never reach state", async (_what, value, reason) => {
    // Without an engine that registers it, only the value is of interest here.
    const failures: unknown[] = [];
    const spy: pulumi.ResourceTransformation = ({ props }) => {
      failures.push(settled(pulumi.output(props["platform:identity"])).catch((error: unknown) => error));
      throw new Error("seen");
    };
    expect(() => make({ ...own(), identity: value() }, { transformations: [spy] })).toThrow("seen");
    const failure = await failures[0];
    expect(pulumi.RunError.isInstance(failure)).toBe(true);
    expect((failure as Error).message).toContain(reason);
  });
});

test("with an address of its own it takes nothing from the stack's configuration", async () => {
  configure({ "platform:baseUrl": here.baseUrl, "platform:identity": here.identity, "platform:adopt": "true" });
  expect(await inputsOf(make({ baseUrl: there.baseUrl, tokenCommand: "print-token", adopt: false }))).toEqual({
    "platform:baseUrl": there.baseUrl,
    "platform:tokenCommand": "print-token",
    "platform:adopt": "false",
    "platform:arguments": "adopt,baseUrl,tokenCommand",
  });
});

test("it limits its own requests: each provider has a process and a limit", async () => {
  configure({ "platform:concurrency": "8" });
  expect(await inputsOf(make({ concurrency: 2 }))).toEqual({ "platform:concurrency": "2", "platform:arguments": "concurrency" });
  expect(await inputsOf(make({ concurrency: pulumi.output(3) }))).toEqual({
    "platform:concurrency": "3",
    "platform:arguments": "concurrency",
  });
});

test("without an address it has the stack's configuration, and its own arguments above it", async () => {
  configure({
    "platform:baseUrl": here.baseUrl,
    "platform:identity": "a/b",
    "platform:oidcTokenFile": "/file",
    "other:key": "x",
  });
  expect(await inputsOf(make({ identity: "c/d" }))).toEqual({
    "platform:baseUrl": here.baseUrl,
    "platform:identity": "c/d",
    "platform:oidcTokenFile": "/file",
    "platform:arguments": "identity",
  });
  expect(await inputsOf(make({ tokenCommand: "print-token" }))).toEqual({
    "platform:baseUrl": here.baseUrl,
    "platform:identity": "a/b",
    "platform:tokenCommand": "print-token",
    "platform:arguments": "tokenCommand",
  });
});

test("a secret setting of the stack stays one in state, and wherever the program passes it", async () => {
  pulumi.runtime.setAllConfig(
    { "platform:baseUrl": here.baseUrl, "platform:identity": "a/b", "platform:tokenCommand": "print-token" },
    ["platform:identity", "platform:tokenCommand"],
  );
  let inputs: pulumi.Inputs = {};
  const spy: pulumi.ResourceTransformation = ({ props }) => ((inputs = props), undefined);
  const provider = make({ identity: "c/d" }, { transformations: [spy] });
  const isSecret = async (name: string) => (await settled(pulumi.output(inputs[`platform:${name}`]))).isSecret;
  expect(await Promise.all(["baseUrl", "identity", "tokenCommand"].map(isSecret))).toEqual([false, false, true]);
  expect(await settled(provider.settings)).toMatchObject({ value: { "platform:tokenCommand": "print-token" }, isSecret: true });
});

test("a secret setting makes no result of a data source a secret", async () => {
  pulumi.runtime.setAllConfig({ "platform:baseUrl": here.baseUrl, "platform:audience": here.baseUrl }, ["platform:audience"]);
  const provider = make({ identity: here.identity, oidcTokenFile: here.oidcTokenFile });
  const { value, isSecret } = await settled(getGroupsOutput({ inRoot: true }, { provider }));
  expect(value?.groups.map(({ uid }) => uid)).toEqual([here.root]);
  expect(isSecret).toBe(false);
});

describe("data sources", () => {
  const roots = async (opts?: pulumi.InvokeOptions) => (await getGroups({ inRoot: true }, opts)).groups.map(({ uid }) => uid);

  test("ask the platform of their provider, in both forms", async () => {
    const provider = make(own());
    expect(await roots({ provider })).toEqual([there.root]);
    expect(await roots()).toEqual([here.root]);
    const { value } = await settled(getGroupsOutput({ inRoot: true }, { provider }));
    expect(value?.groups.map(({ uid }) => uid)).toEqual([there.root]);
  });

  test("ask the platform of their parent's provider", async () => {
    const parent = new pulumi.ComponentResource("test:index:Component", "parent", {}, { providers: [make(own())] });
    expect(await roots({ parent })).toEqual([there.root]);
  });

  test("send no PLATFORM_* credentials to a platform that the provider names", async () => {
    configure({}, { PLATFORM_BASE_URL: here.baseUrl, PLATFORM_TOKEN: await here.apiToken() });
    await there.clearRequests();
    expect(await runErrorOf(roots({ provider: make({ baseUrl: there.baseUrl }) }))).toMatch(
      /^getGroups: No credentials: .*Set its argument oidcTokenFile or tokenCommand;/,
    );
    expect(await there.requests()).toEqual([]);
  });

  test("take an identity that is an output", async () => {
    expect(await roots({ provider: make({ ...own(), identity: pulumi.output(there.identity) }) })).toEqual([there.root]);
  });

  test("wait for a provider that a preview does not know, or say so", async () => {
    const provider = make({ ...own(), identity: pulumi.output(pulumi.unknown) });
    expect(await settled(getGroupsOutput({}, { provider }))).toMatchObject({ isKnown: false });
    expect(await runErrorOf(getGroups({}, { provider }))).toContain("Use the Output form");
  });

  test("reject a provider of another package", async () => {
    class Other extends pulumi.ProviderResource {}
    const provider = new (Other as new (...args: unknown[]) => pulumi.ProviderResource)("aws", "aws");
    expect(await runErrorOf(getGroups({}, { provider }))).toContain("not a Provider of pulumi-platform");
  });
});

test.each([
  ["a provider of another package", () => new (class extends pulumi.ProviderResource {})("aws", "aws", {})],
  ["a text", () => "other"],
])("resources reject %s, which the SDK would ignore", (_, provider) => {
  const opts = { provider: provider() as pulumi.ProviderResource };
  const message = refusalOf(() => new Group("team", { parentUid: "a" }, opts));
  expect(message).toMatch(/^Group "team": opts\.provider is not a Provider of pulumi-platform\..* Leave it out/);
});

test("resources are given to their provider", async () => {
  const group = new Group("team", { parentUid: "a" }, { provider: make(own()) });
  await settled(group.urn);
  expect(registered.find(({ name }) => name === "team")?.provider).toContain("::other::uid-of-other");
});
