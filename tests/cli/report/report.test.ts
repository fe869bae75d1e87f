import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator } from "../../../emulator";
import type { ReportData } from "../../../cli/report/report-data";

const tool = path.resolve(__dirname, "../../../dist/cli/main.js");

let emulator: Emulator;
let folder: string;

beforeAll(async () => {
  emulator = await startEmulator({ port: 0, sample: true });
  folder = await mkdtemp(path.join(tmpdir(), "pulumi-platform-report-"));
});

afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: string[]): Promise<Ended> {
  const env = {
    PATH: process.env["PATH"],
    PLATFORM_BASE_URL: emulator.baseUrl,
    PLATFORM_IDENTITY: emulator.identity,
    PLATFORM_OIDC_TOKEN_FILE: emulator.oidcTokenFile,
    PLATFORM_ORGANIZATION: emulator.organization,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [tool, "report", ...args], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function dataIn(file: string): Promise<ReportData> {
  const html = await readFile(path.join(folder, file), "utf8");
  const json = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/.exec(html)?.[1] ?? "";
  return JSON.parse(json) as ReportData;
}

test("the page holds every group, identity and grant of the organisation, and the summary counts them", async () => {
  const { code, stdout } = await run("--out", "all.html", "--json");
  expect(code).toBe(0);
  const data = await dataIn("all.html");
  expect(JSON.parse(stdout)).toMatchObject({
    file: "all.html",
    groups: data.groups.length,
    identities: data.holders.length,
    grants: data.grants.length,
    unreadable: [],
  });
  expect(data.groups.map(({ name }) => name)).toEqual(expect.arrayContaining(["acme.example", "operations", "warehouse"]));
  const owner = data.grants.find(({ role }) => data.roles[role] === "owner");
  expect(owner).toMatchObject({ severity: "critical", place: emulator.organization });
  expect(data.findings).toBeUndefined();
});

test("below one group, roles granted above are there too, with the path of their group", async () => {
  const { code } = await run("--out", "part.html", "--root", "acme.example/operations");
  expect(code).toBe(0);
  const data = await dataIn("part.html");
  expect(data.title).toBe("acme.example/operations");
  expect(data.above).toEqual({ [emulator.organization]: "acme.example" });
  expect(data.grants.some(({ place }) => place === emulator.organization)).toBe(true);
});

test.each([
  [[], 2, "Where to? Pass --out FILE."],
  [["--out", "missing/folder.html"], 1, "Write missing/folder.html:"],
  [["--out", "a.html", "--root", "acme.example/nowhere"], 1, 'it has no group "nowhere" that these credentials see'],
  [["--out", "a.html", "--state", "missing.json"], 1, "Read missing.json:"],
] as const)("report %j ends with %d and says why", async (args, code, message) => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).toContain(message);
});
