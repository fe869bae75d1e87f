import { fail } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject("", { shared: true });
const component =
  'class Component extends pulumi.ComponentResource { constructor(n, opts) { super("test:index:Component", n, {}, opts); } }';

test.each([
  ["of its own", `new Group("child", { parentUid: root }, { deletedWith: first });`],
  [
    "that a component hands down",
    `new Group("child", { parentUid: root }, { parent: new Component("parent", { deletedWith: first }) });`,
  ],
])(
  "deletedWith %s is rejected before the object exists, because the engine would forget it without a delete",
  async (_whose, declaration) => {
    await project.program(`${component}\nconst first = new Component("first");\n${declaration}`);
    const { output } = await fail(project.up(), "child", "the option deletedWith");
    expect(output).not.toContain("resource-options");
    expect(await platform.groupNames()).toEqual([]);
  },
);
