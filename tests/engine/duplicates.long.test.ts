import { claimMatch } from "./programs";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject();

const group = (logicalName: string, args = "") => `new Group("${logicalName}", { parentUid: root, name: "same", ${args} });`;

test("a preview shows two new resources of one natural key, and up makes one object at most", async () => {
  await project.program(group("a") + group("b"));
  for (const command of [() => project.preview(), () => project.up()]) await fail(command(), 'group "same"', "[KEY_TAKEN]");
  expect((await platform.groupNames()).length).toBeLessThan(2);
});

test("keys of other kinds, parents and names are no duplicates, nor is any resource in any command", async () => {
  const program = (description: string) => `
    const one = ${group("one", `description: "${description}"`)}
    const two = new Group("two", { parentUid: one.uid, name: "same" });
    const moved = new Group("moved", { parentUid: ${description === "first" ? "one" : "two"}.uid, name: "moved" });
    new Group("child", { parentUid: moved.uid, name: "same" });
    new Identity("ci", { parentUid: root, name: "same", claimMatch: ${JSON.stringify(claimMatch)} });
  `;
  for (const description of ["first", "second"]) {
    await project.program(program(description));
    await succeed(project.preview());
    await succeed(project.up());
  }
  await succeed(project.preview("--refresh"));
  await succeed(project.up("--refresh", "--run-program"));
  expect((await succeed(project.drift())).steps).toEqual([]);
  await succeed(project.destroy("--run-program"));
});
