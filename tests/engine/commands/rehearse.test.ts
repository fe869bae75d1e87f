import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { RehearseDocument } from "../../../cli/documents/rehearse";
import { succeed } from "../succeed";
import { longTest } from "../../support/tier";
import { platform, project, useProject } from "../use-project";
import { effectOfReal, said } from "./real-update";
import { filesWith, processes, rehearse, run, startRehearsal, temporary, until, useRehearsals } from "./use-rehearsals";

const team = `
  const eng = new Group("engineering", { parentUid: root });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }) });
`;
const bound = `${team} new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: "editor" });`;

useProject(team);

useRehearsals();

const essence = ({ changes, errors, undecided }: RehearseDocument) => ({
  changes: changes.map(({ effect, message }) => `${effect}: ${message}`),
  errors,
  undecided,
});

/** Expects the access that an update gives and removes, and that nothing is open. */
async function expectChanges(program: string, changes: readonly string[], ...args: string[]): Promise<RehearseDocument> {
  await project.program(program);
  const found = await rehearse(...args);
  expect(essence(found)).toEqual({ changes, errors: [], undecided: [] });
  return found;
}

const gain = "gain: acme.example/engineering/ci (GitHub acme/shop, branch main) becomes editor of acme.example/engineering";

test("new objects, a computed role and a removal: the access is what the update gives, and the platform is only read", async () => {
  await succeed(project.up());
  await platform.clearRequests();
  const before = await project.storedState();
  await expectChanges(bound, [gain]);
  const computed = `new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleUid: platform.getRoleOutput({ name: "viewer" }).uid.apply((uid) => process.env.NONE ?? uid) });`;
  await expectChanges(`${team} ${computed}`, [gain.replace("editor", "viewer")]);
  expect((await platform.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await project.storedState()).toBe(before);
  expect(readdirSync(temporary)).toEqual([]);
  await project.program(bound);
  await succeed(project.up());
  await expectChanges(team, [
    "loss: acme.example/engineering/ci (GitHub acme/shop, branch main) is no longer editor of acme.example/engineering",
  ]);
});

longTest("a GroupAccess that adopts a role binding changes only the access that is new", async () => {
  await succeed(project.up());
  const [{ uid: eng }, { uid: ci }] = [await platform.named("groups", "engineering"), await platform.named("identities", "ci")];
  const roles = await platform.objects("roles");
  const uidOf = (name: string) => roles.find((each) => each["name"] === name)?.uid;
  await platform.create("roleBindings", eng, { identityUid: ci, roleUid: uidOf("viewer") });
  const access = `new GroupAccess("all", { parentUid: eng.uid, adopt: true, access: { editor: { ci: ci.uid }, viewer: { ci: ci.uid } } });`;
  const { rehearsal } = await expectChanges(`${team} ${access}`, [gain]);
  expect(rehearsal.calls).toEqual([{ verb: "create", kind: "iam:RoleBinding", at: "acme.example/engineering", isDone: true }]);
});

test("a taken name ends the rehearsal with the error of the update", async () => {
  await succeed(project.up());
  await platform.create("groups", platform.root, { name: "ops" });
  const first = bound.replace("new RoleBinding", "const binding = new RoleBinding");
  await project.program(`${first} new Group("ops", { parentUid: root }, { dependsOn: binding });`);
  const { code, stdout } = await run("--fail-on", "critical", "--skip-preview");
  const [, error = ""] = /- ops: (create group.*)/.exec(stdout) ?? [];
  expect(error).toContain("[KEY_TAKEN]");
  const real = await project.up();
  // The uid of the object in the way is the same, but not that of a new parent.
  expect(`${real.stdout}${real.stderr}`).toContain(error);
  expect({ code, isHalfWay: stdout.includes("will fail half-way") }).toEqual({ code: 7, isHalfWay: true });
});

test("--as another identity: the error and the access are those of its update, and a run without a sandbox says so", async () => {
  await succeed(project.up());
  const { uid: eng } = await platform.named("groups", "engineering");
  const claimMatch = { issuer: platform.issuer, subject: "writer" };
  const { uid: writer } = await platform.create("identities", eng, { name: "writer", claimMatch });
  await platform.create("roleBindings", eng, { identityUid: writer, roleUid: await platform.role("owner") });
  const first = bound.replace("new RoleBinding", "const binding = new RoleBinding");
  await project.program(`${first} new Group("ops", { parentUid: root }, { dependsOn: binding });`);
  const document = await rehearse("--as", "acme.example/engineering/writer", "--no-sandbox", "--skip-preview");
  expect(document).toMatchObject({ undecided: [], rehearsal: { isSandboxed: false } });
  expect(document.errors.join()).toContain("PERMISSION_DENIED");
  delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
  const token = await platform.oidcToken({ subject: "writer" });
  Object.assign(project.environment, { PLATFORM_IDENTITY: writer, PLATFORM_OIDC_TOKEN: token });
  expect(said(document)).toEqual(await effectOfReal(() => project.up()));
});

longTest("an update that removes its own access shows the access that it leaves half-way", async () => {
  const claim = `{ issuer: ${JSON.stringify(platform.issuer)}, subject: "runner" }`;
  const own = `const runner = new Identity("runner", { parentUid: root, claimMatch: ${claim} });`;
  const binding = `new RoleBinding("runner", { parentUid: root, identityUid: runner.uid, roleName: "owner" });`;
  await project.program(`${team} ${own} ${binding}`);
  await succeed(project.up());
  const { uid } = await platform.named("identities", "runner");
  const token = await platform.oidcToken({ subject: "runner" });
  delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
  Object.assign(project.environment, { PLATFORM_IDENTITY: uid, PLATFORM_OIDC_TOKEN: token });
  await project.program(`${bound} ${own}`);
  const { changes, errors } = await rehearse();
  expect({ changes: changes.map(({ message }) => message), errors: errors.join() }).toEqual({
    changes: [gain.slice("gain: ".length)],
    errors: expect.stringContaining("SELF_LOCKOUT") as string,
  });
});

test("a foreign dynamic resource is refused by name, and nothing of it runs", async () => {
  const trace = path.join(project.folder, "foreign.txt");
  await project.program(`${team}
    const provider = { create: async () => (require("node:fs").writeFileSync(${JSON.stringify(trace)}, ""), { id: "1", outs: {} }) };
    class Foreign extends pulumi.dynamic.Resource { constructor(name) { super(provider, name, {}); } }
    new Foreign("foreign");`);
  const { code, stdout, stderr } = await run("--json", "--fail-on", "any");
  const { undecided } = JSON.parse(stdout) as RehearseDocument;
  expect({ code, isTold: stderr.includes("Undecided"), isRun: existsSync(trace) }).toEqual({
    code: 8,
    isTold: true,
    isRun: false,
  });
  expect(undecided.map(({ what }) => what)).toEqual(["what foreign does"]);
});

longTest("another package is not run, and what depends on its new outputs is undecided", async () => {
  const sdk = '{ "name": "@pulumi/random", "version": "4.0.0", "pulumi": { "resource": true, "name": "random" } }';
  await mkdir(path.join(project.folder, "node_modules/@pulumi/random"), { recursive: true });
  await project.file("node_modules/@pulumi/random/package.json", sdk);
  await project.program(`${bound}
    class Random extends pulumi.CustomResource { constructor(name) { super("random:index/randomId:RandomId", name, { byteLength: 2 }); } }
    new Group("numbered", { parentUid: root, name: "a-group", description: new Random("number").id });`);
  const { changes, errors, undecided } = await rehearse();
  expect({ changes: changes.map(({ message }) => message), errors, undecided: undecided.map(({ what }) => what) }).toEqual({
    changes: [gain.slice("gain: ".length)],
    errors: [],
    undecided: ["what numbered becomes"],
  });
});

test("the program gets no credential, and a secret of the stack is in no file that a kill leaves", async () => {
  await succeed(project.up());
  await succeed(project.pulumi("config", "set", "--secret", "test:password", "the-secret-of-the-stack"));
  const environment = path.join(project.folder, "environment.json");
  await project.program(`${bound}
    require("node:fs").writeFileSync(${JSON.stringify(environment)}, JSON.stringify(process.env));
    module.exports = { password: new pulumi.Config("test").requireSecret("password") };
    if (process.env.WAITS) require("node:child_process").execFileSync("sleep", ["600.25"]);`);
  Object.assign(project.environment, {
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "the-job-token",
    PULUMI_ACCESS_TOKEN: "the-service-token",
  });
  const child = startRehearsal({ WAITS: "1" });
  await until(() => existsSync(environment), child);
  const [folder = ""] = readdirSync(temporary);
  expect(statSync(path.join(temporary, folder)).mode & 0o777).toBe(0o700);
  child.kill("SIGKILL");
  await sleep(1_000);
  expect(processes("600.25")).toEqual([]);
  expect(filesWith("the-secret-of-the-stack")).toEqual([]);
  const given = readFileSync(environment, "utf8");
  for (const secret of ["the-job-token", "the-service-token", project.environment["PLATFORM_OIDC_TOKEN_FILE"] ?? ""])
    expect(given).not.toContain(secret);
  expect(
    Object.keys(JSON.parse(given) as object)
      .filter((name) => /^PLATFORM_/.test(name))
      .sort(),
  ).toEqual([
    ...["PLATFORM_API_VERSION", "PLATFORM_BASE_URL", "PLATFORM_IDENTITY", "PLATFORM_ORGANIZATION", "PLATFORM_REHEARSAL"],
  ]);
  expect(readdirSync(temporary)).toEqual([folder]);
  await expectChanges(bound, [gain]);
  expect(readdirSync(temporary)).toEqual([]);
});

longTest("Ctrl-C ends the rehearsal with all its processes, and nothing is left", async () => {
  await project.program(`${bound} require("node:child_process").execFileSync("sleep", ["600.5"]);`);
  const child = startRehearsal();
  await until(() => processes("600.5").length > 0, child);
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(processes("600.5")).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test("the file of --save has the granting calls by paths, and none stays after an update that fails", async () => {
  await project.program(bound);
  const file = path.join(temporary, "ledger.json");
  await succeed(run("--save", file));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const ledger = JSON.parse(readFileSync(file, "utf8")) as { calls: object[]; stack: string; errors: string[] };
  const key = { identityUid: "acme.example/engineering/ci", roleUid: await platform.role("editor") };
  expect(ledger).toMatchObject({
    stack: "test/test",
    errors: [],
    undecided: [],
    calls: [
      { verb: "create", kind: "iam:Identity", place: "acme.example/engineering", key: { name: "ci" } },
      { verb: "create", kind: "iam:RoleBinding", place: "acme.example/engineering", key, body: key },
    ],
  });
  await project.program(`${team} throw new Error("the program fails");`);
  const { code, stdout } = await run("--save", file);
  expect({ code, isWritten: existsSync(file), stdout }).toEqual({
    code: 1,
    isWritten: false,
    stdout: expect.stringContaining("was not written") as string,
  });
});
