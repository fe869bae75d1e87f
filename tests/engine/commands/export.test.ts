import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ExportDocument } from "../../../cli/documents/export";
import { endWith, fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

/** Objects of the large organisation. */
const many = 2000;

useProject("", { sample: true });

const exporting = (...args: string[]) => project.command("export", ...args);
/** Runs the engine on an exported program. */
const pulumi = (exported: string, ...args: string[]) => project.pulumi("-C", path.join(project.folder, exported), ...args);

/** URNs of the protected resources of a stack. */
async function protectedIn(exported: string, stack: string): Promise<string[]> {
  const { stdout } = await succeed(pulumi(exported, "stack", "export", "--stack", stack));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string; protect?: boolean }[] } };
  return deployment.resources.flatMap(({ urn, protect }) => (protect === true ? [urn] : [])).sort();
}

/** Makes the objects of an organisation after some years. */
async function grow(): Promise<void> {
  const group = async (parent: string, name: string, description = "") =>
    (await platform.create("groups", parent, { name, description })).uid;
  const identity = async (parent: string, name: string, form: object) =>
    (await platform.create("identities", parent, { name, ...form })).uid;
  const bind = (parent: string, identityUid: string, roleUid: string) =>
    platform.create("roleBindings", parent, { identityUid, roleUid });
  const [editor, viewer] = [await platform.role("editor"), await platform.role("viewer")];
  const [sales, engineering] = [
    await group(platform.root, "sales dept."),
    await group(platform.root, "engineering", '"); process.exit(1); ("'),
  ];
  const [one, two] = [await group(sales, "new"), await group(engineering, "new", "${x} $$ `*/")];
  const open = await identity(one, "class", {
    claimMatch: { issuer: "https://gitlab.com", subjectPattern: ".*", claimPatterns: { ref: "^a$" } },
  });
  const { issuerKeys } = (await platform.named("identities", "break-glass"))["staticKeys"] as { issuerKeys: string };
  const staticKeys = { issuer: "https://old.example", subject: "old", issuerKeys, expirationTime: "2020-01-01T00:00:00Z" };
  const expired = await identity(two, "0 . 1", { staticKeys });
  for (const place of [platform.root, sales, two]) {
    await bind(place, open, viewer);
    await bind(place, expired, editor);
  }
  const custom = (
    await platform.create("roles", platform.root, { name: "Lesen & Schreiben 💥", capabilities: ["CAP_REPO_LIST"] })
  ).uid;
  await bind(one, expired, custom);
  // Names of files of the project, and of a helper that the program uses.
  await group(platform.root, "import");
  await group(await group(platform.root, "package"), "tsconfig");
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:ref:refs/heads/main" };
  await bind(platform.root, await identity(platform.root, "github-actions", { claimMatch }), viewer);
}

const collections = [
  ...["groups", "identities", "roles", "roleBindings", "identityProviders", "externalGroupRoleMappings"],
  ...["accountAssociations", "groupInvites", "repos", "tags", "subscriptions"],
];

test("an awkward organisation becomes a program and a stack that agree with it, and nothing is written to the platform", async () => {
  await grow();
  await platform.clearRequests();
  const { stdout } = await succeed(exporting("--out", "acme", "--import", "prod", "--json"));
  const { imported, declared, unmanaged } = JSON.parse(stdout) as ExportDocument;
  const objects = await Promise.all(collections.map((each) => platform.objects(each)));
  const existing = objects.flat().filter(({ uid }) => uid.startsWith(platform.root));
  const count = Object.values(declared).reduce((sum, each) => sum + each, 0);
  // Unmanaged are the root and two invites.
  expect({ imported, all: count + unmanaged.length, unmanaged: unmanaged.length }).toEqual({
    imported: { stack: "prod", agrees: true },
    all: existing.length,
    unmanaged: 3,
  });

  const keptSafe = await protectedIn("acme", "prod");
  expect(keptSafe.length).toBeGreaterThan(0);
  await succeed(pulumi("acme", "up", "--stack", "prod", "--yes", "--skip-preview"));
  // The protected objects were protected before the program ever ran.
  expect(await protectedIn("acme", "prod")).toEqual(keptSafe);
  expect(await platform.writes()).toEqual([]);
});

