import fc from "fast-check";
import ts from "typescript";
import { parse } from "yaml";
import schema from "../../../schema.json";
import { compileFiles } from "../../docs/compiler";
import { protectedOrganization, role, Rows, sources } from "./rows";

/** Texts that would be code, or hide something, in TypeScript, YAML or Markdown. */
const hostile = [
  '"); process.exit(1); ("',
  "`${process.exit(1)}`",
  "*/ process.exit(1) /*",
  "\\",
  "a\u2028b\u2029c",
  "\u202ereversed\u2066",
  "${root.id}",
  "$${x} $",
  "fn::secret",
  "'''",
  "# no comment: yes",
  "- a",
  "{a: b}",
  "<script>alert(1)</script>",
  "[x](javascript:alert(1)) ![y](z)",
  "__proto__",
  "constructor",
  "no",
  "123",
  "💥 ünïcödé",
];

function awkward(texts: readonly string[]): Rows {
  const acme = new Rows();
  for (const text of texts) {
    const group = acme.group(acme.root, "shop", { description: text });
    const team = acme.group(group, "new");
    const claimMatch = { issuer: "https://gitlab.com", subject: text, claims: { [text]: text } };
    const ci = acme.identity(team, "ci", { description: text, claimMatch });
    const reader = acme.add("iam:Role", group, { name: text, description: text, capabilities: ["CAP_REPO_LIST"] });
    acme.bind(team, ci, reader);
    acme.bind(group, ci, role("owner"));
    const repo = acme.add("registry:Repo", group, { name: text, customOverlay: { environment: { [text]: text } } });
    for (const tag of ["1.0", "latest", "class"])
      acme.add("registry:Tag", repo, { name: tag, digest: `sha256:${"0".repeat(64)}` });
    const oidc = { issuer: "https://login.example", clientId: text };
    const provider = acme.add("iam:IdentityProvider", group, { name: text, defaultRole: role("viewer"), oidc });
    acme.add("iam:ExternalGroupRoleMapping", provider, { externalGroupId: text, roleUid: role("viewer"), scope: acme.root });
    acme.add("events:Subscription", group, { sink: "https://hooks.example/a?b=`${c}`" });
  }
  return acme;
}

/** The functions and classes that a generated file may call. */
const calls = new Set(["bind", "RoleBinding", "Group", "Identity", "Role", "Repo", "Tag", "IdentityProvider", "Subscription"]);
for (const each of ["ExternalGroupRoleMapping", "config.getSecret", "pulumi.Config", "Object.entries", "gitlabCi"])
  calls.add(each);

function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

function parsed(files: ReadonlyMap<string, string>): ts.Node[] {
  return [...files].flatMap(([name, text]) => {
    if (!name.endsWith(".ts")) return [];
    const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    return nodesOf(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022));
  });
}

function expectLiteral(text: string): void {
  const acme = awkward([text]);
  const files = acme.files();
  const nodes = parsed(files);
  const called = nodes.flatMap((node) => (ts.isCallExpression(node) || ts.isNewExpression(node) ? [node.expression] : []));
  const source = sources(files);
  const namesCalled = called.map((node) =>
    ts.isIdentifier(node)
      ? node.text
      : ts.isPropertyAccessExpression(node)
        ? `${(node.expression as ts.Identifier).text}.${node.name.text}`
        : "?",
  );
  expect(namesCalled.filter((name) => !calls.has(name))).toEqual([]);
  expect(source).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
  const isDeclared = acme.program().resources.some(({ object }) => object.kind === "iam:Role");
  if (isDeclared) expect(nodes.filter(ts.isStringLiteral).map((node) => node.text)).toContain(text);

  const yaml = parse(acme.files("yaml").get("Pulumi.yaml") ?? "") as {
    resources: Record<string, { type: string; name?: string; properties: Record<string, unknown> }>;
  };
  const descriptions = Object.values(yaml.resources).flatMap(({ properties }) =>
    typeof properties["description"] === "string" ? [properties["description"]] : [],
  );
  for (const each of descriptions) expect(each.replaceAll("$$", "$")).toBe(text);
  for (const { name, properties } of Object.values(yaml.resources))
    for (const each of [name, ...Object.values(properties)])
      if (typeof each === "string") expect(each.replaceAll("$$", "")).not.toMatch(/\$(?!\{[A-Za-z_][\w-]*(\.id)?\}$)/);
}

