import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { TestPlatform } from "../../support/test-platform";
import { longTest } from "../../support/tier";

const main = path.resolve(__dirname, "../../../dist/cli/main.js");
const scratch = path.resolve(__dirname, "../../../.state/tests");
/** Objects of the large organisation. */
const many = 2000;

let platform: TestPlatform;
let folder: string;

beforeEach(async () => {
  platform = await TestPlatform.start({ sample: true });
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(path.join(scratch, "export-"));
  await mkdir(path.join(folder, "backend"));
});
afterEach(async () => {
  await platform.close();
  await rm(folder, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  /** Standard output: the result. */
  readonly stdout: string;
  /** That and standard error, where a slow machine has warnings. */
  readonly output: string;
}

/** Runs `command` with what programs and commands need. */
function run(command: string, args: readonly string[]): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    ...platform.environment,
    PULUMI_HOME: path.join(scratch, "pulumi-home"),
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NODE_COMPILE_CACHE: path.join(scratch, "compile-cache"),
  };
  return new Promise((resolve) => {
    execFile(command, args, { env, cwd: folder, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, output: stdout + stderr });
    });
  });
}

const exporting = (...args: string[]) => run(process.execPath, [main, "export", ...args]);

/** URNs of the protected resources of a stack. */
async function protectedIn(project: string, stack: string): Promise<string[]> {
  const { stdout } = await run("pulumi", ["-C", project, "stack", "export", "--stack", stack]);
  const { deployment } = JSON.parse(stdout) as { deployment: { resources: { urn: string; protect?: boolean }[] } };
  return deployment.resources.flatMap(({ urn, protect }) => (protect === true ? [urn] : [])).sort();
}

/** What an organisation has after some years. */
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

test("an awkward organisation becomes a program and a stack that agree with it, and nothing is written to the platform", async () => {
  await grow();
  await platform.clearRequests();
  const { code, stdout, output } = await exporting("--out", "acme", "--import", "prod", "--json");
  expect(output).toContain('"agrees": true');
  expect(code).toBe(0);
  expect(await platform.writes()).toEqual([]);

  const { declared, unmanaged } = JSON.parse(stdout) as { declared: Record<string, number>; unmanaged: { uid: string }[] };
  const all = [
    "groups",
    "identities",
    "roles",
    "roleBindings",
    "identityProviders",
    "externalGroupRoleMappings",
    "accountAssociations",
  ];
  const objects = await Promise.all(
    [...all, "groupInvites", "repos", "tags", "subscriptions"].map((each) => platform.objects(each)),
  );
  const existing = objects.flat().filter(({ uid }) => uid.startsWith(platform.root));
  const count = Object.values(declared).reduce((sum, each) => sum + each, 0);
  expect(count + unmanaged.length).toBe(existing.length);
  // The root and two invites.
  expect(unmanaged).toHaveLength(3);

  const imported = await protectedIn("acme", "prod");
  expect(imported.length).toBeGreaterThan(0);
  const up = await run("pulumi", ["-C", "acme", "up", "--stack", "prod", "--yes", "--skip-preview", "--non-interactive"]);
  expect(up.code).toBe(0);
  // What the program protects was protected before it ever ran.
  expect(await protectedIn("acme", "prod")).toEqual(imported);
  const destroy = ["destroy", "--stack", "prod", "--yes", "--run-program", "--non-interactive"];
  const { code: destroyed, output: reason } = await run("pulumi", ["-C", "acme", ...destroy]);
  expect(destroyed).not.toBe(0);
  expect(reason).toContain("protected");
  expect(await platform.writes()).toEqual([]);
});

longTest("what a stack manages is left out of the next export, and the program for the rest agrees too", async () => {
  const operations = (await platform.named("groups", "operations")).uid;
  await exporting("--root", "acme.example/operations", "--out", "operations", "--import");
  const state = await run("pulumi", ["-C", "operations", "stack", "export", "--stack", "main"]);
  await writeFile(path.join(folder, "state.json"), state.stdout);
  await platform.create("identities", operations, { name: "new", claimMatch: { issuer: "https://gitlab.com", subject: "x" } });
  const { code } = await exporting("--out", "rest", "--only-unmanaged", "--state", "state.json", "--import", "rest");
  expect(code).toBe(0);
  expect(await readFile(path.join(folder, "rest/organization.ts"), "utf8")).toContain('parentPath: "acme.example/operations"');
  expect(await readdir(path.join(folder, "rest"))).not.toContain("operations.ts");
});

longTest("a role binding that was given by hand beside a GroupAccess is left to that, and named", async () => {
  const [owner, group] = [await platform.role("owner"), await platform.create("groups", platform.root, { name: "pay" })];
  const { uid } = await platform.create("roleBindings", group.uid, { identityUid: platform.identity, roleUid: owner });
  const type = "pulumi-nodejs:dynamic/platform/iam:GroupAccess";
  const outputs = { parentUid: group.uid, access: {}, roleUids: {}, bindings: {} };
  const access = { urn: `urn:pulumi:prod::people::${type}::pay`, type, custom: true, id: group.uid, inputs: outputs, outputs };
  await writeFile(path.join(folder, "state.json"), JSON.stringify({ version: 3, deployment: { resources: [access] } }));
  const { stdout } = await exporting("--out", "rest", "--only-unmanaged", "--state", "state.json", "--json");
  const { unmanaged } = JSON.parse(stdout) as { unmanaged: { uid: string; reason: string }[] };
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
  const { code, output } = await exporting("--out", "acme", "--import");
  expect(output).toContain("shows no changes");
  expect(code).toBe(0);
  expect(await platform.writes()).toEqual([]);
});

longTest(
  "a folder that is not empty, a group that nobody sees and a kind that may not be read: exit code 1, and nothing is written",
  async () => {
    await writeFile(path.join(folder, "mine"), "");
    expect(await exporting("--out", ".")).toMatchObject({
      code: 1,
      output: expect.stringContaining("it is not empty") as string,
    });
    const nobody = await exporting("--out", "acme", "--root", "acme.example/nothing");
    expect(nobody).toMatchObject({ code: 1, output: expect.stringContaining("nothing") as string });
    await platform.fault({ method: "GET", path: "/registry/v2beta1/repos" }, { status: 403, code: 7 });
    const { code, output } = await exporting("--out", "acme");
    expect(code).toBe(1);
    expect(output).toContain("objects may be missing: [PERMISSION_DENIED]\n  repos in acme.example");
    expect(await readdir(folder)).not.toContain("acme");
  },
);
