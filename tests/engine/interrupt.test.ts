import { FaultProxy } from "../support/fault-proxy";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

const names = Array.from({ length: 8 }, (_, index) => `group-${index}`);
const chain = names.map(
  (name, index) => `const g${index} = new Group("${name}", { parentUid: ${index === 0 ? "root" : `g${index - 1}.uid`} });`,
);

let proxy: FaultProxy;

useProject(chain.join("\n"));
beforeEach(async () => {
  proxy = await FaultProxy.start(platform.baseUrl);
  Object.assign(project.environment, { PLATFORM_BASE_URL: proxy.baseUrl, PLATFORM_AUDIENCE: platform.baseUrl });
});
afterEach(() => proxy.close());

test("after Ctrl-C in the middle of up, state knows every object, and the next up finishes without a duplicate", async () => {
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
  await fail(
    project.during(["up", "--yes", "--skip-preview"], async (engine) => {
      await third.promise;
      engine.interrupt();
      await engine.printed("cancelling");
      mayAnswer.resolve(undefined);
    }),
  );
  expect(await platform.groupNames()).toEqual(names.slice(0, 3));
  const made = (await platform.objects("groups")).map(({ uid }) => uid).filter((uid) => uid.startsWith(`${platform.root}/`));
  expect((await project.resources()).map((resource) => resource.id).sort()).toEqual(made.sort());
  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(names);
});
