import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Ended, runBuilt } from "../../support/cli";
import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const bound = (role: string) => `
  const eng = new Group("engineering", { parentUid: root });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }) });
  new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: ${JSON.stringify(role)} });`;

let folder = "";
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "rehearse-like-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

useProject(bound("deployer"));

const file = (name: string) => path.join(folder, name);
const rehearse = (...args: string[]): Promise<Ended> =>
  runBuilt(["rehearse", "--stack", "test", ...args], project.variables, { folder: project.folder });

test("today's rehearsal is as the earlier one, unless an object or the program has changed since", async () => {
  const role = await platform.create("roles", platform.root, { name: "deployer", capabilities: ["CAP_REPO_LIST"] });
  await succeed(rehearse("--save", file("reviewed.json")));
  await platform.create("groups", platform.root, { name: "unrelated" });
  const same = await succeed(rehearse("--like", file("reviewed.json"), "--save", file("now.json")));
  expect(same.stdout).toContain("The calls that may give access and the objects that they name are as in the rehearsal in");
  expect(existsSync(file("now.json"))).toBe(true);
  await platform.change("roles", role.uid, { capabilities: ["CAP_REPO_LIST", "CAP_REPO_CREATE"] });
  const changed = await endWith(7, rehearse("--like", file("reviewed.json"), "--fail-on", "critical"));
  expect(changed.stdout).toContain('changed since: role acme.example/deployer: capabilities now also "CAP_REPO_CREATE"');
  await project.program(bound("owner"));
  const other = await endWith(7, rehearse("--like", file("now.json"), "--format", "markdown"));
  expect(other.stdout).toMatch(/^\*\*Differs from the rehearsal in/);
  expect(other.stdout).toMatch(/\n- only now:.* create role binding in acme\\\.example\/engineering:.* roleUid owner\n/);
  expect(JSON.parse(readFileSync(file("reviewed.json"), "utf8"))).toMatchObject({ stack: "test/test" });
});
