import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { scratchFolder } from "../../support/scratch-folder";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { archive, withDownloads } from "./archives";
import { pythonHost, script } from "./python";

jest.setTimeout(1_800_000);

const [release, again] = [scratchFolder(), scratchFolder()];
const sumsIn = (folder: string) => readFile(path.join(folder, "SHA256SUMS"), "utf8");

useProject("", { door: "native" });

beforeAll(async () => {
  await script("release.mjs", "--dry-run", "--no-check", release);
});

/** A home without plugins, and a `node` that fails first on PATH. */
async function withoutNode(...folders: string[]): Promise<void> {
  await writeFile(path.join(project.folder, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  project.environment["PULUMI_HOME"] = path.join(project.folder, "home");
  project.environment["PATH"] = [project.folder, ...folders, process.env["PATH"] ?? ""].join(path.delimiter);
}

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

test("the released executable and the released Python SDK run examples/python from up to destroy, without Node.js", async () => {
  const { home, folders } = await pythonHost();
  const sdk = path.join(project.folder, "sdk");
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", sdk];
  const source = path.join(release, `pulumi-platform-sdk-python-v${version}.tar.gz`);
  await promisify(execFile)(path.join(home, "bin/python"), [...pip, source]);
  await withoutNode(...folders);
  project.environment["PYTHONPATH"] = sdk;
  const install = ["plugin", "install", "resource", "platform", version];
  await withDownloads(release, (address) => succeed(project.pulumi(...install, "--server", address)));
  await project.file("Pulumi.yaml", "name: test\nruntime: python\n");
  await copyFile(path.resolve(__dirname, "../../../examples/python/__main__.py"), path.join(project.folder, "__main__.py"));
  await succeed(project.up());
  expect(await project.output("team")).toBe((await platform.named("groups", "payments")).uid);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
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
