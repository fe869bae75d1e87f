import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expectEnd, pulumiIn, run, runBuilt, start } from "../support/cli";
import { type HttpDouble, startServer } from "../support/http-double";
import { made, previewText } from "../support/preview-steps";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();
const preview = path.join(folder, "preview.json");
const state = path.join(folder, "state.json");
/** The file that the command of the stack would write. */
const written = path.join(folder, "written");
const tokenFile = path.join(folder, "token");
/** A server of whoever wrote the pull request. It answers as if it were the platform. */
let stranger: HttpDouble;
/** The job's credentials. */
let oidc: Record<string, string>;

beforeAll(async () => {
  const group = await platform.create("groups", platform.root, { name: "team" });
  writeFileSync(preview, previewText([made("Group", "new", { parentUid: platform.root, name: "new" })]));
  const type = "platform:iam:Group";
  const inputs = { parentUid: platform.root, name: "team" };
  const resource = { urn: `urn:pulumi:a::b::${type}::team`, type, custom: true, id: group.uid, inputs, outputs: inputs };
  writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources: [resource] } }));
  const token = await platform.oidcToken({ subject: "job" });
  writeFileSync(tokenFile, token, { mode: 0o600 });
  oidc = { PLATFORM_OIDC_TOKEN: token, PLATFORM_ORGANIZATION: platform.root };
});

beforeEach(async () => {
  rmSync(written, { force: true });
  stranger = await startServer(() => ({ body: { token: "x.y.z", items: [], value: "a.b.c" } }));
});

/** The environment of a job that has checked out a pull request, whose stack `live` has these settings. */
function checkout(values: Record<string, string>, environment: Record<string, string>): Record<string, string> {
  const config = Object.fromEntries(Object.entries(values).map(([name, value]) => [`platform:${name}`, { value }]));
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  const script = `case "$1" in config) cat "${folder}/config.json" ;; stack) cat "${state}" ;; preview) cat "${preview}" ;; esac`;
  return { ...environment, PATH: pulumiIn(folder, script) };
}

/** Nothing of the job reached the stranger, and nothing of the stranger ran in the job. */
function expectKept(): void {
  expect(stranger.seen.map(({ path: asked, token }) => [asked, token])).toEqual([]);
  expect(existsSync(written)).toBe(false);
}

const reviewFile = ["review", "--file", preview, "--stack", "live", "--fail-on", "high"];
const reading: [string, string[]][] = [
  ["drift", ["drift", "--stack", "live"]],
  ["access", ["access", "--stack", "live"]],
  ["export", ["export", "--stack", "live", "--output", path.join(folder, "exported")]],
  ["whoami", ["whoami", "--stack", "live"]],
  ["report", ["report", "--stack", "live", "--output", path.join(folder, "report.html")]],
];
const commands: [string, string[]][] = [["review --file", reviewFile], ["review", ["review", "--stack", "live"]], ...reading];
const runs = (args: string[], environment: Record<string, string>) => (args[0] === "report" ? runBuilt : run)(args, environment);

describe.each(commands)("%s", (_, args) => {
  test.each<[string, () => Record<string, string>, () => Record<string, string>]>([
    ["address", () => ({ baseUrl: stranger.url }), () => ({ PLATFORM_BASE_URL: platform.baseUrl, ...oidc })],
    [
      "address, for an API token",
      () => ({ baseUrl: stranger.url }),
      () => ({ PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_TOKEN: "t" }),
    ],
    ["token-issuing address", () => ({ authUrl: stranger.url }), () => ({ PLATFORM_BASE_URL: platform.baseUrl, ...oidc })],
    [
      "token-issuing address, for a file that it names",
      () => ({ authUrl: stranger.url, oidcTokenFile: tokenFile }),
      () => ({ PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_AUTH_URL: platform.baseUrl }),
    ],
    [
      "address, and a command",
      () => ({ baseUrl: stranger.url, tokenCommand: `touch ${written}` }),
      () => ({ PLATFORM_BASE_URL: platform.baseUrl, ...oidc }),
    ],
  ])("%s: one that differs from the environment's receives nothing, and is an error", async (_what, values, environment) => {
    const ended = await runs(args, checkout(values(), environment()));
    expectEnd(ended, 1, { stderr: [/another address than the environment.*\[CONFIGURATION\]$/m, /^- .*set PLATFORM_/m] });
    expectKept();
  });
});

test("doctor finds another address than the environment's, and sends nothing", async () => {
  const environment = checkout({ baseUrl: stranger.url }, { PLATFORM_BASE_URL: platform.baseUrl, ...oidc });
  expectEnd(await run(["doctor", "--stack", "live"], environment), 1, { stdout: "another address than the environment" });
  expectKept();
});

test("watch warns once of an address that only the stack has, whatever the number of its checks", async () => {
  const { PLATFORM_BASE_URL: _, ...credentials } = platform.environment;
  const environment = checkout({ baseUrl: platform.baseUrl, organization: platform.root }, credentials);
  const child = start(["watch", "--stack", "live", "--interval", "1"], environment);
  try {
    const said = text(child.stderr);
    await once(child.stdout, "data");
    const { uid } = await platform.create("groups", platform.root, { name: "later" });
    await once(child.stdout, "data");
    await platform.delete("groups", uid);
    child.kill("SIGTERM");
    expect((await said).split("Warning: ")).toHaveLength(2);
  } finally {
    child.kill("SIGKILL");
  }
});

