import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { extract } from "tar";
import { version } from "../../../package.json";
import { FaultProxy } from "../../support/fault-proxy";
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

test("the wheel has the licence", async () => {
  const wheel = await readFile(path.join(release, `pulumi_platform-${version}-py3-none-any.whl`));
  expect(wheel.includes(`pulumi_platform-${version}.dist-info/licenses/LICENSE`)).toBe(true);
});

test("the SBOM has the dependencies of the package, what is bundled, and the Node.js of the executables", async () => {
  const { components, dependencies } = JSON.parse(
    await readFile(path.join(release, `pulumi-platform-${version}.cdx.json`), "utf8"),
  ) as {
    components: { purl: string; "bom-ref": string; licenses: object[] }[];
    dependencies: { dependsOn?: string[] }[];
  };
  const names = components.map(({ purl }) => purl.replace(/@[^@]*$/, ""));
  expect(names).toEqual(
    expect.arrayContaining(["npm/zod", "npm/preact", "npm/%40pulumi/pulumi", "generic/node"].map((name) => `pkg:${name}`)),
  );
  const needed = new Set(dependencies.flatMap(({ dependsOn = [] }) => dependsOn));
  expect(components.filter((each) => !needed.has(each["bom-ref"]) || each.licenses.length === 0)).toEqual([]);
  expect(names.filter((name) => /jest|eslint|typescript/.test(name))).toEqual([]);
});

test.each(["--some-flag-of-newer-node", "--require ./.pnp.cjs", "--require ./evil.cjs", "--inspect=127.0.0.1:0"])(
  "the executable starts as ever with NODE_OPTIONS=%s, which is for another Node.js",
  async (options) => {
    const folder = scratchFolder();
    await extract({ file: path.join(release, archive), cwd: folder });
    await writeFile(path.join(folder, "evil.cjs"), 'require("node:fs").writeFileSync("evil.ran", "");\n');
    const env = { ...process.env, NODE_OPTIONS: options };
    const plugin = spawn(path.join(folder, "pulumi-resource-platform"), ["127.0.0.1:1"], { cwd: folder, env });
    const [complaints, lines] = [text(plugin.stderr), createInterface(plugin.stdout)[Symbol.asyncIterator]()];
    const port = await lines.next();
    plugin.kill();
    expect([port.value, await complaints]).toEqual([expect.stringMatching(/^\d+$/), ""]);
    expect(existsSync(path.join(folder, "evil.ran"))).toBe(false);
  },
);

test("the engine downloads the executable itself from the `pluginDownloadURL` of a resource, and it trusts NODE_EXTRA_CA_CERTS", async () => {
  const certificates = path.resolve(__dirname, "../../reliability/certificates");
  const [cert, key] = ["server.pem", "server.key.pem"].map((name) => readFileSync(path.join(certificates, name))) as [
    Buffer,
    Buffer,
  ];
  const secured = await FaultProxy.start(platform.baseUrl, { cert, key });
  await project.file("Pulumi.yaml", "name: test\nruntime: { name: nodejs, options: { typescript: false } }\n");
  Object.assign(project.environment, {
    PULUMI_HOME: path.join(project.folder, "home"),
    PLATFORM_BASE_URL: secured.baseUrl,
    PLATFORM_AUDIENCE: platform.baseUrl,
    NODE_EXTRA_CA_CERTS: path.join(certificates, "authority.pem"),
  });
  try {
    await withDownloads(release, async (address) => {
      const options = JSON.stringify({ version, pluginDownloadURL: address });
      await project.program(`new Group("team", { parentUid: root }, ${options});`);
      await succeed(project.up());
    });
  } finally {
    await secured.close();
  }
  expect(await platform.groupNames()).toContain("team");
});
