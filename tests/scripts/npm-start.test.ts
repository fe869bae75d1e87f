import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../emulator";
import { endWith, succeed } from "../engine/succeed";
import type { Ended } from "../support/cli";
import { rooms } from "../support/rooms";
import { longTest } from "../support/tier";

const execute = promisify(execFile);
const original = path.resolve(__dirname, "../..");

let checkout: string;

beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), "pulumi-platform-start-"));
  // A checkout after its first command has its own scripts, program and state. The rest is shared to save time.
  const settings = ["package.json", "package-lock.json", "Pulumi.yaml", "tsconfig.json", "tsconfig.build.json", "schema.json"];
  for (const name of ["scripts", "dist", ...settings])
    await cp(path.join(original, name), path.join(checkout, name), { recursive: true, preserveTimestamps: true });
  for (const name of [...rooms, "examples", "node_modules"]) await symlink(path.join(original, name), path.join(checkout, name));
});

afterAll(async () => {
  await rm(checkout, { recursive: true, force: true });
});

function npmWith(given: Record<string, string>, ...args: string[]): Promise<Ended> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
  const cache = { NODE_COMPILE_CACHE: path.join(checkout, "compile-cache") };
  const options = { cwd: checkout, env: { ...Object.fromEntries(kept), ...cache, ...given }, maxBuffer: 64 * 1024 * 1024 };
  return execute("npm", args, options).then(
    (printed) => ({ code: 0, ...printed }),
    (error: unknown) => error as Ended,
  );
}

const npm = (...args: string[]) => npmWith({}, ...args);

/** Runs `npm start` and expects it to show the organisation twice, the second time without a change. */
async function start(...args: string[]): Promise<{ stdout: string; printed: string[][] }> {
  const { stdout } = await succeed(npm("start", ...args));
  expect(stdout).toContain("editor → acme.example/engineering/platform/build/image-builder");
  expect(stdout).toContain("Nothing changed.");
  expect(stdout).toContain("The platform is as declared.");
  const commands = stdout.matchAll(/^ {2}npm run (\S.*?)(?: {2,}|$)/gm);
  return { stdout, printed: [...commands].map(([, command = ""]) => command.split(" ")) };
}

test("npm start shows the organisation and a second run without changes; each command that it prints works as pasted", async () => {
  const { stdout, printed } = await start();
  expect(stdout).toContain("image-puller → acme.example/engineering/platform/clusters/cluster-deployer");
  expect(printed.map(([script]) => script)).toEqual(["tamper", "pulumi", "pulumi", "pulumi"]);
  const [tamper = [], drift = [], repair = [], destroy = []] = printed;

  await succeed(npm("run", ...tamper));
  expect((await endWith(7, npm("run", ...drift, "--expect-no-changes"))).stdout).toMatch(/claimMatch|description/);
  expect((await succeed(npm("run", ...repair))).stdout).toMatch(/1 updated/);
  expect((await succeed(npm("run", ...destroy))).stdout).toContain("22 deleted");
});

longTest(
  "npm start -- --native shows the same through the plugin; the drift that its commands make is found and repaired",
  async () => {
    const { stdout, printed } = await start("--", "--native");
    expect(stdout).toMatch(/^ {2}\+ +iam:Group +engineering +created/m);
    const [tamper = [], drift = [], repair = []] = printed;
    await succeed(npm("run", ...tamper));
    expect((await npm("run", ...drift)).stdout).toContain("subjectPattern");
    expect((await succeed(npm("run", ...repair))).stdout).toMatch(/1 updated/);
    const check = ["refresh", "--preview-only", "--run-program", "--expect-no-changes"];
    await succeed(npm("run", "pulumi", "--", "--native", ...check));
    const state = await succeed(npm("run", "--silent", "pulumi", "--", "--native", "stack", "export"));
    expect(state.stdout).toContain('"platform:iam:Group"');
    expect(state.stdout).not.toContain("pulumi-nodejs:dynamic");
  },
);

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
      const { stdout } = await succeed(npmWith(given, "start"));
      expect(stdout).toContain("22 to create");
      expect(await groups()).toBe(1);

      const [, command = ""] = /^ {2}npm run (.*)$/m.exec(stdout) ?? [];
      const [, names = ""] = /must export (PLATFORM_.*), as they were/.exec(stdout) ?? [];
      const exported = Object.fromEntries((names.match(/[A-Z_]+/g) ?? []).map((name) => [name, given[name] ?? ""]));
      expect(Object.keys(exported).sort()).toEqual(Object.keys(given).sort());
      const applied = await succeed(npmWith(exported, "run", ...command.split(" "), "--yes"));
      expect(applied.stdout).toContain("22 created");
      expect(await groups()).toBeGreaterThan(5);
    } finally {
      await platform.close();
    }
  },
);
