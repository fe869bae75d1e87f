import { readFile } from "node:fs/promises";
import path from "node:path";
import { engines, peerDependencies } from "../../package.json";
import { installPlugin } from "../engine/project";
import { InstalledProject } from "../package/installed-project";
import { TestPlatform } from "../support/test-platform";

const example = path.resolve(__dirname, "../../examples/every-kind");
const oldest = (range: string) => range.replace(/^(\^|>=)/, "");
const platform = TestPlatform.forFile();

/** The engine is the one on PATH: docs/contributing/engine.md says with which ones these tests were run. */
const versions = [
  ["oldest", `node@${oldest(engines.node)}`, `@pulumi/pulumi@${oldest(peerDependencies["@pulumi/pulumi"])}`],
  ["newest", "node@latest", "@pulumi/pulumi@latest"],
] as const;

const files = async (door: string) => {
  const [program, tsconfig, settings] = await Promise.all(
    ["index.ts", "tsconfig.json", "Pulumi.yaml"].map((name) => readFile(path.join(example, name), "utf8")),
  );
  return {
    "index.ts": (program ?? "").replaceAll('"pulumi-platform"', `"${door}"`),
    "tsconfig.json": tsconfig ?? "",
    "Pulumi.yaml": `${settings ?? ""}plugins: { providers: [{ name: platform, path: bin }] }\n`,
    "package.json": '{ "name": "every-kind", "private": true, "main": "index.ts" }\n',
  };
};

test.each(versions.flatMap((row) => ["pulumi-platform", "pulumi-platform/native"].map((door) => [...row, door] as const)))(
  "every kind lives from up to destroy with the %s versions that are supported: %s, %s, %s",
  async (_which, node, sdk, door) => {
    const before = await platform.groupNames();
    const project = await InstalledProject.create(platform, await files(door), [node, sdk, "typescript@5.9.3", "@types/node@22"]);
    const { version } = JSON.parse(await readFile(path.join(project.folder, "node_modules/node/package.json"), "utf8")) as {
      version: string;
    };
    // A machine that runs no install scripts has the package without its program.
    expect((await project.run("node", "--version")).trim()).toBe(`v${version}`);
    await installPlugin(
      project.folder,
      path.join(project.folder, "node_modules/pulumi-platform/dist/cli/resource-plugin.js"),
      "node",
    );
    await project.pulumi("config", "set", "--secret", "clientSecret", "the-secret-of-the-studio");
    await project.pulumi("up", "--yes", "--skip-preview");
    expect(await platform.groupNames()).toContain("studio");
    await project.pulumi("preview", "--refresh", "--run-program", "--expect-no-changes");
    await project.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await project.pulumi("destroy", "--yes", "--skip-preview", "--run-program");
    expect(await platform.groupNames()).toEqual(before);
  },
);
