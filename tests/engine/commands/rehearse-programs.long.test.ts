import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { head } from "../plugin/remote";
import { hostYaml } from "../plugin/yaml-host";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { effectOfReal, said } from "./real-update";
import { rehearse, useRehearsals } from "./use-rehearsals";

useRehearsals();
useProject("", { door: "native" });

/** Expects that a rehearsal says what `up` then does, without the plugin of the project. */
async function expectEqual(): Promise<readonly string[]> {
  const plugin = path.join(project.folder, "bin/pulumi-resource-platform");
  const [script, trace] = [await readFile(plugin, "utf8"), path.join(project.folder, "was-run")];
  await writeFile(plugin, `#!/bin/sh\ntouch '${trace}'\n`);
  const document = await rehearse();
  await writeFile(plugin, script);
  expect({ undecided: document.undecided, isRun: existsSync(trace) }).toEqual({ undecided: [], isRun: false });
  const effect = await effectOfReal(() => project.up());
  expect(said(document)).toEqual(effect);
  expect(effect.errors).toEqual([]);
  return effect.changes;
}

test("a program in YAML, which only the plugin serves", async () => {
  await hostYaml();
  const example = await readFile(path.resolve(__dirname, "../../../examples/yaml/Pulumi.yaml"), "utf8");
  const plugin = "plugins:\n  providers:\n    - name: platform\n      path: bin\n";
  await project.file("Pulumi.yaml", `${example}${plugin}`);
  project.environment["PULUMI_STACK"] = "example";
  await succeed(project.pulumi("stack", "init", "example"));
  await project.config({ organization: platform.root });
  expect(await expectEqual()).not.toEqual([]);
  await project.file("Pulumi.yaml", `${example.replace("name: editor", "name: viewer")}${plugin}`);
  await expectEqual();
});

test("components that the plugin constructs, made and changed", async () => {
  const program = (role: string) => `${head}
    remote("Organization", "acme", {
      parentUid: root,
      groups: { shop: { identities: { ci: { claimMatch: login } }, access: { ${role}: ["ci"] } } },
    });
    remote("Team", "web", { parentUid: root, pipeline: { claimMatch: { ...login, subject: "web" } } });`;
  await project.program(program("viewer"));
  expect(await expectEqual()).not.toEqual([]);
  await project.program(program("editor"));
  expect(await expectEqual()).not.toEqual([]);
});

const native = (role: string, more = "") => `
  const eng = new Group("engineering", { parentUid: root });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: { issuer: "https://issuer.example", subject: "ci" } });
  new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: "${role}" }${more});
  exports.uid = eng.uid;`;

test("a program with the classes of the plugin: an import, a change, and a replacement", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "engineering" });
  await project.program(native("viewer").replace("{ parentUid: root }", `{ parentUid: root }, { import: "${uid}" }`));
  expect(await expectEqual()).toHaveLength(1);
  await project.program(native("editor"));
  expect(await expectEqual()).not.toEqual([]);
  await project.program(native("owner", ', { replaceOnChanges: ["roleUid"] }'));
  expect(await expectEqual()).not.toEqual([]);
});

test("a stack to which the state does not refer yet is undecided by name, and one to which it refers is read", async () => {
  project.environment["PULUMI_STACK"] = "other";
  await succeed(project.pulumi("stack", "init", "other"));
  await project.program(native("viewer"));
  await succeed(project.up());
  project.environment["PULUMI_STACK"] = "test";
  const referring = (role: string) => `
    const parentUid = new pulumi.StackReference("organization/test/other").requireOutput("uid");
    new platform.RoleBinding("organization", { parentUid, identityUid: process.env["PLATFORM_IDENTITY"], roleName: "${role}" });`;
  await project.program(referring("viewer"));
  const unknown = (await rehearse()).undecided.map(({ what }) => what);
  expect(unknown).toEqual(["the outputs of the stack of organization/test/other"]);
  await succeed(project.up());
  await project.program(referring("editor"));
  expect(await expectEqual()).not.toEqual([]);
});

test("a plugin of another package that the project names is not run", async () => {
  const [folder, trace] = [path.join(project.folder, "acme"), path.join(project.folder, "was-run")];
  await mkdir(folder);
  await writeFile(path.join(folder, "pulumi-resource-acme"), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
  const yaml = await readFile(path.join(project.folder, "Pulumi.yaml"), "utf8");
  await project.file("Pulumi.yaml", yaml.replace("path: bin }", "path: bin }, { name: acme, path: acme }"));
  await project.program('new pulumi.CustomResource("acme:index:Thing", "thing", { size: 1 });');
  const { undecided, errors } = await rehearse();
  expect({ undecided, errors, isRun: existsSync(trace) }).toEqual({ undecided: [], errors: [], isRun: false });
});