describe("a review of a file", () => {
  test.each<[string, () => Record<string, string>, () => Record<string, string>, RegExp]>([
    [
      "an address that only the stack has, with the job's OIDC token",
      () => ({ baseUrl: stranger.url }),
      () => oidc,
      /Set PLATFORM_BASE_URL in/,
    ],
    ["one with an API token", () => ({ baseUrl: stranger.url }), () => ({ PLATFORM_TOKEN: "t" }), /Set PLATFORM_BASE_URL in/],
    [
      "one with the job's command",
      () => ({ baseUrl: stranger.url }),
      () => ({ PLATFORM_TOKEN_COMMAND: `touch ${written}` }),
      /Set PLATFORM_BASE_URL in/,
    ],
    [
      "one with the token of GitHub Actions",
      () => ({ baseUrl: platform.baseUrl, authUrl: platform.baseUrl }),
      () => ({ ACTIONS_ID_TOKEN_REQUEST_URL: stranger.url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t" }),
      /Set PLATFORM_BASE_URL and PLATFORM_AUTH_URL in/,
    ],
    [
      "one with a file of the job that it names",
      () => ({ baseUrl: stranger.url, oidcTokenFile: tokenFile }),
      () => ({}),
      /Set PLATFORM_BASE_URL in/,
    ],
    [
      "a command",
      () => ({ tokenCommand: `touch ${written}` }),
      () => ({ PLATFORM_BASE_URL: platform.baseUrl, ...oidc }),
      /Set PLATFORM_TOKEN_COMMAND to the same text/,
    ],
    [
      "another command than the environment's",
      () => ({ tokenCommand: `touch ${written}` }),
      () => ({ PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_TOKEN_COMMAND: "true" }),
      /Set PLATFORM_TOKEN_COMMAND to the same text/,
    ],
  ])("refuses %s, without --fail-on too", async (_, values, environment, way) => {
    for (const args of [reviewFile, reviewFile.slice(0, 5)]) {
      const ended = await run(args, checkout(values(), environment()));
      expectEnd(ended, 1, { stdout: [], stderr: [/\[CONFIGURATION\]$/m, way, "--offline"] });
      expectKept();
    }
  });

  test.each<[string, string, string, number]>([
    ["a service", "Pulumi.yaml", "name: a\nbackend: { url: 'STRANGER' }\n", 1],
    ["one by an anchor", "Pulumi.yaml", "name: a\nx: &x { url: STRANGER }\nbackend: { <<: *x }\n", 1],
    ["one in JSON, whatever the case of its key", "Pulumi.json", '{ "name": "a", "Backend": { "URL": "STRANGER" } }', 1],
    ["Pulumi Cloud", "Pulumi.yaml", "name: a\nbackend: { url: https://api.pulumi.com }\n", 0],
    ["a bucket, which takes no such token", "Pulumi.yaml", "name: a\nbackend: { url: s3://states }\n", 0],
  ])("lets the project choose %s as backend only if no access token of Pulumi could go there", async (_, file, content, code) => {
    const project = mkdtempSync(path.join(folder, "project-"));
    writeFileSync(path.join(project, file), content.replace("STRANGER", stranger.url));
    const values = { baseUrl: platform.baseUrl, oidcTokenFile: platform.oidcTokenFile, organization: platform.root };
    const environment = checkout(values, { PLATFORM_BASE_URL: platform.baseUrl, PULUMI_ACCESS_TOKEN: "pul-t" });
    const stderr =
      code === 0 ? [] : ["which would send PULUMI_ACCESS_TOKEN there, was not run. [CONFIGURATION]", "- Set PULUMI_BACKEND_URL"];
    expectEnd(await run(reviewFile, environment, project), code, { stdout: code === 0 ? "" : [], stderr });
    expectEnd(await run(reviewFile, { ...environment, PULUMI_BACKEND_URL: "file://~" }, project), 0);
  });

  test("reads with the settings of a stack whose address the environment names", async () => {
    const values = { baseUrl: `${platform.baseUrl}/`, oidcTokenFile: platform.oidcTokenFile, organization: platform.root };
    const named = { PLATFORM_BASE_URL: platform.baseUrl };
    expectEnd(await run(reviewFile, checkout(values, named)), 0, { stdout: "No access changes.", stderr: [] });
  });

  test("runs a command that the environment has too", async () => {
    const values = { baseUrl: platform.baseUrl, tokenCommand: `touch ${written}` };
    const allowed = { PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_TOKEN_COMMAND: `touch ${written}` };
    await run(reviewFile, checkout(values, allowed));
    expect(existsSync(written)).toBe(true);
  });

  test("needs no address with --offline, and then runs and sends nothing", async () => {
    const values = { baseUrl: stranger.url, tokenCommand: `touch ${written}` };
    expectEnd(await run([...reviewFile, "--offline"], checkout(values, oidc)), 0, { stderr: [] });
    expectKept();
  });
});

describe.each(reading)("%s, of an address that only the stack has", (_, args) => {
  const warning = "Warning: ";
  const own = () => ({ baseUrl: platform.baseUrl, organization: platform.root });
  const again = () => rmSync(path.join(folder, "exported"), { recursive: true, force: true });
  beforeEach(again);

  test("works with the environment's credentials for a release, with one warning that says what to set", async () => {
    const { PLATFORM_BASE_URL: _base, ...credentials } = platform.environment;
    const { stderr } = await runs(args, checkout(own(), credentials));
    expect(stderr.split(warning)).toHaveLength(2);
    expect(stderr).toContain("Set PLATFORM_BASE_URL beside them. The next release makes this an error.");
    expect(stderr).not.toContain("CONFIGURATION");
  });

  test("warns of nothing where the environment has nothing, or names the address", async () => {
    const values = { ...own(), oidcTokenFile: platform.oidcTokenFile };
    for (const environment of [{}, { PLATFORM_BASE_URL: platform.baseUrl }]) {
      again();
      expect((await runs(args, checkout(values, environment))).stderr).not.toMatch(/Warning|CONFIGURATION/);
    }
  });
});
