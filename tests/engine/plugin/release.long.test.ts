import { readFile } from "node:fs/promises";
import path from "node:path";
import { version } from "../../../package.json";
import { scratchFolder } from "../../support/scratch-folder";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { archive, script, withDownloads } from "./archives";

jest.setTimeout(1_800_000);

const [release, again] = [scratchFolder(), scratchFolder()];
const sumsIn = (folder: string) => readFile(path.join(folder, "SHA256SUMS"), "utf8");

useProject("", { door: "native" });

beforeAll(async () => {
  await script("release.mjs", "--dry-run", "--no-check", release);
});

test("two releases of one commit have the same bytes, file by file", async () => {
  await script("release.mjs", "--dry-run", "--no-check", again);
  const sums = await sumsIn(release);
  expect(sums).toContain(archive);
  expect(await sumsIn(again)).toBe(sums);
});

test("the SBOM has the dependencies of the package, what is bundled, and the Node.js of the executables", async () => {
  const { components } = JSON.parse(await readFile(path.join(release, `pulumi-platform-${version}.cdx.json`), "utf8")) as {
    components: { purl: string }[];
  };
  const names = components.map(({ purl }) => purl.replace(/@[^@]*$/, ""));
  expect(names).toEqual(
    expect.arrayContaining(["npm/zod", "npm/preact", "npm/%40pulumi/pulumi", "generic/node"].map((name) => `pkg:${name}`)),
  );
  expect(names.filter((name) => /jest|eslint|typescript/.test(name))).toEqual([]);
});

test("the engine downloads the executable itself from the `pluginDownloadURL` of a resource", async () => {
  await project.file("Pulumi.yaml", "name: test\nruntime: { name: nodejs, options: { typescript: false } }\n");
  project.environment["PULUMI_HOME"] = path.join(project.folder, "home");
  await withDownloads(release, async (address) => {
    const options = JSON.stringify({ version, pluginDownloadURL: address });
    await project.program(`new Group("team", { parentUid: root }, ${options});`);
    await succeed(project.up());
  });
  expect(await platform.groupNames()).toContain("team");
});
