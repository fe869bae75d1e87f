import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

// The statements of docs/resource-options.md about the engine.

useProject("", { shared: true });
const group = (description: string, options: object) =>
  `new Group("team", { parentUid: root, description: ${JSON.stringify(description)} }, ${JSON.stringify(options)});`;

test("ignoreChanges works in up and in the preview that refreshes, not in the drift check", async () => {
  await project.program(group("first", { ignoreChanges: ["description"] }));
  await succeed(project.up());
  await project.program(group("second", { ignoreChanges: ["description"] }));
  expect((await succeed(project.up())).steps).toEqual([]);
  await platform.change("groups", (await platform.named("groups", "team")).uid, { description: "by hand" });
  expect((await fail(project.drift())).steps).toEqual(["update Group team"]);
  await succeed(project.preview("--refresh", "--expect-no-changes"));
  expect((await succeed(project.up("--refresh"))).steps).not.toContain("update Group team");
  expect((await platform.named("groups", "team"))["description"]).toBe("by hand");
});

test("replacementTrigger replaces with deleteBeforeReplace when it changes, not when it is set or removed", async () => {
  const replace = { deleteBeforeReplace: true };
  await project.program(group("by hand", replace));
  await succeed(project.up());
  const { uid } = await platform.named("groups", "team");
  await project.program(group("by hand", { ...replace, replacementTrigger: "a" }));
  expect((await succeed(project.up())).steps).toEqual([]);
  await project.program(group("by hand", { ...replace, replacementTrigger: "b" }));
  expect((await succeed(project.up())).steps).toContain("create-replacement Group team");
  expect((await platform.named("groups", "team")).uid).not.toBe(uid);
  await project.program(group("by hand", replace));
  expect((await succeed(project.up())).steps).toEqual([]);
});
