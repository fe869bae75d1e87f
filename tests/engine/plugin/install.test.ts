import { readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { name, version } from "../../../schema.json";
import { succeed } from "../succeed";
import { project, useProject } from "../use-project";
import { archive, script, withDownloads } from "./archives";

useProject("", { door: "native" });

test("the archive of the plugin has the same bytes in every run, and installs from a file and from an address", async () => {
  const [folder, again, home] = ["one", "two", "home"].map((each) => path.join(project.folder, each)) as [string, string, string];
  const file = `pulumi-resource-platform-v${version}.tar.gz`;
  await script("bundle.mjs", folder);
  await script("bundle.mjs", again);
  const content = await readFile(path.join(folder, file));
  expect(content.equals(await readFile(path.join(again, file)))).toBe(true);

  project.environment["PULUMI_HOME"] = home;
  const install = (...from: string[]) => project.pulumi("plugin", "install", "resource", name, version, ...from);
  const installed = path.join(home, "plugins", `resource-platform-v${version}`);
  await succeed(install("--file", path.join(folder, file)));
  expect(await readFile(path.join(installed, "THIRD-PARTY-NOTICES.txt"), "utf8")).toMatch(/^undici \d/m);
  await rm(installed, { recursive: true });

  await rename(path.join(folder, file), path.join(folder, archive));
  await withDownloads(folder, (address) => succeed(install("--server", address)));
  const { stdout } = await succeed(project.pulumi("package", "get-schema", path.join(installed, "pulumi-resource-platform")));
  expect(JSON.parse(stdout)).toMatchObject({ name, version });
});
