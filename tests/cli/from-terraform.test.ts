import { readFileSync } from "node:fs";
import path from "node:path";
import { importFile, logicalNames, removalOf } from "../../cli/from-terraform/import-file";
import { convertAll, providersIn } from "../../cli/from-terraform/conversion";
import { conversions } from "../../provider/terraform/kinds";
import { readState } from "../../cli/from-terraform/state";
import { kinds } from "../../provider/kinds/kinds";

/** Written by `terraform` with the platform's own provider. Only its name was replaced, in types and in its address. */
const recorded = (file: string) => readFileSync(path.resolve(__dirname, "../support/terraform", file), "utf8");

const root = "1f0e8a6c5d2b4937a1c0e9d8f7b6a5948372615a";
const group = `${root}/445008b7f2932922`;
const viewer = "3f2b9c5d7e8a1f60b4c2d1e0a9f8e7d6c5b4a392";

interface Instance {
  attributes?: object;
  index_key?: string | number;
  status?: string;
  deposed?: string;
}

/** A state with one resource. */
function state(type: string, instances: Instance[], more: object = {}): string {
  const resource = { mode: "managed", type: `platform_${type}`, name: "it", provider: "x", instances, ...more };
  return JSON.stringify({ version: 4, terraform_version: "1.11.4", resources: [resource] });
}

const convert = (text: string) => convertAll(readState(text, "The state"), "platform");

/** The inputs that the attributes of one object become. */
function inputsOf(type: string, attributes: object): unknown {
  const { converted, problems, unconverted } = convert(state(type, [{ attributes: { id: `${group}/01`, ...attributes } }]));
  expect([problems, unconverted]).toEqual([[], []]);
  return converted[0]?.inputs;
}

const ofGroup = { parent_id: group, name: "it" };

describe("each type", () => {
  const inputs: [string, object, object][] = [
    [
      "group",
      { ...ofGroup, description: "x", kind: "CUSTOMER", resource_limits: null },
      { parentUid: group, name: "it", description: "x" },
    ],
    [
      "identity",
      { ...ofGroup, service_principal: "COSIGNED", claim_match: null, static: null, last_seen: "2026-01-01T00:00:00Z" },
      { parentUid: group, name: "it", servicePrincipal: "SERVICE_PRINCIPAL_COSIGNED" },
    ],
    [
      "role",
      {
        ...ofGroup,
        capabilities: ["groups.create", "tag.list", "subscriptions.list", "identity_providers.scim.manage", "sboms.list"],
      },
      {
        parentUid: group,
        name: "it",
        capabilities: [
          "CAP_EVENTS_SUBSCRIPTION_LIST",
          "CAP_IAM_GROUPS_CREATE",
          "CAP_IAM_SCIM_MANAGE",
          "CAP_TAG_LIST",
          "CAP_TENANT_SBOMS_LIST",
        ],
      },
    ],
    [
      "rolebinding",
      { group, identity: `${group}/02`, role: viewer },
      { parentUid: group, identityUid: `${group}/02`, roleUid: viewer },
    ],
    [
      "group_invite",
      { group, role: viewer, expiration: "2027-01-01T00:00:00Z", email: null, code: "secret-code" },
      { parentUid: group, roleUid: viewer, ttl: "86400s" },
    ],
    [
      "identity_provider",
      {
        ...ofGroup,
        default_role: viewer,
        oidc: { issuer: "https://a.example", client_id: "b", client_secret: "secret-c", additional_scopes: [] },
      },
      { parentUid: group, name: "it", defaultRole: viewer, oidc: { issuer: "https://a.example", clientId: "b" } },
    ],
    [
      "image_repo",
      { ...ofGroup, tier: "BASE", bundles: ["b", "a"], aliases: [], sync_config: { source: "nginx", unique_tags: true } },
      { parentUid: group, name: "it", catalogTier: "CATALOG_TIER_BASE", bundles: ["a", "b"], sync_config: { source: "nginx" } },
    ],
    [
      "image_tag",
      { repo_id: group, name: "it", deprecated: true, digest: `sha256:${"0".repeat(64)}`, last_updated: "2026-01-01T00:00:00Z" },
      { repoUid: group, name: "it", deprecated: true },
    ],
    ["subscription", { parent_id: group, sink: "https://a.example" }, { parentUid: group, sink: "https://a.example" }],
    [
      "account_associations",
      { id: group, group, name: "it", github: { host: null, app_id: 1, installation_id: 2, name: "x" }, github_installation: [] },
      {
        parentUid: group,
        name: "it",
        github: { appInstallations: { 1: { installations: [{ installationId: "2", name: "x" }] } } },
      },
    ],
  ];

  test.each(inputs)("%s: attributes become inputs in canonical form", (type, attributes, expected) => {
    expect(inputsOf(type, attributes)).toEqual(expected);
  });

  test("every converted type is tested", () => {
    expect(inputs.map(([type]) => type).sort()).toEqual(Object.keys(conversions).sort());
  });

  test("every kind that the other provider has is converted", () => {
    const rest = Object.values(kinds).filter((kind) => !Object.values(conversions).some((each) => each.kind === kind));
    expect(rest.map(({ name }) => name)).toEqual(["ExternalGroupRoleMapping"]);
  });

  test.each([null, "", undefined])("an optional attribute that is %j is not declared", (description) => {
    expect(inputsOf("group", { ...ofGroup, description })).toEqual({ parentUid: group, name: "it" });
  });
});

