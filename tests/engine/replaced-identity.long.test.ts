import { claimMatch } from "./programs";
import { succeed } from "./succeed";
import { project, useProject } from "./use-project";

useProject(() => program("old"));

beforeEach(async () => {
  await succeed(project.up());
});

/** An identity in the group `parent`, and a binding of it in another group. */
function program(parent: "old" | "new", options = ""): string {
  return `
    const groups = { old: new Group("old", { parentUid: root }), new: new Group("new", { parentUid: root }) };
    const other = new Group("other", { parentUid: root });
    const ci = new Identity("ci", { parentUid: groups.${parent}.uid, claimMatch: ${JSON.stringify(claimMatch)} }, {${options}});
    const role = platform.getRoleOutput({ name: "viewer" });
    new RoleBinding("binding", { parentUid: other.uid, identityUid: ci.uid, roleUid: role.uid });
  `;
}

test("the bindings of a replaced identity change in place, as the preview shows", async () => {
  await project.program(program("new"));
  expect((await succeed(project.preview())).steps).toContain("update RoleBinding binding");
  expect((await succeed(project.up())).steps).toEqual([
    "create-replacement Identity ci",
    "replace Identity ci",
    "update RoleBinding binding",
    "delete-replaced Identity ci",
  ]);
});

test("with deleteBeforeReplace the bindings of a replaced identity are deleted first, and created again", async () => {
  await project.program(program("new", "deleteBeforeReplace: true"));
  expect((await succeed(project.up())).steps).toEqual([
    "delete-replaced RoleBinding binding",
    "delete-replaced Identity ci",
    "replace Identity ci",
    "create-replacement Identity ci",
    "replace RoleBinding binding",
    "create-replacement RoleBinding binding",
  ]);
});
