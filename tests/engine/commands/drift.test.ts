import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { DriftDocument } from "../../../cli/documents/drift";
import { TestPlatform } from "../../support/test-platform";
import { Project } from "../project";
import { succeed } from "../succeed";

const tool = path.resolve(__dirname, "../../../dist/cli/main.js");

const program = `
const login = (subject) => ({ issuer: "https://token.actions.githubusercontent.com", subject });
const under = { parentUid: root };
const eng = new Group("eng", { ...under, name: "engineering", description: "Everyone who builds" });
const ops = new Group("ops", under);
const ci = new Identity("ci", { parentUid: eng.id, claimMatch: login("repo:acme/shop:ref:refs/heads/main") });
const nightly = new Identity("nightly", { parentUid: ops.id, claimMatch: login("repo:acme/ops:ref:refs/heads/main") });
const puller = new Role("puller", { ...under, capabilities: ["CAP_REPO_LIST"] });
new RoleBinding("ci-viewer", { parentUid: eng.id, identityUid: ci.id, roleName: "viewer" });
new RoleBinding("nightly-editor", { ...under, identityUid: nightly.id, roleName: "editor" });
new GroupAccess("ops-access", { parentUid: ops.id, access: { viewer: { ci: ci.id, nightly: nightly.id } } });
new platform.Subscription("events", { ...under, sink: "https://events.example.com" });
new platform.Repo("images", { parentUid: eng.id });
new platform.AccountAssociation("account", { parentUid: ops.id, amazon: { account: "111111111111" } });
`;

let server: TestPlatform;
let project: Project;
let root: string;

beforeAll(async () => {
  server = await TestPlatform.start();
  root = (await server.create("groups", server.root, { name: "acme" })).uid;
  project = await Project.create(program, { ...server.environment, PLATFORM_ORGANIZATION: root });
  await succeed(project.up());
});

afterAll(async () => {
  await server.close();
  await project.remove();
});

async function drift(...args: string[]): Promise<{ code: number; output: string }> {
  const { code, output } = await project.pulumi("stack", "export");
  if (code !== 0) throw new Error(output);
  await project.file("state.json", output);
  const environment = { ...process.env, ...server.environment, PLATFORM_ORGANIZATION: root };
  const child = spawn(process.execPath, [tool, "drift", "--state", "state.json", ...args], {
    cwd: project.folder,
    env: environment,
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.resume();
  const [exit] = (await once(child, "close")) as [number];
  return { code: exit, output: printed };
}

test("a stack that was just applied is clean; twelve kinds of tampering are all found, and none is invented", async () => {
  await server.clearRequests();
  const clean = await drift("--json");
  expect({ code: clean.code, findings: (JSON.parse(clean.output) as DriftDocument).findings }).toEqual({ code: 0, findings: [] });
  expect(await server.writes()).toEqual([]);

  const named = async (kind: string, name: string) => (await server.named(kind, name)).uid;
  const [eng, ops, ci, nightly] = await Promise.all([
    ...[named("groups", "engineering"), named("groups", "ops")],
    ...[named("identities", "ci"), named("identities", "nightly")],
  ]);
  const [owner, editor] = await Promise.all(["owner", "editor"].map((role) => server.role(role)));
  const bindings = (await server.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${root}/`));
  const binding = (place = "", identity = "") => {
    const uidOf = (row: Record<string, unknown>) => (row["identity"] as { uid: string }).uid;
    return bindings.find((row) => path.dirname(row.uid) === place && uidOf(row) === identity)?.uid ?? "";
  };
  const bind = (place: string, identityUid: string, roleUid: string | undefined) =>
    server.create("roleBindings", place, { identityUid, roleUid });
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" };
  const anyone = (await server.create("identities", root, { name: "anyone", claimMatch })).uid;
  await bind(root, anyone, owner);
  await server.change("identities", nightly ?? "", { claimMatch: { subject: null, subjectPattern: "repo:acme/.*" } });
  await server.change("roleBindings", binding(eng, ci), { roleUid: owner });
  await server.change("roles", await named("roles", "puller"), { capabilities: ["CAP_REPO_LIST", "CAP_IAM_IDENTITY_UPDATE"] });
  const shadow = (await server.create("groups", eng ?? "", { name: "shadow" })).uid;
  await bind(shadow, ci ?? "", editor);
  await server.delete("roleBindings", binding(root, nightly));
  await bind(ops ?? "", ci ?? "", owner);
  await server.change("groups", eng ?? "", { description: "changed by hand" });
  await server.create("subscriptions", root, { sink: "https://spy.example.com" });
  await server.create("groupInvites", root, { roleUid: owner, ttl: "3600s" });
  await server.change("accountAssociations", ops ?? "", { amazon: { account: "9".repeat(12) } });
  await server.delete("repos", await named("repos", "images"));

  const { code, output } = await drift("--json", "--output", "sarif=drift.sarif", "--output", "html=drift.html");
  const { findings } = JSON.parse(output) as DriftDocument;
  const top = (await server.named("groups", "acme.example")).name;
  const found = findings.map(({ class: what, kind, path: at }) => `${what} ${kind} ${at.replace(`${top}/`, "")}`).sort();
  expect(found).toEqual(
    [
      "unmanaged iam:Identity acme/anyone",
      "unmanaged iam:RoleBinding acme",
      "changed iam:Identity acme/ops/nightly",
      "changed iam:RoleBinding acme/engineering",
      "changed iam:Role acme/puller",
      "unmanaged iam:Group acme/engineering/shadow",
      "unmanaged iam:RoleBinding acme/engineering/shadow",
      "missing iam:RoleBinding acme",
      "unmanaged iam:RoleBinding acme/ops",
      "changed iam:Group acme/engineering",
      "unmanaged events:Subscription acme",
      "unmanaged iam:GroupInvite acme",
      "changed iam:AccountAssociation acme/ops",
      "missing registry:Repo acme/engineering/images",
    ].sort(),
  );
  expect(code).toBe(7);
  expect(findings[0]).toMatchObject({
    severity: "critical",
    message: expect.stringMatching(/^acme\S*\/anyone \(anybody .* becomes owner of /) as string,
  });
  const inOps = findings.find(({ kind, path: at }) => kind === "iam:RoleBinding" && at.endsWith("/ops"));
  expect(inOps?.message).toContain("GroupAccess::ops-access, which removes what it neither declares nor exempts");
  // The engine finds the same drift of what the stack manages.
  const { steps } = await project.drift();
  expect(steps.sort()).toEqual(
    [
      "update Identity nightly",
      "update RoleBinding ci-viewer",
      "update Role puller",
      "update Group eng",
      "update AccountAssociation account",
      "update GroupAccess ops-access",
      "delete RoleBinding nightly-editor",
      "delete Repo images",
    ].sort(),
  );
});