test.each(["unfinished.tfstate", "unfinished.json"])("%s: what stays with Terraform is listed, with the reason", (file) => {
  const { converted, unconverted, problems } = convert(recorded(file));
  expect(problems).toEqual([]);
  expect(converted).toHaveLength(30);
  expect(unconverted.map(({ object, reason }) => `${object.address}: ${reason.split(/[;,:]/)[0] ?? ""}`)).toEqual([
    "data.platform_role.viewer: a data source",
    "platform_group.stage[1]: tainted",
    "platform_identity.account (deposed object 66dce2ab): Terraform has replaced it and still has to delete it",
    "platform_image_repo_deployment.shop: deployments of repos are not part of the API that this package uses",
    "terraform_data.note: of another provider",
  ]);
});

test("a state file and what terraform show -json prints become the same import file", () => {
  const files = ["unfinished.tfstate", "unfinished.json"].map((file) => importFile(convert(recorded(file)).converted));
  expect(files[0]).toBe(files[1]);
});

test("no secret reaches the import file; each that is left out is named", () => {
  const { converted } = convert(recorded("organization.tfstate"));
  expect(importFile(converted)).not.toContain("fictional");
  const notes = converted.flatMap((each) => each.notes.map((note) => `${each.object.address}: ${note}`));
  expect(notes).toContainEqual(
    expect.stringMatching(/^platform_identity_provider\.staff: oidc\.clientSecret .* the first up sends it$/),
  );
  expect(notes).toContainEqual(expect.stringContaining("platform_group_invite.auditor: code "));
  expect(notes.join("\n")).not.toContain("fictional");
});

test("entries carry inputs and outputs, both with the provider text", () => {
  const { resources } = JSON.parse(importFile(convert(recorded("organization.tfstate")).converted)) as {
    resources: { type: string; inputs: { __provider: string }; outputs: { __provider: string } }[];
  };
  for (const { type, inputs, outputs } of resources) {
    const kind = type.split(":").at(-1) ?? "";
    const served = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
    expect(inputs.__provider).toBe(`exports.handler = () => require("pulumi-platform/provider").${served}`);
    expect(outputs).toMatchObject(inputs);
  }
});

