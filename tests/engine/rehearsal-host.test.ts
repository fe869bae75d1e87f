import { address, RehearsalHost, rehearsalVariables } from "./rehearsal-host";
import { succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject();

let host: RehearsalHost;
/** The variables of the real run, which no rehearsal has. */
let real: Record<string, string>;

/** The stack's settings: no variable names the platform or has credentials for it. */
const settings = (more: Record<string, string> = {}) => ({
  "platform:baseUrl": address,
  "platform:audience": platform.baseUrl,
  "platform:organization": platform.root,
  "platform:identity": platform.identity,
  "platform:oidcTokenFile": "/no/such/file",
  ...more,
});

beforeEach(async () => {
  real = { ...project.environment };
  for (const name of Object.keys(real)) delete project.environment[name];
  const variables = await rehearsalVariables(platform);
  Object.assign(project.environment, variables);
  host = await RehearsalHost.start(project, variables);
  project.environment["PULUMI_DEBUG_PROVIDERS"] = host.debugProviders;
  await project.config(settings());
});
afterEach(() => host.close());

/** A group through each door. */
const bothDoors = (description: string) => `
  const native = require("pulumi-platform/native");
  const parentUid = ${JSON.stringify(platform.root)};
  new Group("dynamic", { parentUid, description: "${description}" });
  new native.Group("native", { parentUid, description: "${description}" });
  exports.roots = platform.getGroupsOutput({ inRoot: true }).groups.apply((groups) => groups.map(({ uid }) => uid));`;

test("one host serves both doors: what the settings name is done on the copy, with its token", async () => {
  await project.program(bothDoors("first"));
  await succeed(project.preview());
  expect(await platform.writes()).toEqual([]);
  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(["dynamic", "native"]);
  expect(await project.output("roots")).toEqual([platform.root]);
  await succeed(project.up("--expect-no-changes"));
  await project.program(bothDoors("second"));
  const { steps } = await succeed(project.up("--refresh"));
  expect(steps.filter((step) => step.startsWith("update")).sort()).toEqual(["update Group dynamic", "update Group native"]);
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
  expect(host.lines).toEqual([]);
  expect(await host.close()).toBe(0);
});
