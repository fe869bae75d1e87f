import { parse } from "yaml";
import { claimHelpers } from "../../provider/claims/helpers";
import { argumentsOf } from "../../provider/claims/helper";
import { Plugin } from "../../provider/host/plugin/plugin";
import * as sdk from "../../sdk";
import { blocksOf } from "../../tools/generate/examples";
import type { Schema } from "../../tools/generate/schema-form";
import { read } from "../docs/markdown";
import { refusals } from "../sdk/claim-refusals";
import { clientOf } from "../support/native-host";
import { secret, unknown } from "../support/plugin-client";

const schema = JSON.parse(read("schema.json")) as Schema;

/** A plugin whose run cannot begin, because it has no settings and no credentials. */
async function withoutCredentials() {
  const plugin = clientOf(
    new Plugin([], () => {
      throw new Error("a run was opened");
    }),
  );
  await plugin.configure();
  return plugin;
}

const tokenOf = (helper: string) => `platform:iam:${helper}`;
const keys = JSON.stringify({ keys: [{ kty: "RSA", n: "AQAB", e: "AQAB", kid: "1" }] });

/** The claims of each example in schema.json: the helper and its arguments. */
const examples = claimHelpers.map(({ call }): [string, Record<string, unknown>] => {
  const { yaml = "" } = blocksOf(schema.functions[tokenOf(call)]?.description ?? "");
  const { variables } = parse(yaml) as { variables: Record<string, { "fn::invoke": { function: string; arguments: object } }> };
  const [invoke] = Object.values(variables);
  const args = JSON.stringify(invoke?.["fn::invoke"].arguments).replaceAll('"${issuerKeys}"', JSON.stringify(keys));
  return [call, JSON.parse(args) as Record<string, unknown>];
});

const others: [string, Record<string, unknown>][] = [
  ["githubActions", { repository: "acme/shop", tags: "v*", audience: "platform" }],
  ["githubActions", { repository: "acme/shop", pullRequest: true }],
  ["githubActions", { repository: "acme@1/shop@2", formerly: "acme/shop", tag: "v1" }],
  ["githubActions", { repository: "acme/shop", branch: "main", workflow: "a/b/.github/workflows/c.yml@refs/heads/main" }],
  ["gitlabCi", { project: "acme/shop", tags: "v*", server: "https://git.example/" }],
  ["kubernetesKeys", { issuer: "https://cluster.example", namespace: "a", name: "b", issuerKeys: keys, audience: "c" }],
];

test.each([...examples, ...others])(
  "%s %j returns the claims of the package, without credentials and requests",
  async (call, args) => {
    const plugin = await withoutCredentials();
    const helper = (sdk as unknown as Record<string, (args: unknown) => object>)[call];
    const { makes } = claimHelpers.find((each) => each.call === call) ?? { makes: "" };
    expect(await plugin.invoke(tokenOf(call), args)).toEqual({ [makes]: helper?.(args) });
  },
);

test.each(refusals)("%s %j is refused", async (call, args, message) => {
  const plugin = await withoutCredentials();
  const refused = plugin.invoke(tokenOf(call), args as Record<string, unknown>);
  await expect(refused).rejects.toMatchObject({ details: expect.stringContaining(message) as string });
  await expect(refused).rejects.toMatchObject({ details: expect.stringMatching(`^${call}: .* \\[INVALID_INPUT\\]$`) as string });
});

test("an argument that is not known yet makes no login", async () => {
  const plugin = await withoutCredentials();
  const refused = plugin.invoke(tokenOf("githubActions"), { repository: "acme/shop", environment: unknown });
  await expect(refused).rejects.toMatchObject({ details: expect.stringContaining("is not known yet") as string });
});

test("the claims of a secret argument are a secret", async () => {
  const plugin = await withoutCredentials();
  const args = { repository: "acme/shop", environment: "production" };
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:environment:production" };
  const given = { ...args, environment: secret(args.environment) };
  expect(await plugin.invoke(tokenOf("githubActions"), given)).toEqual({ claimMatch: secret(claimMatch) });
});

test.each(claimHelpers)("$call: the schema has the arguments of its rules, and requires the same", (helper) => {
  const { inputs, outputs } = schema.functions[tokenOf(helper.call)] ?? {};
  const rules = helper.takes({});
  expect(Object.keys(inputs?.properties ?? {}).sort()).toEqual(Object.keys(argumentsOf(rules)).sort());
  expect(inputs?.required).toEqual(Object.keys(rules.required).sort());
  const [[name, { $ref = "" }] = ["", {}]] = Object.entries(outputs?.properties ?? {});
  expect(schema.resources["platform:iam:Identity"]?.inputProperties[name]?.$ref).toBe($ref);
});
