import { Platform } from "./platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

test("after Ctrl-C in the middle of up, state knows every object, and the next up finishes without a double", async () => {
  const platform = await Platform.start();
  const names = Array.from({ length: 8 }, (_, index) => `group-${index}`);
  const chain = names.map(
    (name, index) => `const g${index} = new Group("${name}", { parentUid: ${index === 0 ? "root" : `g${index - 1}.uid`} });`,
  );
  const project = await Project.create(chain.join("\n"), platform.environment);
  try {
    await platform.settings({ latencyMs: 150 });
    const interrupted = await fail(
      project.interruptedUp(async () => {
        while ((await platform.groupNames()).length < 2);
      }),
    );
    const made = await platform.objects("groups");
    const below = made.map((group) => group.uid).filter((uid) => uid.startsWith(`${platform.root}/`));
    expect(interrupted.output).toContain("cancelling");
    expect(below.length).toBeGreaterThanOrEqual(2);
    expect(below.length).toBeLessThan(names.length);
    expect((await project.resources()).map((resource) => resource.id).sort()).toEqual(below.sort());
    await platform.settings({ latencyMs: 0 });
    await succeed(project.up());
    expect(await platform.groupNames()).toEqual(names);
  } finally {
    await project.remove();
    await platform.close();
  }
});
