import { parse } from "yaml";
import type { Format } from "../../../cli/export/format";
import type { Program } from "../../../cli/export/program";
import { compileFiles } from "../../docs/compiler";
import { role, Rows, sources } from "./rows";

/** An organisation with an object of every kind that is protected, and of some that are not. */
function organization(): Rows {
  const acme = new Rows();
  const shop = acme.group(acme.root, "shop");
  const [ci, admin] = [acme.identity(shop, "ci"), acme.identity(acme.root, "admin")];
  const access = { name: "access", capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] };
  const reader = { name: "reader", capabilities: ["CAP_REPO_LIST"] };
  for (const uid of [role("owner"), role("viewer"), acme.add("iam:Role", acme.root, access)]) acme.bind(acme.root, admin, uid);
  for (const uid of [ci, acme.identity(acme.root, "robot")]) acme.bind(acme.root, uid, role("owner"));
  acme.bind(acme.root, ci, acme.add("iam:Role", acme.root, reader));
  acme.bind(shop, ci, role("owner"));
  acme.bind(shop, admin, role("owner"));
  const oidc = { issuer: "https://login.example", clientId: "platform" };
  acme.add("iam:IdentityProvider", acme.root, { name: "sign-in", defaultRole: role("viewer"), oidc });
  acme.add("registry:Repo", shop, { name: "web" });
  return acme;
}

const protectedNames = [
  "Group shop",
  "Identity admin",
  "Identity robot",
  "Identity shop/ci",
  "IdentityProvider sign-in",
  "RoleBinding admin:access",
  "RoleBinding admin:owner",
  "RoleBinding robot:owner",
  "RoleBinding shop/ci:owner@/",
];

const named = ({ resources }: Program) =>
  resources.flatMap(({ kind, logicalName, isProtected }) => (isProtected ? [`${kind.name} ${logicalName}`] : [])).sort();

interface Entry {
  readonly type: string;
  readonly name: string;
}

/** The resources that a file for `pulumi import` has, as `Group shop`. */
function imported(files: ReadonlyMap<string, string>, file: string): string[] {
  const text = files.get(file);
  if (text === undefined) return [];
  const { resources } = JSON.parse(text) as { resources: Entry[] };
  return resources.map(({ type, name }) => `${type.split(":").at(-1) ?? ""} ${name}`).sort();
}

/** The resources that a program in YAML protects. */
function protectedInYaml(files: ReadonlyMap<string, string>): string[] {
  const { resources } = parse(files.get("Pulumi.yaml") ?? "") as {
    resources: Record<string, { type: string; name?: string; options?: object }>;
  };
  return Object.entries(resources)
    .flatMap(([key, { type, name = key, options }]) => {
      expect([undefined, { protect: true }]).toContainEqual(options);
      return options === undefined ? [] : [`${type.split(":").at(-1) ?? ""} ${name}`];
    })
    .sort();
}

test("groups, identities, identity providers, and the bindings that give control of a root, are protected", () => {
  expect(named(organization().program())).toEqual(protectedNames);
});

test("a role that cannot be read may be control, so that its binding in a root is protected", () => {
  const acme = new Rows();
  acme.bind(acme.root, acme.identity(acme.root, "ci"), "e".repeat(40));
  expect(named(acme.program())).toContain(`RoleBinding ci:${"e".repeat(40)}`);
});

test.each<Format>(["typescript", "yaml"])("in %s, program and import document agree on what is protected", (format) => {
  const files = organization().files(format);
  expect(imported(files, "import-protected.json")).toEqual(protectedNames);
  expect(imported(files, "import.json")).toHaveLength(7);
  expect(imported(files, "import.json").filter((name) => protectedNames.includes(name))).toEqual([]);
  if (format === "yaml") expect(protectedInYaml(files)).toEqual(protectedNames);
  const readme = files.get("README.md") ?? "";
  expect(readme).toContain("pulumi import --file import-protected.json --generate-code=false --protect=true --yes");
  expect(readme).toContain("pulumi import --file import.json --generate-code=false --protect=false --yes");
  expect(readme).toContain("## Delete what is protected");
});

test("in TypeScript a resource is protected where it is declared, and so is each binding of a statement for several", () => {
  const files = organization().files();
  const text = sources(files);
  expect(text).toMatch(/new Group\("shop", \{ parentPath: organization \}, \{ protect: true \}\);/);
  expect(text).toMatch(/new RoleBinding\("admin:access", \{[^}]*\}, \{ protect: true \}\);/);
  expect(text).toMatch(/"admin:owner": \{[^}]*\},\n {2}"robot:owner": \{[^}]*\},\n\}, \{ protect: true \}\);/);
  expect(text).not.toMatch(/new (Repo|Role)\([^;]*protect/);
  const origins = [...files].filter(([name]) => name.endsWith(".ts"));
  expect(compileFiles(new Map(origins.map(([name, source]) => [`exported/${name}`, { text: source, origin: name }])))).toEqual(
    [],
  );
});

test.each<Format>(["typescript", "yaml"])("in %s, nothing is protected where that is not wanted", (format) => {
  const files = organization().files(format, organization().program(undefined, { format, isProtecting: false }));
  expect([...files.keys()]).not.toContain("import-protected.json");
  expect(imported(files, "import.json")).toHaveLength(16);
  for (const text of files.values()) expect(text).not.toMatch(/protect: true|--protect=true|is protected/);
});

test.each<Format>(["typescript", "yaml"])(
  "in %s, nothing has retainOnDelete: a line that is removed would leave its access",
  (format) => {
    for (const text of organization().files(format).values()) expect(text).not.toContain("retainOnDelete");
  },
);
