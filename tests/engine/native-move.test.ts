import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { succeed } from "./succeed";

test("a changed import moves the state to the plugin without a write to the platform", async () => {
  const platform = await TestPlatform.start();
  const program = `
    const team = new Group("team", { parentUid: root });
    const ci = new Identity("ci", { parentUid: team.uid, claimMatch: { issuer: "https://issuer.example", subject: "ci" } });
  `;
  const project = await Project.create(program, platform.environment, "dynamic");
  try {
    await succeed(project.up());
    const before = (await project.resources()).map(({ id }) => id);
    await platform.clearRequests();
    await project.program(program, "native");
    expect((await succeed(project.up())).steps).toEqual([]);
    expect(await platform.writes()).toEqual([]);
    const after = await project.resources();
    expect(after.map(({ id }) => id)).toEqual(before);
    expect(after.map(({ type }) => type)).toEqual(["platform:iam:Group", "platform:iam:Identity"]);
  } finally {
    await project.remove();
    await platform.close();
  }
});