describe("logical names", () => {
  const names = (text: string) => logicalNames(convert(text).converted);

  test("count and for_each of resources and modules are part of the name", () => {
    const found = names(recorded("organization.tfstate"));
    expect(found).toEqual(expect.arrayContaining(["engineering", "stage-0", "region-eu west", "team-search-pipeline-1"]));
  });

  test("two objects of a kind that would have one name have their addresses, whatever the order", () => {
    const one = { module: 'module.a["b"]', type: "platform_group", name: "c", mode: "managed" };
    const other = { module: "module.a", type: "platform_group", name: "b-c", mode: "managed" };
    const resources = [one, other].map((each, index) => ({
      ...each,
      instances: [{ attributes: { ...ofGroup, id: `${group}/0${index}` } }],
    }));
    const of = (some: object[]) => names(JSON.stringify({ version: 4, resources: some }));
    expect(of(resources)).toEqual(['module.a["b"].platform_group.c', "module.a.platform_group.b-c"]);
    expect(of([...resources].reverse())).toEqual(["module.a.platform_group.b-c", 'module.a["b"].platform_group.c']);
  });

  test("keys with quotes, dots and brackets do not confuse addresses", () => {
    const key = 'a".b[0].module.x';
    const [object] = readState(
      state("group", [{ index_key: key, attributes: {} }], { module: `module.m[${JSON.stringify(key)}]` }),
      "x",
    );
    expect(object).toMatchObject({ block: "module.m.platform_group.it", words: ["m", key, "it", key] });
  });
});

describe("removed blocks", () => {
  const removal = (text: string) => {
    const { converted, unconverted } = convert(text);
    return removalOf(converted, new Set(unconverted.map(({ object }) => object.block)));
  };

  test("one for each block of the configuration, with modules and without keys", () => {
    const { blocks, partial } = removal(recorded("organization.tfstate"));
    expect(partial).toEqual([]);
    expect(blocks).toContain(
      "removed {\n  from = module.team.platform_group.this\n\n  lifecycle {\n    destroy = false\n  }\n}\n",
    );
    expect(blocks.match(/from = /g)).toHaveLength(21);
    expect(blocks).not.toMatch(/terraform_data|deployment|data\./);
  });

  test("none that would also forget an object that stays with Terraform", () => {
    const { blocks, partial } = removal(recorded("unfinished.tfstate"));
    expect(partial).toEqual(["platform_group.stage", "platform_identity.account"]);
    expect(blocks).not.toMatch(/platform_group\.stage|platform_identity\.account/);
  });
});

const ours = { ...ofGroup, id: `${group}/01` };

describe("rejected, with the address of the object", () => {
  const problemsOf = (type: string, ...attributes: object[]) => {
    const instances = attributes.map((each, index) => ({ index_key: index, attributes: each }));
    return convert(state(type, instances)).problems;
  };

  test.each<[string, string, object, string]>([
    ["a wrong value", "group", { ...ours, name: "Team" }, 'name "Team"'],
    ["a missing value", "subscription", { id: `${group}/01`, parent_id: group }, "sink is required"],
    ["a value of another type", "group", { ...ours, name: 7 }, "name must be a string"],
    [
      "an object of another provider of the same name",
      "group",
      { ...ours, id: "4711" },
      `id "4711" is not in parentUid "${group}"`,
    ],
    ["a missing id", "group", ofGroup, "id is required"],
    ["no form of an identity", "identity", ours, "exactly one of claimMatch"],
    ["two forms of an identity", "identity", { ...ours, service_principal: "A", static: { issuer: "x" } }, "exactly one of"],
  ])("%s", (_, type, attributes, expected) => {
    expect(problemsOf(type, attributes).join("\n")).toContain(`platform_${type}.it[0]: ${expected}`);
  });

  test("one object that is two Terraform resources", () => {
    expect(problemsOf("group", ours, ours)).toEqual([
      `platform_group.it[1]: is the same object as platform_group.it[0]: ${group}/01`,
    ]);
  });

  test("all problems at once", () => {
    expect(problemsOf("group", { ...ofGroup, id: "", name: "A" }, { ...ours, id: `${group}/02`, name: "B" })).toHaveLength(3);
  });
});

