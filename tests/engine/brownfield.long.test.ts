import { blocks } from "../docs/markdown";
import { javascript } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

const guide = blocks("ts", "docs/guides/brownfield.md").map(({ text }) => text);
const declare = async (program: string) => project.file("index.js", await javascript(program));

useProject("", { sample: true });
beforeEach(() => declare(guide.join("\n")));

const members = async () => {
  const { uid } = await platform.named("groups", "warehouse");
  const bindings = (await platform.objects("roleBindings")).filter((binding) => binding.uid.startsWith(`${uid}/`));
  return bindings.map(({ identity }) => (identity as { name: string }).name).sort();
};
const all = ["stocktaker", "warehouse-builds", "warehouse-release"];

test("the guide takes over the emulator's organisation without a write, shows who else has access, then removes exactly them", async () => {
  await platform.clearRequests();
  project.environment["PLATFORM_ADOPT"] = "true";
  const { output } = await succeed(project.up());
  expect(output).toContain("stocktaker");
  expect(await platform.writes()).toEqual([]);
  delete project.environment["PLATFORM_ADOPT"];
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);

  const preview = await succeed(project.preview("--refresh", "--run-program", "--diff"));
  expect(preview.output).toMatch(/- stocktaker/);
  expect(preview.output).not.toMatch(/- (warehouse-builds|warehouse-release)/);
  expect(await members()).toEqual(all);
  await succeed(project.up("--refresh", "--run-program"));
  expect(await members()).toEqual(["warehouse-builds", "warehouse-release"]);

  await platform.clearRequests();
  await fail(project.destroy("--run-program"), "protected");
  await succeed(project.pulumi("stack", "rm", "--force", "--yes"));
  expect(await platform.writes()).toEqual([]);
});

test("without adopt nothing is taken over; what differs is listed, and nothing is changed", async () => {
  await platform.clearRequests();
  await fail(project.up(), (await platform.named("groups", "operations")).uid);
  project.environment["PLATFORM_ADOPT"] = "true";
  await declare(guide.join("\n").replace("Stock and shelves", "Only stock"));
  await fail(project.up(), "Stock and shelves", "description");
  expect(await platform.writes()).toEqual([]);
  expect(await members()).toEqual(all);
});
