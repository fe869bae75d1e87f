import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { signature } from "../../../provider/host/engine-marks";
import { unknownValue } from "../../../provider/schema/inputs";
import { type AnalyzedResource, Analyzer, type Violation } from "../../support/analyzer";
import { isOurs, Project, type StateResource } from "../project";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

const github = "https://token.actions.githubusercontent.com";
const audience = "api.platform.example";
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" });
const issuerKeys = JSON.stringify({ keys: [{ ...key, kid: "1", alg: "RS256", use: "sig" }] });
const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

const good = `
  const shop = new Group("shop", { parentUid: root });
  const identity = (name, login) => new Identity(name, { parentUid: shop.uid, ...login });
  const exact = (name) => identity(name, { claimMatch: { issuer: "${github}", subject: "repo:acme/" + name } });
  const release = exact("release");
  const branches = identity("branches", {
    claimMatch: { issuer: "${github}", subjectPattern: "^repo:acme/shop:ref:refs/heads/[^:]+$", audience: "${audience}" },
  });
  const office = identity("office", {
    staticKeys: { issuer: "https://office.example", subject: "office", issuerKeys: ${JSON.stringify(issuerKeys)},
      expirationTime: "${inDays(90)}", audiences: ["${audience}"] },
  });
  new RoleBinding("release-owner", { parentUid: shop.uid, identityUid: release.uid, roleName: "owner" });
  new RoleBinding("branches-viewer", { parentUid: shop.uid, identityUid: branches.uid, roleName: "viewer" });
  const inner = new Group("inner", { parentUid: shop.uid });
  new GroupAccess("inner", { parentUid: inner.uid, access: { owner: { release: release.uid }, editor: { branches: branches.uid } } });
  const oidc = { issuer: "https://login.example", clientId: "platform", pkceEnabled: true };
  new platform.IdentityProvider("sign-in", { parentUid: shop.uid, defaultRoleName: "viewer", oidc });
  new platform.GroupInvite("zoe", { parentUid: shop.uid, roleName: "owner", email: "zoe@acme.example", ttl: "86400s" });
`;

const bad = `
  const shop = new Group("shop", { parentUid: root });
  const identity = (name, login) => new Identity(name, { parentUid: shop.uid, ...login });
  const match = (more) => ({ claimMatch: { issuer: "${github}", audience: "${audience}", ...more } });
  const anybody = identity("anybody", { ...match({ subjectPattern: "^.*$" }), allowAnySubject: true });
  identity("any-issuer", {
    claimMatch: { issuerPattern: "^https://[a-z]+[.]example$", subject: "x", audience: "${audience}" }, allowAnyIssuer: true,
  });
  identity("open-end", match({ subjectPattern: "^repo:acme/shop:ref:refs/heads/main" }));
  identity("borrowed", match({ subject: "repo:acme/shop:ref:refs/heads/main", audience: "sts.amazonaws.com" }));
  identity("any-audience", {
    claimMatch: { issuer: "${github}", subject: "repo:acme/shop:ref:refs/heads/main", audiencePattern: "^.+$" },
  });
  identity("office", {
    staticKeys: { issuer: "https://office.example", subject: "office", issuerKeys: ${JSON.stringify(issuerKeys)}, expirationTime: "${inDays(3)}",
      audiences: ["https://github.com/acme"] },
  });
  const exact = ["one", "two"].map((name) => identity(name, match({ subject: "repo:acme/" + name })));
  [anybody, ...exact].forEach((owner, i) => new RoleBinding("owner-" + i, { parentUid: shop.uid, identityUid: owner.uid, roleName: "owner" }));
  const inner = new Group("inner", { parentUid: shop.uid });
  new GroupAccess("inner", { parentUid: inner.uid, access: { owner: { whoever: anybody.uid } } });
  const oidc = { issuer: "https://login.example", clientId: "platform", pkceEnabled: true };
  new platform.IdentityProvider("sign-in", { parentUid: shop.uid, defaultRoleName: "owner", oidc });
  new platform.GroupInvite("open-invite", { parentUid: shop.uid, roleName: "owner", ttl: "86400s" });
`;

const expected = [
  "anchored-patterns open-end",
  "expiring-keys office (advisory)",
  "few-owners shop",
  "no-login-by-anybody any-issuer",
  "no-login-by-anybody anybody",
  "no-owner-by-pattern inner",
  "no-owner-by-pattern open-invite",
  "no-owner-by-pattern owner-0",
  "no-owner-by-pattern sign-in",
  "own-audience any-audience",
  "own-audience borrowed",
  "own-audience office",
];

/** A resource of a state, or of a preview, which knows no outputs of what it creates or updates. */
type Shown = Omit<StateResource, "outputs"> & Partial<StateResource>;

const examples = path.resolve(__dirname, "../../../examples");
const pack = path.join(examples, "policy-pack");
let analyzer: Analyzer;

useProject("", { shared: true });
beforeAll(async () => {
  analyzer = await Analyzer.start(pack);
});
afterAll(() => analyzer.stop());