const rootGroup = { attributes: { id: root, name: "acme", parent_id: null } };

test.each<[string, string, Instance, string]>([
  ["the root of an organisation", "group", rootGroup, "read it with Group.get"],
  ["a tainted object", "group", { attributes: ours, status: "tainted" }, "terraform untaint"],
  ["a deposed object", "group", { attributes: ours, deposed: "0a" }, "still gives access"],
  ["a build", "apko_build", { attributes: ours }, "not an object"],
  ["an unknown type", "vault", { attributes: ours }, "does not know its type"],
  ["a name of Object.prototype as type", "constructor", { attributes: ours }, "does not know its type"],
  ["attributes in the old form", "group", {}, "before Terraform 0.12"],
])("%s stays with Terraform", (_, type, instance, reason) => {
  expect(convert(state(type, [instance])).unconverted).toMatchObject([{ reason: expect.stringContaining(reason) as string }]);
});

const anybody = { issuer: "https://a.example", subject_pattern: ".*" };
const sync_config = { source: "nginx", apko_overlay: "{}", grace_period: false, expiration: "2027-01-01T00:00:00Z" };
const oidc = { issuer: "https://a.example", client_id: "b", client_secret: null, additional_scopes: ["email"] };

test.each<[string, string, object, string[]]>([
  ["a pattern that lets anybody in", "identity", { ...ours, claim_match: anybody }, ["allowAnySubject"]],
  [
    "attributes without a counterpart, nested ones too, unless they are unset",
    "image_repo",
    { ...ours, readme: "# It", sync_config },
    ["readme has no counterpart", "sync_config.apko_overlay has no counterpart"],
  ],
  [
    "a client secret that the state has lost",
    "identity_provider",
    { ...ours, default_role: viewer, oidc },
    ["oidc.clientSecret is required"],
  ],
])("what the program must say besides: %s", (_, type, attributes, notes) => {
  const { converted } = convert(state(type, [{ attributes }]));
  expect(converted.flatMap((each) => each.notes)).toEqual(notes.map((note) => expect.stringContaining(note) as string));
});

test.each<[string, [string, object][], string[]]>([
  [
    "the one whose objects are below their parents",
    [
      ["other_group", { id: "12", parent_id: "7" }],
      ["platform_group", ours],
    ],
    ["platform"],
  ],
  [
    "any whose types fit, if none is",
    [
      ["other_group", { id: "12", parent_id: "7" }],
      ["third_role", { id: "1" }],
    ],
    ["other", "third"],
  ],
  ["none in a state of other types", [["other_iam_group", ours]], []],
])("the platform's provider is %s", (_, types, providers) => {
  const resources = types.map(([type, attributes]) => ({ mode: "managed", type, name: "it", instances: [{ attributes }] }));
  expect(providersIn(readState(JSON.stringify({ version: 4, resources }), "x"))).toEqual(providers);
});

test.each([
  ["no JSON", '{ "client_secret": "hunter2", }', "is not JSON"],
  ["an empty text", "", "is not JSON"],
  ["another version", '{ "version": 3 }', "version: must be 4"],
  ["a plan", '{ "format_version": "1.2", "planned_values": {} }', "is a plan, not a state"],
  ["another document", '{ "format_version": 1 }', "is not a Terraform state"],
  ["a list", "[]", "is not a Terraform state"],
  ["null", "null", "is not a Terraform state"],
  ["a broken resource", '{ "version": 4, "resources": [{ "mode": "managed" }] }', "resources.0.type"],
])("%s is no state, and its content is not quoted", (_, text, expected) => {
  expect(() => readState(text, "a.tfstate")).toThrow(expected);
  expect(() => readState(text, "a.tfstate")).not.toThrow("hunter2");
});

test.each(['{ "version": 4, "resources": null }', '{ "version": 4 }', '{ "format_version": "1.0" }'])(
  "%s is an empty state",
  (text) => {
    expect(readState(text, "x")).toEqual([]);
  },
);