longTest("what the program protects cannot be destroyed", async () => {
  await succeed(exporting("--out", "acme", "--import", "prod"));
  await platform.clearRequests();
  await fail(pulumi("acme", "destroy", "--stack", "prod", "--yes", "--run-program"), "protected");
  expect(await platform.writes()).toEqual([]);
});

longTest("what a stack manages is left out of the next export, and the program for the rest agrees too", async () => {
  const operations = (await platform.named("groups", "operations")).uid;
  await succeed(exporting("--root", "acme.example/operations", "--out", "operations", "--import"));
  await project.file("state.json", (await succeed(pulumi("operations", "stack", "export", "--stack", "main"))).stdout);
  await platform.create("identities", operations, { name: "new", claimMatch: { issuer: "https://gitlab.com", subject: "x" } });
  await succeed(exporting("--out", "rest", "--only-unmanaged", "--state", "state.json", "--import", "rest"));
  expect(await readFile(path.join(project.folder, "rest/organization.ts"), "utf8")).toContain(
    'parentPath: "acme.example/operations"',
  );
  expect(await readdir(path.join(project.folder, "rest"))).not.toContain("operations.ts");
});

longTest("a role binding that was given by hand beside a GroupAccess is left to that, and named", async () => {
  const [owner, group] = [await platform.role("owner"), await platform.create("groups", platform.root, { name: "pay" })];
  const { uid } = await platform.create("roleBindings", group.uid, { identityUid: platform.identity, roleUid: owner });
  const type = "pulumi-nodejs:dynamic/platform/iam:GroupAccess";
  const outputs = { parentUid: group.uid, access: {}, roleUids: {}, bindings: {} };
  const access = { urn: `urn:pulumi:prod::people::${type}::pay`, type, custom: true, id: group.uid, inputs: outputs, outputs };
  await project.file("state.json", JSON.stringify({ version: 3, deployment: { resources: [access] } }));
  const { stdout } = await succeed(exporting("--out", "rest", "--only-unmanaged", "--state", "state.json", "--json"));
  const { unmanaged } = JSON.parse(stdout) as ExportDocument;
  expect(unmanaged).toContainEqual(expect.objectContaining({ uid, reason: expect.stringContaining(access.urn) as string }));
});

longTest(`an organisation of ${many} objects is taken over with no changes and no writes`, async () => {
  const viewer = await platform.role("viewer");
  for (let index = 0; index < many / 3; index += 1) {
    const { uid } = await platform.create("groups", platform.root, { name: `team ${index}` });
    const claimMatch = { issuer: "https://gitlab.com", subject: `project_path:acme/p${index}:ref_type:branch:ref:main` };
    const { uid: identityUid } = await platform.create("identities", uid, { name: "ci", claimMatch });
    await platform.create("roleBindings", uid, { identityUid, roleUid: viewer });
  }
  await platform.clearRequests();
  const { stdout } = await succeed(exporting("--out", "acme", "--import", "--json"));
  expect(JSON.parse(stdout)).toMatchObject({ imported: { agrees: true } });
  expect(await platform.writes()).toEqual([]);
});

longTest(
  "a folder that is not empty, a group that nobody sees and a kind that may not be read: exit code 1, and nothing is written",
  async () => {
    const refused = async (part: string, ...args: string[]) => {
      expect((await endWith(1, exporting(...args))).stderr).toContain(part);
    };
    await refused(project.folder, "--out", project.folder);
    await refused("acme.example/nothing", "--out", "acme", "--root", "acme.example/nothing");
    await platform.fault({ method: "GET", path: "/registry/v2beta1/repos" }, { status: 403, code: 7 });
    await refused("[PERMISSION_DENIED]\n  repos in acme.example", "--out", "acme");
    expect(await readdir(project.folder)).not.toContain("acme");
  },
);
