import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Ended, runBuilt } from "../../support/cli";
import { platform, project, useProject } from "../use-project";

const team = `
  const eng = new Group("engineering", { parentUid: root });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }) });
`;
const bound = (role = '"viewer"') =>
  `${team} new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: ${role} });`;

/** Files of a rehearsal and of a program that leaves something. */
let folder = "";
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "up-rehearsed-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

useProject(team);

const ledger = () => path.join(folder, "rehearsal.json");
const run = (...args: string[]): Promise<Ended> =>
  runBuilt([...args, "--stack", "test"], project.variables, { folder: project.folder });

/** Rehearses `program`, and saves the calls. */
async function rehearse(program: string, ...args: string[]): Promise<void> {
  await project.program(program);
  const { code, stdout, stderr } = await run("rehearse", "--save", ledger(), ...args);
  if (code !== 0) throw new Error(stdout + stderr);
}

/** The bound update. */
async function up(): Promise<Ended & { readonly output: string }> {
  const ended = await run("up", "--rehearsed", ledger(), "--yes");
  return { ...ended, output: ended.stdout + ended.stderr };
}

/** The roles of `ci`, by name. */
async function rolesOfCi(): Promise<string[]> {
  const [roles, bindings] = [await platform.objects("roles"), await platform.objects("roleBindings")];
  const found = (await platform.objects("identities")).filter(({ name }) => name === "ci");
  return bindings
    .filter((each) => JSON.stringify(each).includes(found[0]?.uid ?? "none"))
    .map((each) => roles.find(({ uid }) => JSON.stringify(each).includes(uid))?.name ?? "")
    .sort();
}

test("the rehearsed update runs, through both doors, and a second one with the same file has nothing to do", async () => {
  const both = `${bound()}
    const native = require("pulumi-platform/native");
    const other = new native.Group("other", { parentUid: root });
    const robot = new native.Identity("robot", { parentUid: other.uid, claimMatch: platform.githubActions({ repository: "acme/robot", branch: "main" }) });
    new native.RoleBinding("robot", { parentUid: other.uid, identityUid: robot.uid, roleName: "viewer" });`;
  await rehearse(both);
  expect(await rolesOfCi()).toEqual([]);
  expect(await up()).toMatchObject({ code: 0 });
  expect(await rolesOfCi()).toEqual(["viewer"]);
  const again = await up();
  expect(again.output).toContain("7 unchanged");
});

test("a program that asks for more in the real run gets NOT_REHEARSED, and no more access", async () => {
  const lying = bound('process.env.PLATFORM_REHEARSAL ? "viewer" : "owner"');
  await rehearse(lying);
  await platform.clearRequests();
  const { code, output } = await up();
  expect(output).toContain("NOT_REHEARSED");
  expect(code).not.toBe(0);
  expect(await rolesOfCi()).toEqual([]);
});

test("data sources of the dynamic classes read as the read-only identity, whose token is all that the program has", async () => {
  const { claimMatch } = await platform.named("identities", "organization-admin");
  const { uid: reader } = await platform.create("identities", platform.root, { name: "reader", claimMatch });
  await platform.create("roleBindings", platform.root, { identityUid: reader, roleUid: await platform.role("viewer") });
  Object.assign(project.environment, { PLATFORM_READ_ONLY_IDENTITY: reader });
  const seen = path.join(folder, "seen.json");
  const found = `${team}
    new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleUid: platform.getRoleOutput({ name: "viewer" }).uid });
    require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`;
  await rehearse(found);
  expect(await up()).toMatchObject({ code: 0 });
  expect(await rolesOfCi()).toEqual(["viewer"]);
  const environment = JSON.parse(readFileSync(seen, "utf8")) as Record<string, string>;
  const { PLATFORM_TOKEN: token = "", PLATFORM_READ_ONLY: readOnly, ...others } = environment;
  expect(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).toMatchObject({ sub: reader });
  expect(readOnly).toBe("true");
  expect(Object.keys(others).filter((name) => /^PLATFORM_.*TOKEN/.test(name))).toEqual([]);
});
