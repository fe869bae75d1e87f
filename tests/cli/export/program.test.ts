import type { Program } from "../../../cli/export/program";
import { role, Rows, sources } from "./rows";

let acme: Rows;
beforeEach(() => {
  acme = new Rows();
});

const names = ({ resources }: Program) => resources.map(({ kind, logicalName }) => `${kind.name} ${logicalName}`).sort();

test("logical names are paths: groups of the same name under different parents stay apart", () => {
  const [engineering, security] = [acme.group(acme.root, "engineering"), acme.group(acme.root, "security")];
  acme.group(engineering, "shop");
  acme.identity(acme.group(security, "shop"), "ci");
  expect(names(acme.program())).toEqual([
    "Group engineering",
    "Group engineering/shop",
    "Group security",
    "Group security/shop",
    "Identity security/shop/ci",
  ]);
});

test("a binding is named by its identity and its role, and by its group where that is another one", () => {
  const shop = acme.group(acme.root, "shop");
  const ci = acme.identity(shop, "ci");
  acme.bind(shop, ci, role("editor"));
  acme.bind(acme.root, ci, role("viewer"));
  acme.bind(acme.group(acme.root, "other"), ci, role("viewer"));
  expect(names(acme.program()).filter((name) => name.startsWith("RoleBinding"))).toEqual([
    "RoleBinding shop/ci:editor",
    "RoleBinding shop/ci:viewer@/",
    "RoleBinding shop/ci:viewer@other",
  ]);
});

test("no logical name changes when siblings are added, also ones of names that look the same", () => {
  const shop = acme.group(acme.root, "shop");
  acme.bind(shop, acme.identity(shop, "ci"), role("editor"));
  acme.add("registry:Repo", shop, { name: "web" });
  acme.add("registry:Repo", acme.root, { name: "a/b" });
  const before = names(acme.program());
  acme.add("registry:Repo", acme.root, { name: "shop/web" });
  acme.add("registry:Repo", acme.group(acme.root, "a"), { name: "b" });
  acme.bind(acme.group(shop, "ci"), acme.identity(shop, "another"), role("editor"));
  expect(names(acme.program())).toEqual(expect.arrayContaining(before));
  expect(new Set(names(acme.program())).size).toBe(names(acme.program()).length);
});

test("references are variables; what is outside has a path, roles have names, and no uid is in the program", () => {
  const engineering = acme.group(acme.root, "engineering");
  const shop = acme.group(engineering, "shop");
  const [ci, auditor] = [acme.identity(shop, "ci"), acme.identity(acme.root, "auditor")];
  const reader = acme.add("iam:Role", engineering, { name: "reader", capabilities: ["CAP_REPO_LIST"] });
  const upper = acme.add("iam:Role", acme.root, { name: "upper", capabilities: ["CAP_REPO_LIST"] });
  for (const each of [reader, upper, role("viewer")]) acme.bind(shop, ci, each);
  acme.bind(shop, auditor, role("viewer"));
  const files = acme.files("typescript", acme.program(engineering));
  const text = sources(files);
  expect(text).toContain('new Group("engineering", { parentPath: organization }');
  expect(text).toContain('identityRef: "acme/auditor"');
  expect(text).toContain("roleUid: readerRole.uid");
  expect(text).toContain('roleName: "upper"');
  expect(text).not.toMatch(/[0-9a-f]{40}/);
});

test("a role outside whose name means another one, or several, is referenced by its uid", () => {
  const engineering = acme.group(acme.root, "engineering");
  const ci = acme.identity(engineering, "ci");
  const viewer = acme.add("iam:Role", acme.root, { name: "viewer", capabilities: ["CAP_REPO_LIST"] });
  acme.bind(engineering, ci, viewer);
  const { resources } = acme.program(engineering);
  expect(resources.find(({ kind }) => kind.name === "RoleBinding")?.args).toMatchObject({ roleUid: viewer });
});

test("a person is referenced by the login, unless an identity of the organisation has the same one", () => {
  const person = "f".repeat(40);
  const login = { issuer: "https://accounts.example", subject: "zoe" };
  acme.bind(acme.root, person, role("viewer"), login);
  expect(acme.program().resources[0]?.args).toMatchObject({ identityRef: login });
  acme.identity(acme.root, "impostor", { claimMatch: login });
  const binding = acme.program().resources.find(({ kind }) => kind.name === "RoleBinding");
  expect(binding?.args).toMatchObject({ identityUid: person });
});

test("what no program can declare is named with its reason: the root, invites, duplicates and what a check rejects", () => {
  const shop = acme.group(acme.root, "shop");
  acme.add("iam:GroupInvite", shop, { roleUid: role("viewer") });
  const again = acme.group(acme.root, "shop");
  acme.identity(again, "ci");
  acme.identity(shop, "nothing", {});
  const { resources, unmanaged } = acme.program();
  expect(unmanaged.map(({ object, reason }) => `${object.kind} ${object.name ?? ""}: ${reason}`)).toEqual([
    expect.stringContaining("iam:Group acme: the root"),
    expect.stringContaining("iam:Group shop: an older object"),
    expect.stringContaining("iam:GroupInvite : its code"),
    expect.stringContaining("iam:Identity nothing: exactly one of claimMatch"),
  ]);
  // The path means either of the two.
  expect(resources.find(({ logicalName }) => logicalName.endsWith("/ci"))?.args).toMatchObject({ parentUid: again });
});

