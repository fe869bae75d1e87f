import { parse } from "yaml";
import type { Format } from "../../../cli/export/format";
import type { Program } from "../../../cli/export/program";
import { protectedOrganization as organization, Rows, sources } from "./rows";

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
  // A line that is removed would leave its access.
  for (const text of files.values()) expect(text).not.toContain("retainOnDelete");
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
});

test.each<Format>(["typescript", "yaml"])("in %s, nothing is protected where that is not wanted", (format) => {
  const files = organization().files(format, organization().program(undefined, { format, isProtecting: false }));
  expect([...files.keys()]).not.toContain("import-protected.json");
  expect(imported(files, "import.json")).toHaveLength(16);
  for (const text of files.values()) expect(text).not.toMatch(/protect: true|--protect=true|is protected/);
});

test("the commands of the README run no update unless the preview before it shows no changes, and leave no variable behind", () => {
  const readme = organization().files().get("README.md") ?? "";
  const commands = (/```sh\n(.*?)```/s.exec(readme)?.[1] ?? "").replaceAll("\\\n", " ").split("\n");
  const updates = commands.filter((command) => /pulumi up\b/.test(command));
  expect(updates).toEqual([
    expect.stringMatching(/^pulumi preview .*--expect-no-changes +&& +PULUMI_SKIP_CHECKPOINTS=1 pulumi up /) as string,
  ]);
  expect(readme).not.toMatch(/^(export|unset) /m);
});
