import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ReportData } from "../../../report/report-data";
import { expectEnd, runBuilt } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";
import { TestPlatform } from "../../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile({ seed: "sample" });

// The page is in the built package only.
const report = (...args: string[]) => runBuilt(["report", ...args], platform.environment, { folder });

async function dataIn(file: string): Promise<ReportData> {
  const html = await readFile(path.join(folder, file), "utf8");
  const json = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/.exec(html)?.[1] ?? "";
  return JSON.parse(json) as ReportData;
}

test("the page holds every group, identity and grant of the organisation, and the summary counts them", async () => {
  const { stdout } = expectEnd(await report("--out", "all.html", "--json"), 0);
  const data = await dataIn("all.html");
  expect(JSON.parse(stdout)).toMatchObject({
    file: "all.html",
    groups: data.groups.length,
    identities: data.identities,
    grants: data.grants.length,
    unreadable: [],
  });
  expect(data.groups.map(({ name }) => name)).toEqual(expect.arrayContaining(["acme.example", "operations", "warehouse"]));
  const owner = data.grants.find(({ role }) => data.roles[role] === "owner");
  expect(owner).toMatchObject({ severity: "critical", place: platform.root });
  expect(data.findings).toBeUndefined();
});

test("below one group, roles granted above are there too, with the path of their group", async () => {
  expectEnd(await report("--out", "part.html", "--root", "acme.example/operations"), 0);
  const data = await dataIn("part.html");
  expect([data.title, data.above]).toEqual(["acme.example/operations", { [platform.root]: "acme.example" }]);
  expect(data.grants.some(({ place }) => place === platform.root)).toBe(true);
});

test.each([
  [["--out", "missing/folder.html"], "Write missing/folder.html:"],
  [["--out", "a.html", "--root", "acme.example/nowhere"], 'no group "nowhere"'],
  [["--out", "a.html", "--state", "missing.json"], "Read missing.json:"],
])("report %j fails and says why", async (args, stderr) => {
  expectEnd(await report(...args), 1, { stdout: [], stderr });
});
