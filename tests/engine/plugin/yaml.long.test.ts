import { readFile } from "node:fs/promises";
import path from "node:path";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { hostYaml } from "./yaml-host";

const checkout = path.resolve(__dirname, "../../..");

useProject("", { sample: true, door: "native" });

beforeEach(hostYaml);

test("examples/yaml runs from up to destroy", async () => {
  const example = await readFile(path.join(checkout, "examples/yaml/Pulumi.yaml"), "utf8");
  await project.file("Pulumi.yaml", `${example}plugins:\n  providers:\n    - name: platform\n      path: bin\n`);
  project.environment["PULUMI_STACK"] = "example";
  await succeed(project.pulumi("stack", "init", "example"));
  await project.config({ organization: platform.root });
  await succeed(project.up());
  expect(await project.output("team")).toBe((await platform.named("groups", "payments")).uid);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.destroy());
  expect(await platform.groupNames()).not.toContain("payments");
});

test("a program that was exported in YAML agrees with the platform after its import", async () => {
  const exported = path.join(project.folder, "exported");
  await succeed(project.command("export", "--format", "yaml", "--out", exported));
  const program = await readFile(path.join(exported, "Pulumi.yaml"), "utf8");
  expect(program).toMatch(/roleUid: "[0-9a-f]{40}" # owner$/m);
  await project.file("Pulumi.yaml", program.replace("node_modules/.bin", "bin"));
  project.environment["PULUMI_STACK"] = "exported";
  await succeed(project.pulumi("stack", "init", "exported"));
  for (const [name, isProtected] of Object.entries({ "import-protected.json": true, "import.json": false })) {
    const options = [`--protect=${isProtected}`, "--generate-code=false", "--yes", "--skip-preview"];
    await succeed(project.pulumi("import", "--file", path.join(exported, name), ...options));
  }
  await platform.clearRequests();
  await succeed(project.preview("--refresh", "--run-program", "--expect-no-changes"));
  expect(await platform.writes()).toEqual([]);
});
