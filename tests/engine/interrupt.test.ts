import { FaultProxy } from "../support/fault-proxy";
import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

test("after Ctrl-C in the middle of up, state knows every object, and the next up finishes without a duplicate", async () => {
  const platform = await TestPlatform.start();
  const proxy = await FaultProxy.start(platform.baseUrl);
  const names = Array.from({ length: 8 }, (_, index) => `group-${index}`);
  const chain = names.map(
    (name, index) => `const g${index} = new Group("${name}", { parentUid: ${index === 0 ? "root" : `g${index - 1}.uid`} });`,
  );
  const project = await Project.create(chain.join("\n"), {
    ...platform.environment,
    PLATFORM_BASE_URL: proxy.baseUrl,
    PLATFORM_AUDIENCE: platform.baseUrl,
  });
  try {
    const third = Promise.withResolvers<undefined>();
    const mayAnswer = Promise.withResolvers<undefined>();
    let creates = 0;
    proxy.interfere = async ({ method, path }, forward) => {
      if (method === "POST" && path.includes("/groups/") && ++creates === 3) {
        third.resolve(undefined);
        await mayAnswer.promise;
      }
      return forward();
    };
    const interrupted = await fail(
      project.during(["up", "--yes", "--skip-preview"], async (engine) => {
        await third.promise;
        engine.interrupt();
        await engine.printed("cancelling");
        mayAnswer.resolve(undefined);
      }),
    );
    expect(interrupted.output).toContain("cancelling");
    expect(await platform.groupNames()).toEqual(names.slice(0, 3));
    const made = (await platform.objects("groups")).map(({ uid }) => uid).filter((uid) => uid.startsWith(`${platform.root}/`));
    expect((await project.resources()).map((resource) => resource.id).sort()).toEqual(made.sort());
    await succeed(project.up());
    expect(await platform.groupNames()).toEqual(names);
  } finally {
    await project.remove();
    await proxy.close();
    await platform.close();
  }
});
