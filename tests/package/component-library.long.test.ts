import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { engineVariables } from "../engine/project";
import { TestPlatform } from "../support/test-platform";
import { scratchFolder } from "../support/scratch-folder";

const execute = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");
const platform = TestPlatform.forFile();
const folder = scratchFolder();

const files = {
  "node_modules/org-components/package.json": '{ "name": "org-components", "main": "index.js" }\n',
  "node_modules/org-components/index.js": 'exports.Group = require("pulumi-platform").Group;\n',
  "package.json": '{ "name": "organization", "main": "index.js" }\n',
  "Pulumi.yaml": "name: organization\nruntime: nodejs\n",
  "index.js":
    'const { Group } = require("org-components");\nnew Group("team", { parentUid: process.env.PLATFORM_ORGANIZATION });\n',
};

/** A program whose component library brings the package in a node_modules of its own, as npm and pnpm may lay it out. */
beforeAll(async () => {
  const library = path.join(folder, "node_modules/org-components");
  await mkdir(path.join(library, "node_modules"), { recursive: true });
  await mkdir(path.join(folder, "backend"));
  await symlink(path.join(checkout, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"));
  await symlink(checkout, path.join(library, "node_modules/pulumi-platform"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await pulumi("stack", "init", "test");
});

async function pulumi(...args: string[]): Promise<string> {
  const env = { ...engineVariables(folder, path.join(folder, "home")), ...platform.environment };
  const done = await execute("pulumi", [...args, "--non-interactive", "--color", "never"], { cwd: folder, env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return done.stdout + done.stderr;
}

test("a program without the package says what to add to which package.json, before anything is sent", async () => {
  const output = await pulumi("up", "--yes", "--skip-preview");
  for (const part of ['Group "team"', 'Add "pulumi-platform" to "dependencies"', `${folder}/package.json`, "npm install"])
    expect(output).toContain(part);
  expect(output).not.toContain("Cannot find module");
  expect(await platform.writes()).toEqual([]);
});

test("with the package beside it, the library's resources are created, and read again", async () => {
  await symlink(checkout, path.join(folder, "node_modules/pulumi-platform"));
  await pulumi("up", "--yes", "--skip-preview");
  expect(await platform.groupNames()).toEqual(["team"]);
  expect(await pulumi("refresh", "--preview-only", "--expect-no-changes", "--run-program")).toContain("2 unchanged");
});
