import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { TestPlatform } from "../support/test-platform";

const execute = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");
let platform: TestPlatform;
let folder: string;

/** A program whose component library brings the package in a node_modules of its own, as npm and pnpm may lay it out. */
beforeAll(async () => {
  platform = await TestPlatform.start();
  folder = await mkdtemp(path.join(tmpdir(), "pulumi-platform-library-"));
  const library = path.join(folder, "node_modules/org-components");
  await mkdir(path.join(library, "node_modules"), { recursive: true });
  await mkdir(path.join(folder, "backend"));
  await symlink(path.join(checkout, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"));
  await symlink(checkout, path.join(library, "node_modules/pulumi-platform"));
  await writeFile(path.join(library, "package.json"), '{ "name": "org-components", "main": "index.js" }\n');
  await writeFile(path.join(library, "index.js"), 'exports.Group = require("pulumi-platform").Group;\n');
  await writeFile(path.join(folder, "package.json"), '{ "name": "organization", "main": "index.js" }\n');
  await writeFile(path.join(folder, "Pulumi.yaml"), "name: organization\nruntime: nodejs\n");
  await writeFile(
    path.join(folder, "index.js"),
    'const { Group } = require("org-components");\nnew Group("team", { parentUid: process.env.PLATFORM_ORGANIZATION });\n',
  );
  await pulumi("stack", "init", "test");
});
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true, force: true });
});

async function pulumi(...args: string[]): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI)_/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    ...platform.environment,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const done = await execute("pulumi", [...args, "--non-interactive", "--color", "never"], { cwd: folder, env }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return done.stdout + done.stderr;
}

test("a program without the package says what to add to which package.json, before anything is sent", async () => {
  const output = await pulumi("up", "--yes", "--skip-preview");
  expect(output).toContain(
    `Group "team": the engine loads "pulumi-platform" from the folder of the program, where it is not installed. Add "pulumi-platform" to "dependencies" in ${folder}/package.json, in the version that your component library uses and from the same tarball or registry (\`npm install FILE\`).`,
  );
  expect(output).not.toContain("Cannot find module");
  expect(await platform.writes()).toEqual([]);
});

test("with the package beside it, the library's resources are created, and read again", async () => {
  await symlink(checkout, path.join(folder, "node_modules/pulumi-platform"));
  await pulumi("up", "--yes", "--skip-preview");
  expect(await platform.groupNames()).toEqual(["team"]);
  expect(await pulumi("refresh", "--preview-only", "--expect-no-changes", "--run-program")).toContain("2 unchanged");
});
