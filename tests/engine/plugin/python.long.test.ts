import { readFile } from "node:fs/promises";
import path from "node:path";
import { version } from "../../../package.json";
import { installSdk, pythonHost, script } from "./python";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

jest.setTimeout(900_000);

const checkout = path.resolve(__dirname, "../../..");
useProject("", { shared: true, door: "native" });

test("the bundled plugin is installed into an empty home, and examples/python runs from up to destroy on it", async () => {
  const { home, folders } = await pythonHost();
  const [sdk, bundle] = [path.join(project.folder, "sdk"), path.join(project.folder, "bundle")];
  await installSdk(home, sdk);
  Object.assign(project.environment, {
    PULUMI_HOME: path.join(project.folder, "home"),
    PATH: [...folders, process.env["PATH"] ?? ""].join(path.delimiter),
    PYTHONPATH: sdk,
  });
  await script("bundle.mjs", bundle);
  const archive = path.join(bundle, `pulumi-resource-platform-v${version}.tar.gz`);
  await succeed(project.pulumi("plugin", "install", "resource", "platform", version, "--file", archive));

  await project.file("Pulumi.yaml", "name: test\nruntime: python\n");
  await project.file("__main__.py", await readFile(path.join(checkout, "examples/python/__main__.py"), "utf8"));
  await succeed(project.up());
  const { uid } = await platform.named("groups", "payments");
  expect(await project.output("team")).toBe(uid);
  const types = (await project.resources()).map(({ type }) => type).filter((type) => type.startsWith("platform:"));
  expect(types.sort()).toEqual(["platform:iam:Group", "platform:iam:Identity", "platform:iam:RoleBinding"]);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
});