test("a duplicate of what a stack manages is named, whichever of the two is older: a second program must not declare it", () => {
  const [older, managed] = [acme.group(acme.root, "shop"), acme.group(acme.root, "shop")];
  acme.managed.add(managed);
  const { resources, unmanaged } = acme.program();
  expect(resources).toEqual([]);
  expect(unmanaged.map(({ object, reason }) => [object.uid, reason])).toContainEqual([
    older,
    expect.stringMatching(/a stack manages .*; delete or rename one of the two/),
  ]);
});

test("a role binding that the GroupAccess of a stack would remove is left to that stack", () => {
  const shop = acme.group(acme.root, "shop");
  const ci = acme.identity(shop, "ci");
  const [kept, removed] = [acme.bind(shop, ci, role("viewer")), acme.bind(shop, ci, role("owner"))];
  const { resources, unmanaged } = acme.program(acme.root, { removerOf: ({ uid }) => (uid === removed ? "urn:a" : undefined) });
  expect(resources.map(({ object }) => object.uid)).toContain(kept);
  expect(unmanaged.map(({ object, reason }) => [object.uid, reason])).toContainEqual([
    removed,
    expect.stringMatching(/^urn:a .*; declare or exempt it there$/),
  ]);
});

test("a pattern that anybody meets is declared with the consent that it needs", () => {
  acme.identity(acme.root, "open", { claimMatch: { issuer: "https://gitlab.com", subjectPattern: ".*" } });
  expect(acme.program().resources[0]?.args).toMatchObject({ allowAnySubject: true });
});

test("a secret that the platform does not return is configuration; with PKCE there may be none", () => {
  const oidc = { issuer: "https://login.example", clientId: "platform" };
  acme.add("iam:IdentityProvider", acme.root, { name: "Sign In!", defaultRole: role("viewer"), oidc });
  acme.add("iam:IdentityProvider", acme.root, {
    name: "pkce",
    defaultRole: role("viewer"),
    oidc: { ...oidc, pkceEnabled: true },
  });
  const files = acme.files();
  expect(sources(files).match(/getSecret\(.*\)/g)).toEqual(['getSecret("sign-in-client-secret")']);
  expect(files.get("README.md")).toContain("pulumi config set --secret sign-in-client-secret");
});

test.each([
  [
    { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:ref:refs/heads/main" },
    'githubActions({ repository: "acme/shop", branch: "main" })',
  ],
  [
    { issuer: "https://token.actions.githubusercontent.com", subjectPattern: "^repo:acme/shop:ref:refs/tags/v[^/]*$" },
    'githubActions({ repository: "acme/shop", tags: "v*" })',
  ],
  [
    { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme@1/shop@2:environment:a%3Ab" },
    'githubActions({ repository: "acme@1/shop@2", environment: "a:b" })',
  ],
  [
    {
      issuer: "https://token.actions.githubusercontent.com",
      subjectPattern: "^repo:(?:acme@1/shop\\.js@2|acme/shop\\.js):ref:refs/heads/main$",
    },
    'githubActions({ repository: "acme@1/shop.js@2", formerly: "acme/shop.js", branch: "main" })',
  ],
  [
    {
      issuer: "https://token.actions.githubusercontent.com",
      subjectPattern: "^repo:(?:acme@1/shop@2|acme/shop):ref:refs/tags/v[^/]*$",
    },
    'githubActions({ repository: "acme@1/shop@2", formerly: "acme/shop", tags: "v*" })',
  ],
  [
    { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:tag:ref:v1" },
    'gitlabCi({ project: "acme/shop", tag: "v1" })',
  ],
  [
    { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:tag:ref:v1", audience: "platform" },
    'gitlabCi({ project: "acme/shop", tag: "v1", audience: "platform" })',
  ],
  [
    { issuer: "https://oidc.cluster.example", subject: "system:serviceaccount:shop:web" },
    'kubernetes({ issuer: "https://oidc.cluster.example", namespace: "shop", name: "web" })',
  ],
])("%j is written as %s", (claimMatch, call) => {
  acme.identity(acme.root, "ci", { claimMatch });
  expect(sources(acme.files()).replaceAll(/\s+/g, " ").replaceAll(", }", " }")).toContain(call);
});

test.each([
  { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:pull_request_target" },
  { issuer: "https://token.actions.githubusercontent.com", subjectPattern: "repo:acme/shop:ref:refs/tags/v[^/]*" },
  { issuer: "https://evil.example", subject: "repo:acme/shop:ref:refs/heads/main" },
])("%j is no helper's, and written as it is", (claimMatch) => {
  acme.identity(acme.root, "ci", { claimMatch });
  expect(sources(acme.files())).not.toMatch(/githubActions|gitlabCi/);
  expect(sources(acme.files())).toContain(JSON.stringify(Object.values(claimMatch)[1]));
});

test.each([
  ["nested 20,000 levels", `{"keys":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
  ["no JSON at all", "none"],
])("keys of an identity that are %s are written as the text that they are", (_, issuerKeys) => {
  acme.identity(acme.root, "ci", { staticKeys: { issuer: "https://k8s.example", subject: "a", issuerKeys } });
  const text = sources(acme.files());
  expect(text).toContain("issuerKeys:");
  expect(text).not.toContain("JSON.stringify(");
  expect(acme.files("yaml").get("Pulumi.yaml")).toContain("issuerKeys:");
});
