import { readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

useProject("", { door: "dynamic" });

test("a changed import moves every kind to the plugin without a step or a write to the platform", async () => {
  const example = await readFile(path.resolve(__dirname, "../../../examples/every-kind/index.ts"), "utf8");
  const module = { compilerOptions: { module: ts.ModuleKind.CommonJS } };
  const { outputText } = ts.transpileModule(example, module);
  await project.pulumi("config", "set", "--secret", "clientSecret", "the-secret-of-the-studio");
  await project.file("index.js", outputText);
  await succeed(project.up());
  const before = (await project.resources()).map(({ id }) => id).sort();
  await platform.clearRequests();

  await project.file("index.js", outputText.replaceAll('"pulumi-platform"', '"pulumi-platform/native"'));
  const moved = await succeed(project.up());
  expect(moved.steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
  const after = await project.resources();
  expect(after.map(({ id }) => id).sort()).toEqual(before);
  expect(after.filter(({ type }) => !type.startsWith("platform:"))).toEqual([]);
  await succeed(project.preview("--refresh", "--expect-no-changes"));
});

longTest("one logical name through both doors is refused in the program, before the state moves", async () => {
  const program = (body: string) => project.program(`const native = require("pulumi-platform/native");\n${body}`, "dynamic");
  await program('new Group("team", { parentUid: root });');
  await succeed(project.up());
  const before = await project.stateText();
  await platform.clearRequests();
  await program('new Group("team", { parentUid: root });\nnew native.Group("team", { parentUid: root, name: "other" });');
  const { output } = await fail(project.up());
  expect(output).toContain("pulumi-platform/native");
  expect(await platform.writes()).toEqual([]);
  const resources = (text: string) =>
    (JSON.parse(text) as { deployment: { resources: { type: string; id?: string }[] } }).deployment.resources.map(
      ({ type, id }) => [type, id],
    );
  expect(resources(await project.stateText())).toEqual(resources(before));
});