test.each(["fn::secret", "Fn::Join"])("YAML: what has the key %s, which would call a function, is left out and named", (key) => {
  const acme = new Rows();
  const shop = acme.group(acme.root, "shop");
  const ci = acme.identity(shop, "ci", { claimMatch: { issuer: "https://gitlab.com", subject: "a", claims: { [key]: "b" } } });
  acme.bind(shop, ci, role("viewer"));
  const repo = acme.add("registry:Repo", shop, { name: "web", customOverlay: { environment: { [key]: "b" } } });
  acme.add("registry:Tag", repo, { name: "1.0", digest: `sha256:${"0".repeat(64)}` });
  acme.identity(shop, "other");

  const program = acme.program(undefined, { format: "yaml" });
  const reason = (place: string) =>
    `Pulumi YAML takes the key "${key}" in ${place} for the call of a function; export with --format typescript to declare it`;
  const left = program.unmanaged.map(({ object, reason: why }) => [object.name, why]);
  expect(left).toEqual(
    expect.arrayContaining([
      ["ci", reason("claimMatch.claims")],
      ["web", reason("customOverlay.environment")],
    ]),
  );
  expect(left).toHaveLength(3);
  const files = acme.files("yaml", program);
  const { resources } = parse(files.get("Pulumi.yaml") ?? "") as {
    resources: Record<string, { type: string; properties: object }>;
  };
  expect(Object.values(resources).map(({ type }) => type.split(":").at(-1))).toEqual(["Group", "Identity", "RoleBinding", "Tag"]);
  expect(files.get("Pulumi.yaml")).not.toContain("::");
  // References to them name their uids.
  expect(Object.values(resources).map(({ properties }) => properties)).toEqual(
    expect.arrayContaining([expect.objectContaining({ identityUid: ci }), expect.objectContaining({ repoUid: repo })]),
  );
  expect(files.get("README.md")).toContain("Identity acme/shop/ci");
  expect(acme.program().unmanaged).toHaveLength(1);
});

test.each(hostile)("%j is a literal everywhere, and never code", expectLiteral);

test("any text is a literal everywhere, and never code", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), expectLiteral), { numRuns: 20, seed: 16 });
});

/** The sources of a program, for the compiler. */
function projectOf(files: ReadonlyMap<string, string>): Map<string, { text: string; origin: string }> {
  return new Map(
    [...files].filter(([name]) => name.endsWith(".ts")).map(([name, text]) => [`exported/${name}`, { text, origin: name }]),
  );
}

test.each([
  ["awkward names", awkward(hostile)],
  ["protected resources", protectedOrganization()],
])("a program of %s compiles against the package, without an unused import", (_, acme) => {
  expect(compileFiles(projectOf(acme.files()))).toEqual([]);
});

