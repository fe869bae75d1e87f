import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../emulator";
import { longTest } from "../support/tier";

const execute = promisify(execFile);
const original = path.resolve(__dirname, "../..");

let checkout: string;

beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), "pulumi-platform-start-"));
  // What a checkout has after its first command: its own scripts, program and state; the rest is shared to save time.
  for (const name of [
    "scripts",
    "package.json",
    "package-lock.json",
    "Pulumi.yaml",
    "tsconfig.json",
    "tsconfig.build.json",
    "schema.json",
    "dist",
  ]) {
    await cp(path.join(original, name), path.join(checkout, name), { recursive: true, preserveTimestamps: true });
  }
  for (const name of ["provider", "access", "inventory", "sdk", "cli", "emulator", "examples", "node_modules"]) {
    await symlink(path.join(original, name), path.join(checkout, name));
  }
});

afterAll(async () => {
  await rm(checkout, { recursive: true, force: true });
});

function npm(...args: string[]): Promise<{ code: number; output: string }> {
  return npmWith({}, ...args);
}

async function npmWith(given: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
  const cache = { NODE_COMPILE_CACHE: path.join(checkout, "compile-cache") };
  const options = { cwd: checkout, env: { ...Object.fromEntries(kept), ...cache, ...given }, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await execute("npm", args, options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

test("npm start shows the organisation and a second run without changes; each command that it prints works as pasted", async () => {
  const start = await npm("start");
  if (start.code !== 0) throw new Error(start.output);
  expect(start.output).toContain("acme.example/\n");
  expect(start.output).toContain("editor → acme.example/engineering/platform/build/image-builder");
  expect(start.output).toContain("image-puller → acme.example/engineering/platform/clusters/cluster-deployer");
  expect(start.output).toContain("Nothing changed.");
  expect(start.output).toContain("The platform is as declared.");
  const printed = [...start.output.matchAll(/^ {2}npm run (\S.*?)(?: {2,}|$)/gm)].map(([, command = ""]) => command.split(" "));
  expect(printed.map(([script]) => script)).toEqual(["tamper", "pulumi", "pulumi", "pulumi"]);
  const [tamper = [], drift = [], repair = [], destroy = []] = printed;

  expect((await npm("run", ...tamper)).code).toBe(0);
  const drifted = await npm("run", ...drift, "--expect-no-changes");
  expect(drifted.output).toMatch(/claimMatch|description/);
  expect(drifted.code).toBe(7);
  expect((await npm("run", ...repair)).code).toBe(0);
  expect((await npm("run", "pulumi", "--", "refresh", "--preview-only", "--run-program", "--expect-no-changes")).code).toBe(0);
  const destroyed = await npm("run", ...destroy);
  expect(destroyed.code).toBe(0);
  expect(destroyed.output).toContain("22 deleted");
});

longTest(
  "npm start -- --native shows the same through the plugin; the drift that its commands make is found and repaired",
  async () => {
    const start = await npm("start", "--", "--native");
    if (start.code !== 0) throw new Error(start.output);
    expect(start.output).toMatch(/^ {2}\+ +iam:Group +engineering +created/m);
    expect(start.output).toContain("editor → acme.example/engineering/platform/build/image-builder");
    expect(start.output).toContain("Nothing changed.");
    expect(start.output).toContain("The platform is as declared.");
    const printed = [...start.output.matchAll(/^ {2}npm run (\S.*?)(?: {2,}|$)/gm)].map(([, command = ""]) => command.split(" "));
    const [tamper = [], drift = [], repair = []] = printed;
    expect((await npm("run", ...tamper)).code).toBe(0);
    expect((await npm("run", ...drift)).output).toContain("subjectPattern");
    expect((await npm("run", ...repair)).output).toMatch(/1 updated/);
    const state = await npm("run", "--silent", "pulumi", "--", "--native", "stack", "export");
    expect(state.output).toContain('"platform:iam:Group"');
    expect(state.output).not.toContain("pulumi-nodejs:dynamic");
  },
);

test("a setting that names another platform is rejected before the program runs", async () => {
  expect((await npm("run", "pulumi", "--", "config", "set", "platform:baseUrl", "https://elsewhere.example")).code).toBe(0);
  const refused = await npm("run", "pulumi", "--", "preview");
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("platform:baseUrl");
  expect((await npm("run", "pulumi", "--", "config", "rm", "platform:baseUrl")).code).toBe(0);
});

longTest(
  "with PLATFORM_BASE_URL, npm start writes nothing, and the command that it prints applies it given the variables it names",
  async () => {
    const platform = await startEmulator({ port: 0 });
    try {
      const given: Record<string, string> = {
        PLATFORM_BASE_URL: platform.baseUrl,
        PLATFORM_ORGANIZATION: platform.organization,
        PLATFORM_IDENTITY: platform.identity,
        PLATFORM_OIDC_TOKEN_FILE: platform.oidcTokenFile,
      };
      const groups = async () =>
        ((await (await fetch(`${platform.adminUrl}/objects?kind=groups`)).json()) as { objects: unknown[] }).objects.length;
      const start = await npmWith(given, "start");
      expect(start).toMatchObject({ code: 0, output: expect.stringContaining("22 to create") as string });
      expect(await groups()).toBe(1);

      const [, command = ""] = /^ {2}npm run (.*)$/m.exec(start.output) ?? [];
      const [, names = ""] = /must export (PLATFORM_.*), as they were/.exec(start.output) ?? [];
      const exported = Object.fromEntries((names.match(/[A-Z_]+/g) ?? []).map((name) => [name, given[name] ?? ""]));
      expect(Object.keys(exported).sort()).toEqual(Object.keys(given).sort());
      const applied = await npmWith(exported, "run", ...command.split(" "), "--yes");
      expect(applied).toMatchObject({ code: 0, output: expect.stringContaining("22 created") as string });
      expect(await groups()).toBeGreaterThan(5);
    } finally {
      await platform.close();
    }
  },
);

test("with PLATFORM_BASE_URL and no PLATFORM_ORGANIZATION, npm start says what is missing", async () => {
  process.env["PLATFORM_BASE_URL"] = "http://127.0.0.1:9";
  const { NODE_OPTIONS: _, ...rest } = process.env;
  const { stderr } = (await execute("node", [path.join(checkout, "scripts/start.mjs")], { cwd: checkout, env: rest }).catch(
    (error: unknown) => error,
  )) as { stderr: string };
  delete process.env["PLATFORM_BASE_URL"];
  expect(stderr).toContain("PLATFORM_ORGANIZATION");
});
