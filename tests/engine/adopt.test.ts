import { succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject();

const declare = (args = "") => `new Group("colleagues", { parentUid: root, description: "Made by hand" ${args} });`;

test("adopt takes over an equal object without a write, and is neither in state nor a diff afterwards; what leaves the program is deleted, by up --refresh too", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "colleagues", description: "Made by hand" });
  await project.program(declare(", adopt: true"));
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
  const [resource] = await project.resources();
  expect(resource?.id).toBe(uid);
  expect(resource?.inputs).not.toHaveProperty("adopt");
  await project.program(declare());
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  await project.program("");
  await succeed(project.up("--refresh", "--run-program"));
  expect(await platform.groupNames()).toEqual([]);
});
