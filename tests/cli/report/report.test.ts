import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReportData } from "../../../cli/report/report-data";
import { run as runCommand } from "../../support/cli";
import { TestPlatform } from "../../support/test-platform";

let platform: TestPlatform;
let folder: string;

beforeAll(async () => {
  platform = await TestPlatform.start({ sample: true });
  folder = await mkdtemp(path.join(tmpdir(), "pulumi-platform-report-"));
});

afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runCommand(["report", ...args], platform.environment, folder);

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
  expect(owner).toMatchObject({ severity: "critical", place: platform.root });
  expect(data.findings).toBeUndefined();
});

test("below one group, roles granted above are there too, with the path of their group", async () => {
  const { code } = await run("--out", "part.html", "--root", "acme.example/operations");
  expect(code).toBe(0);
  const data = await dataIn("part.html");
  expect(data.title).toBe("acme.example/operations");
  expect(data.above).toEqual({ [platform.root]: "acme.example" });
  expect(data.grants.some(({ place }) => place === platform.root)).toBe(true);
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