/** Resources as the engine shows them to policies at the end: outputs, or inputs where a preview knows no outputs. */
function analyzed(resources: Shown[]): AnalyzedResource[] {
  return resources.map(({ urn, type, outputs, inputs, propertyDependencies = {} }) => ({
    urn,
    type,
    properties: withoutSecrets(outputs ?? inputs),
    propertyDependencies,
  }));
}

/** The engine decrypts secrets for policies. No rule reads one. */
function withoutSecrets(properties: Record<string, unknown>): Record<string, unknown> {
  const withoutMark = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && signature in value ? "secret" : value;
  return JSON.parse(JSON.stringify(properties, withoutMark)) as Record<string, unknown>;
}

async function verdicts(resources: Shown[]): Promise<string[]> {
  const each = await Promise.all(
    analyzed(resources).map(async (resource, index) => {
      const properties = withoutSecrets(resources[index]?.inputs ?? {});
      return (await analyzer.analyze({ ...resource, properties })).map((violation) => ({ ...violation, urn: resource.urn }));
    }),
  );
  return [...each.flat(), ...(await analyzer.analyzeStack(analyzed(resources)))].map(told).sort();
}

function told({ policy, urn, isMandatory }: Violation): string {
  return `${policy} ${urn.split("::").at(-1) ?? ""}${isMandatory ? "" : " (advisory)"}`;
}

async function previewed(of = project): Promise<Shown[]> {
  const { stdout } = await succeed(of.pulumi("preview", "--json", "--show-sames"));
  const { steps } = JSON.parse(stdout) as { steps: { newState?: Shown }[] };
  return steps.flatMap(({ newState }) => (newState && isOurs(newState.type) ? [newState] : []));
}

longTest("a program that keeps the rules passes, in the preview and after it", async () => {
  await project.program(good);
  expect(await verdicts(await previewed())).toEqual([]);
  await succeed(project.up());
  expect(await verdicts(await project.resources())).toEqual([]);
  expect(await verdicts(await previewed())).toEqual([]);
  await succeed(project.destroy());
});

/**
 * The pack as a file, which the engine starts. A folder it gives to its language host, and the host that tests build from Go modules is too
 * old to run one (docs/contributing/engine.md#policy-packs).
 */
async function packFile(): Promise<string> {
  const launcher = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const file = path.join(project.folder, "policies/launch");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\ncd "${pack}" && exec "${process.execPath}" "${launcher}" "$1" .\n`, { mode: 0o755 });
  return file;
}

test("the engine runs the pack: a preview that breaks a rule fails and names rule and resource, unless the configuration allows it", async () => {
  await project.program(`
    const claimMatch = { issuer: "${github}", subject: "repo:acme/shop:ref:refs/heads/main", audience: "sts.amazonaws.com" };
    new Identity("borrowed", { parentUid: root, claimMatch });
  `);
  const policies = ["--policy-pack", await packFile()];
  const refused = await project.preview(...policies);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/own-audience[^]*borrowed/);
  await project.file("policy.json", JSON.stringify({ "own-audience": { allowed: ["sts.amazonaws.com"] } }));
  await succeed(project.preview(...policies, "--policy-pack-config", path.join(project.folder, "policy.json")));
});

longTest.each(["every-kind", "organization", "organization-file"])(
  "examples/%s keeps the rules of the pack that is shipped with it",
  async (name) => {
    await project.example(name);
    if (name === "organization-file")
      await project.file("acme.yaml", readFileSync(path.join(examples, name, "acme.yaml"), "utf8"));
    await succeed(project.pulumi("config", "set", "--secret", "clientSecret", "x"));
    await succeed(project.preview("--policy-pack", await packFile()));
  },
);

test("each rule finds its violation, in the preview that would make it", async () => {
  await project.program(bad);
  expect(await verdicts(await previewed())).toEqual(expected);
});

longTest("each rule finds its violation in the state that an up left", async () => {
  await project.program(bad);
  await succeed(project.up());
  expect(await verdicts(await project.resources())).toEqual(expected);
});

longTest("rules that were written for the dynamic resources hold for those of the plugin", async () => {
  const moved = await Project.create(bad, platform.environment, "native");
  try {
    expect(await verdicts(await previewed(moved))).toEqual(expected);
  } finally {
    await moved.remove();
  }
});

longTest("keys whose expiry a preview does not know yet hide no others", async () => {
  const withKeys = (name: string, expirationTime: string): AnalyzedResource => ({
    urn: `urn:pulumi:test::test::platform:iam:Identity::${name}`,
    type: "platform:iam:Identity",
    properties: { staticKeys: { issuer: "https://office.example", subject: "office", issuerKeys, expirationTime } },
  });
  const resources = [withKeys("new", unknownValue), withKeys("office", inDays(3))];
  expect((await analyzer.analyzeStack(resources)).map(told)).toEqual(["expiring-keys office (advisory)"]);
});

longTest("the limits come from the pack's configuration", async () => {
  const resources = analyzed(await project.resources());
  await analyzer.configure({ "few-owners": { maximum: 3 }, "expiring-keys": { days: 2 } });
  const stack = (await analyzer.analyzeStack(resources)).map(told);
  expect(stack.sort()).toEqual(expected.filter((each) => each.startsWith("no-owner-by-pattern")));
});
