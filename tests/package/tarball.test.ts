import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { engineVariables } from "../engine/project";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const execute = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

const program = `
import * as pulumi from "@pulumi/pulumi";
import { getRoleOutput, githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

const parentUid = new pulumi.Config("platform").require("organization");
const group = new Group("shop", { parentUid, description: "From a tarball" });
const identity = new Identity("release", { parentUid: group.uid, claimMatch: githubActions({ repository: "acme/shop", branch: "main" }) });
new RoleBinding("release-viewer", { parentUid: group.uid, identityUid: identity.uid, roleUid: getRoleOutput({ name: "viewer" }).uid });
export const uid: pulumi.Output<string> = group.uid;
`;

const files = {
  "package.json": '{ "name": "organization", "private": true, "main": "index.ts" }\n',
  "Pulumi.yaml": "name: organization\nruntime: nodejs\n",
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext" } }\n',
  "index.ts": program,
};

const platform = TestPlatform.forFile();

test("the packed package, installed into an empty folder, runs a TypeScript program and serves its emulator command", async () => {
  const folder = scratchFolder();
  await execute("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: checkout });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await mkdir(path.join(folder, "backend"));
  const options = ["--prefer-offline", "--no-audit", "--no-fund"];
  await execute("npm", ["install", ...options, `./${tarball}`, "typescript@5.9.3", "@types/node@22"], { cwd: folder });
  const env = { ...engineVariables(folder, path.join(folder, "home")), NODE_COMPILE_CACHE: path.join(folder, "compile-cache") };
  const pulumi = (...args: string[]) => execute("pulumi", [...args, "--non-interactive"], { cwd: folder, env });
  await pulumi("stack", "init", "test");
  const { baseUrl, root: organization, identity, oidcTokenFile } = platform;
  const settings = Object.entries({ baseUrl, organization, identity, oidcTokenFile });
  await pulumi("config", "set-all", ...settings.flatMap(([key, value]) => ["--plaintext", `platform:${key}=${value}`]));
  await pulumi("up", "--yes", "--skip-preview");
  await pulumi("refresh", "--preview-only", "--expect-no-changes", "--run-program");
  const { stdout } = await pulumi("stack", "output", "uid");
  expect(stdout.trim()).toBe((await platform.named("groups", "shop")).uid);
  await pulumi("destroy", "--yes", "--skip-preview", "--run-program");
  expect(await platform.groupNames()).toEqual([]);
  const help = await execute("npx", ["--no-install", "pulumi-platform", "--help"], { cwd: folder });
  expect(help.stdout).toContain("emulator");
});
