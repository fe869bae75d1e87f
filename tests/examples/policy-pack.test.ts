import { readFileSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { type AnalyzedResource, Analyzer } from "../support/analyzer";
import { playEngine } from "../sdk/support";
import { program as kubernetesProgram } from "./kubernetes";
import { manifests } from "./pipelines";

jest.mock("pulumi-platform", () => jest.requireActual<object>("../../sdk"));

const examples = path.resolve(__dirname, "../../examples");
const acme = "0123456789abcdef0123456789abcdef01234567";
let analyzer: Analyzer;

beforeAll(async () => {
  analyzer = await Analyzer.start(path.join(examples, "policy-pack"));
});
afterAll(() => analyzer.stop());

/** Resources as policies see them. A resource depends on each one whose uid, `uid-of-` and its name, its inputs contain. */
function analyzed(resources: Pick<AnalyzedResource, "type" | "properties" | "urn">[]): AnalyzedResource[] {
  const mentions = (value: unknown, urn: string) => JSON.stringify(value).includes(`"uid-of-${urn.split("::").at(-1) ?? ""}"`);
  return resources.map((resource) => ({
    ...resource,
    propertyDependencies: Object.fromEntries(
      Object.entries(resource.properties).map(([name, value]) => [
        name,
        resources.flatMap(({ urn }) => (mentions(value, urn) ? [urn] : [])),
      ]),
    ),
  }));
}

const urnOf = (type: string, name: string) => `urn:pulumi:test::test::${type}::${name}`;

/** The verdicts of the pack on a program: rule, resource and message. */
async function verdicts(resources: AnalyzedResource[]): Promise<string[]> {
  const each = await Promise.all(
    resources.map(async (resource) =>
      (await analyzer.analyze(resource)).map((violation) => ({ ...violation, urn: resource.urn })),
    ),
  );
  const all = [...each.flat(), ...(await analyzer.analyzeStack(resources))];
  return all.map(({ policy, urn, message }) => `${policy} ${urn.split("::").at(-1) ?? ""}: ${message}`).sort();
}

/** The resources of an example in TypeScript. */
async function declaredBy(name: string, config: Record<string, string>): Promise<AnalyzedResource[]> {
  const registered = await playEngine({
    newResource: ({ id, name, inputs }) => ({
      id: id === undefined || id === "" ? `uid-of-${name}` : id,
      // The outputs that examples/teams reads of the stack of the organisation.
      state: { ...(inputs as object), outputs: { groups: { engineering: "uid-of-engineering" } } },
    }),
    // A role has its name as its uid, so that the rules about owners see which it is.
    call: ({ inputs }: { inputs: { name?: string } }) => ({
      ...inputs,
      uid: inputs.name ?? "uid-of-somebody",
      repos: [],
      advisories: [],
      content: "",
    }),
  });
  pulumi.runtime.setAllConfig({ "platform:organization": acme, ...config });
  const before = process.cwd();
  process.chdir(path.join(examples, name));
  try {
    await import(path.join(examples, name, "index.ts"));
    await pulumi.runtime.disconnect();
  } finally {
    process.chdir(before);
  }
  const ofPlatform = registered.filter(({ type }) => type.includes("platform"));
  return analyzed(ofPlatform.map(({ type, name, inputs }) => ({ urn: urnOf(type, name), type, properties: inputs })));
}

type Yaml = Record<string, { type: string; properties: Record<string, unknown> }>;

/** The resources of a program in YAML. */
function inYaml(resources: Yaml): AnalyzedResource[] {
  const text = JSON.stringify(resources).replaceAll(/\$\{([\w-]+)\.(id|uid)\}/g, "uid-of-$1");
  return analyzed(
    Object.entries(JSON.parse(text) as Yaml).map(([name, { type, properties }]) => ({
      urn: urnOf(type, name),
      type,
      properties,
    })),
  );
}

test.each<[string, number, Record<string, string>]>([
  ["every-kind", 15, { "project:clientSecret": "x" }],
  ["organization", 22, {}],
  ["organization-file", 10, {}],
  ["teams", 4, { "project:organizationStack": "o", "project:division": "engineering", "project:services": '["basket"]' }],
])("examples/%s keeps the rules of the pack that is shipped with it", async (name, least, config) => {
  const resources = await declaredBy(name, config);
  expect(resources.length).toBeGreaterThanOrEqual(least);
  expect(await verdicts(resources)).toEqual([]);
});

test("examples/yaml and the Program for Kubernetes keep the rules of the pack", async () => {
  const { resources } = parse(readFileSync(path.join(examples, "yaml/Pulumi.yaml"), "utf8")) as { resources: Yaml };
  const inKubernetes = manifests("program.yaml").flatMap((manifest) =>
    manifest["kind"] === "Program" ? [kubernetesProgram.parse(manifest).program.resources] : [],
  );
  expect(inKubernetes).toHaveLength(1);
  for (const each of [resources, ...inKubernetes]) expect(await verdicts(inYaml(each))).toEqual([]);
});

test("the message about too many owners says who they are, a person by the login and never by the uid, and names the group", async () => {
  const [person, type] = ["89abcdef0123456789abcdef0123456789abcdef", "platform:iam:RoleBinding"];
  const binding = (name: string, who: object) => ({ type, properties: { parentUid: "${shop.id}", roleName: "owner", ...who } });
  const owners = {
    shop: { type: "platform:iam:Group", properties: { parentUid: acme, name: "shop" } },
    release: {
      type: "platform:iam:Identity",
      properties: {
        parentUid: "${shop.id}",
        name: "release",
        claimMatch: { issuer: "https://gitlab.com", subjectPattern: "^project_path:acme/.*$" },
      },
    },
    "release-owner": binding("release-owner", { identityUid: "${release.id}" }),
    zoe: binding("zoe", { identityRef: { issuer: "https://okta.acme.example", subject: "zoe" } }),
    "on-call": binding("on-call", { identityUid: person }),
  } satisfies Yaml;
  const found = await verdicts(inYaml(owners));
  expect(found).toEqual([
    expect.stringMatching(
      /^few-owners shop: Group shop gets 3 owners: release, zoe \(okta\.acme\.example\), whoever "on-call" binds\./,
    ),
    expect.stringMatching(/^no-owner-by-pattern release-owner: release owns group shop /),
  ]);
  expect(found.join()).not.toContain(person);
});

test("whose a login is must be proven, by the function that the provider uses", async () => {
  const github = "https://token.actions.githubusercontent.com";
  const identity = (claimMatch: object) => ({
    type: "platform:iam:Identity",
    properties: { parentUid: acme, name: "ci", claimMatch },
  });
  const signIn = (issuer: string) => ({
    type: "platform:iam:IdentityProvider",
    properties: { parentUid: acme, name: "sso", defaultRoleName: "viewer", oidc: { issuer, clientId: "c" } },
  });
  const logins = {
    exact: identity({ issuer: github, subject: "environment:production" }),
    pattern: identity({ issuer: github, subjectPattern: "^repo:[^/]+/[^/]+:ref:refs/tags/v\\d+$" }),
    issuer: identity({ issuerPattern: "^https://.*$", subject: "s", claims: { repository_id: "1" } }),
    good: identity({ issuer: github, subjectPattern: "^repo:acme/shop:ref:refs/heads/(?:main|next)$" }),
    host: identity({ issuerPattern: "^https://git\\.acme\\.example/.*$", subject: "s" }),
    google: signIn("https://accounts.google.com"),
    okta: signIn("https://acme.okta.com"),
  } satisfies Yaml;
  const workflows = "lets in anybody who can run a GitHub Actions workflow.";
  expect(await verdicts(inYaml(logins))).toEqual([
    expect.stringContaining(`no-login-by-anybody exact: claimMatch.subject ${workflows}`),
    expect.stringContaining("no-login-by-anybody google: oidc.issuer lets in anybody who has a Google account."),
    expect.stringContaining("no-login-by-anybody issuer: claimMatch.issuerPattern lets in anybody"),
    expect.stringContaining(`no-login-by-anybody pattern: claimMatch.subjectPattern ${workflows}`),
  ]);
});

test("an identity of an Organization with GroupAccess owns what its label says, and nothing else", async () => {
  const identity = (name: string) => ({
    type: "platform:iam:Identity",
    properties: { parentUid: acme, name, claimMatch: { issuer: "https://gitlab.com", subjectPattern: "project_path:acme/.*" } },
  });
  const program = (access: object) =>
    inYaml({
      "acme/shop/ci": identity("ci"),
      "acme/shop/cd": identity("cd"),
      access: { type: "platform:iam:GroupAccess", properties: { parentUid: acme, others: "keep", access } },
    });
  const [ci, cd] = ["uid-of-acme/shop/ci", "uid-of-acme/shop/cd"];
  const owners = async (access: object) => (await verdicts(program(access))).filter((each) => each.startsWith("no-owner"));
  expect(await owners({ owner: { "/zoe": "a" }, viewer: { "shop/ci": ci, "shop/cd": cd } })).toEqual([]);
  expect(await owners({ owner: { "shop/ci": ci }, viewer: { "shop/cd": cd } })).toEqual([
    expect.stringContaining("acme/shop/ci owns group"),
  ]);
});

test("a label of a GroupAccess is marked as one, for a program may write any login there", async () => {
  const access = { owner: { "zoe (okta.acme.example)": "a", ci: "b", mia: "c" } };
  const owners = {
    shop: { type: "platform:iam:Group", properties: { parentUid: acme, name: "shop" } },
    access: { type: "platform:iam:GroupAccess", properties: { parentUid: "${shop.id}", access } },
  } satisfies Yaml;
  expect(await verdicts(inYaml(owners))).toEqual([
    expect.stringContaining('gets 3 owners: "ci" (label), "mia" (label), "zoe (okta.acme.example)" (label).'),
  ]);
});
