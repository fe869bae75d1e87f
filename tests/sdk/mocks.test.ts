import type * as pulumi from "@pulumi/pulumi";
import type { ReadableKind } from "../../provider/schema/kind";
import { readableKinds } from "../../provider/kinds/kinds";
import { callOfAll } from "../../provider/sources/source-of-all";
import { callOfOne } from "../../provider/sources/source-of-one";
import * as platform from "../../sdk";
import { playEngine, runErrorOf, settled } from "./support";

/** The calls that reached the mocks. */
let calls: pulumi.runtime.MockCallArgs[];

beforeEach(async () => {
  calls = [];
  await playEngine({
    call: (args) => {
      calls.push(args);
      return { uid: "mocked" };
    },
  });
});

const byUid = { uid: "a/b" };
const ofKinds = Object.values(readableKinds).flatMap((kind: ReadableKind): [string, object][] => [
  [`platform:${kind.collection.area}:${callOfOne(kind)}`, byUid],
  [`platform:${kind.collection.area}:${callOfAll(kind)}`, { childrenOf: "a" }],
]);
const others: [string, object][] = [
  ["platform:iam:getPerson", { issuer: "https://issuer.example", subject: "zoe" }],
  ["platform:iam:getCaller", { group: "a/b" }],
  ["platform:iam:getEffectiveAccess", { group: "a/b" }],
  ["platform:registry:getRepoReadme", byUid],
  ["platform:registry:getRegistryCredentials", { registry: "registry.example.com" }],
];
const functions = [...ofKinds, ...others].map(([token, args]): [string, keyof typeof platform, object] => [
  token,
  token.replace(/.*:/, "") as keyof typeof platform,
  args,
]);

type Plain = (args: object, opts?: pulumi.InvokeOptions) => Promise<unknown>;
type WithOutputs = (args: object, opts?: pulumi.InvokeOptions) => pulumi.Output<unknown>;

test("every data source is in the table of tokens", () => {
  const exported = Object.keys(platform).filter((name) => name.startsWith("get") && !name.endsWith("Output"));
  expect(functions.map(([, name]) => name).sort()).toEqual(exported.sort());
});

describe.each(functions)("%s", (token, name, args) => {
  test("is what mocks see of both forms, with the arguments, and their answer is the result", async () => {
    expect(await (platform[name] as unknown as Plain)(args)).toEqual({ uid: "mocked" });
    const { value } = await settled((platform[`${name}Output` as keyof typeof platform] as unknown as WithOutputs)(args));
    expect(value).toEqual({ uid: "mocked" });
    expect(calls).toEqual(Array(2).fill(expect.objectContaining({ token, inputs: args })));
  });
});

test.each([
  ["getGroup", "platform:iam:getGroup"],
  ["getIdentities", "platform:iam:getIdentities"],
  ["getRoleBindings", "platform:iam:getRoleBindings"],
  ["getRepo", "platform:registry:getRepo"],
  ["getTags", "platform:registry:getTags"],
  ["getAdvisories", "platform:vulnerabilities:getAdvisories"],
])("the token of %s is %s, which tests of programs contain", (name, token) => {
  expect(functions.find(([, each]) => each === name)?.[0]).toBe(token);
});

test("mocks see no call with wrong arguments", async () => {
  expect(await runErrorOf(platform.getRole({ nme: "viewer" } as never))).toContain('did you mean "name"');
  expect(calls).toEqual([]);
});

test("an error of a mock, whose message the SDK drops, names the token", async () => {
  await playEngine({
    call: () => {
      throw new Error("not mocked");
    },
  });
  expect(await runErrorOf(platform.getRole({ name: "viewer" }))).toBe(
    "getRole: the test's mock of platform:iam:getRole threw an error.",
  );
});

test("mocks see the provider of a data source", async () => {
  const other = new platform.Provider("other", { baseUrl: "https://api.example.com" });
  await platform.getRole({ name: "viewer" }, { provider: other });
  expect(calls[0]?.provider).toContain("pulumi:providers:pulumi-nodejs::other");
});