test("no variable hides a claim helper that its file uses", () => {
  const acme = new Rows();
  const uses: Record<string, object> = {
    "github-actions": { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:ref:refs/heads/main" },
    "gitlab-ci": { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" },
    kubernetes: { issuer: "https://cluster.example", subject: "system:serviceaccount:shop:ci" },
    "organization uid": { issuer: "https://gitlab.com", subject: "project_path:acme/pay:ref_type:branch:ref:main" },
  };
  for (const [name, claimMatch] of Object.entries(uses)) {
    acme.bind(acme.root, acme.identity(acme.root, name, { claimMatch }), role("viewer"));
  }
  const files = acme.files();
  expect(sources(files)).toContain("claimMatch: githubActions({");
  expect(compileFiles(projectOf(files))).toEqual([]);
});

test("no group has the name of a file that Node.js loads instead of it: import.json, for one, comes before import.ts", () => {
  const acme = new Rows();
  for (const name of [
    "import",
    "import protected",
    "package",
    "package lock",
    "tsconfig",
    "index",
    "bindings",
    "organization",
    "readme",
  ])
    acme.group(acme.root, name);
  const names = [...acme.files().keys(), "package-lock.json"];
  const stems = (ending: RegExp) => names.filter((name) => ending.test(name)).map((name) => name.replace(ending, ""));
  expect(stems(/\.ts$/)).toHaveLength(11);
  expect(stems(/\.ts$/).filter((stem) => stems(/\.(json|js)$/).includes(stem))).toEqual([]);
});

test.each(["platform", "pulumi", "pulumi platform", "typescript", "null", "true"])(
  "a project of the group %s has a name of its own: the settings of another namespace are not its own",
  (name) => {
    const files = new Rows(name).files();
    const { name: project } = parse(files.get("Pulumi.yaml") ?? "") as { name: unknown };
    expect(project).toBe(`${name.replace(" ", "-")}-organization`);
    expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({ name: project });
  },
);

test.each(["20240115_1200", "0b11", "0X1F", "+0x1", "-1_0", "1e3", "0x1", "014", "2026-01-31", "no"])(
  "YAML: %s stays a text for Go, as value and as key",
  (text) => {
    const acme = new Rows();
    acme.add("registry:Repo", acme.root, { name: "web", customOverlay: { environment: { [text]: text } } });
    const written = text === "no" ? text : `"${text}"`;
    expect(acme.files("yaml").get("Pulumi.yaml")).toContain(`${written}: ${written}\n`);
  },
);

test("YAML: a comment names the role, or the path, that a uid stands for; a hostile name stays a comment", () => {
  const acme = new Rows();
  const shop = acme.group(acme.root, "shop");
  const ci = acme.identity(acme.group(acme.root, "tools"), "ci");
  const reader = acme.add("iam:Role", acme.root, { name: "reader\n}: x", capabilities: ["CAP_REPO_LIST"] });
  acme.bind(shop, ci, reader);
  acme.bind(shop, ci, role("viewer"));
  const program = acme.program(shop, { format: "yaml" });
  const yaml = acme.files("yaml", program).get("Pulumi.yaml") ?? "";
  expect(yaml).toContain(`parentUid: "${acme.root}" # acme\n`);
  expect(yaml).toContain(`identityUid: "${ci}" # acme/tools/ci\n`);
  expect(yaml).toContain(`roleUid: "${role("viewer")}" # viewer\n`);
  expect(yaml).toMatch(new RegExp(`roleUid: "${reader}"\\s+# reader\\s+#}: x\n`));
});

test("YAML has only types and properties of the schema of the native plugin", () => {
  const { resources } = parse(awkward(["x"]).files("yaml").get("Pulumi.yaml") ?? "") as {
    resources: Record<string, { type: string; properties: object }>;
  };
  const known = schema.resources as Record<string, { inputProperties: object } | undefined>;
  for (const { type, properties } of Object.values(resources)) {
    expect(known[type]).toBeDefined();
    expect(Object.keys(known[type]?.inputProperties ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
  }
});

test("files follow the tree; a file uses only files above it, and what connects branches is in files that none uses", () => {
  const acme = new Rows();
  const [one, two] = ["one", "two"].map((name) => acme.group(acme.root, name)) as [string, string];
  for (let count = 0; count < 25; count += 1)
    for (const group of [one, two]) acme.identity(acme.group(group, `team ${count}`), "ci");
  const cis = acme.objects.filter(({ kind }) => kind === "iam:Identity");
  for (const { uid } of cis) for (const group of [one, two]) acme.bind(group, uid, role("viewer"));
  const files = acme.files();
  expect([...files.keys()]).toEqual(expect.arrayContaining(["one.ts", "one/team-0.ts", "one.access.ts", "two/team-24.ts"]));
  for (const [name, text] of files) {
    if (!name.endsWith(".ts") || name === "index.ts") continue;
    expect(text).not.toMatch(/from ".*\.access"/);
  }
  expect(files.get("one/team-0.ts")).toContain('import { one } from "../one";');
  expect(compileFiles(projectOf(files))).toEqual([]);
});
