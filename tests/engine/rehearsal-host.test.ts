import { existsSync } from "node:fs";
import path from "node:path";
import { useRehearsal } from "./rehearsal-host";
import { fail, succeed } from "./succeed";
import { platform, project } from "./use-project";

const rehearsed = useRehearsal();

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
  expect(rehearsed.host.lines).toEqual([]);
  expect(await rehearsed.host.close()).toBe(0);
});

test("a dynamic resource of other code is refused by name, and its code is not run", async () => {
  await project.program(`
    const ours = new Group("ours", { parentUid: ${JSON.stringify(platform.root)} });
    const dynamic = (type, text) =>
      new (class extends pulumi.CustomResource {})("pulumi-nodejs:dynamic" + type, "foreign", { __provider: text }, { dependsOn: ours });
    dynamic(process.env.FOREIGN_TYPE, 'require("node:fs").writeFileSync("was-run", ""); exports.handler = () => ({})');`);
  for (const type of [":Resource", "/platform/iam:Group"]) {
    project.environment["FOREIGN_TYPE"] = type;
    await fail(project.up(), `pulumi-nodejs:dynamic${type}::foreign is a dynamic resource of other code`);
  }
  expect(rehearsed.host.lines).toEqual(
    [":Resource", "/platform/iam:Group"].map((type) => ({
      refused: { urn: expect.stringContaining(`pulumi-nodejs:dynamic${type}::foreign`) as string },
    })),
  );
  expect(existsSync(path.join(project.folder, "was-run"))).toBe(false);
  expect(await platform.groupNames()).toEqual(["ours"]);
});

test("messages of both doors reach the user, and a provider whose identity no setting names is undecided", async () => {
  await platform.create("groups", platform.root, { name: "dynamic" });
  await platform.create("groups", platform.root, { name: "native" });
  await project.program(`
    const parentUid = ${JSON.stringify(platform.root)};
    for (const [name, { Group, Provider }] of Object.entries({ dynamic: platform, native: require("pulumi-platform/native") })) {
      new Group(name, { parentUid, adopt: true });
      new Group(name + "-other", { parentUid }, { provider: new Provider(name, { tokenCommand: "touch was-run" }) });
    }`);
  const { output } = await succeed(project.up());
  expect(output).toContain('adopted group "dynamic"');
  expect(output).toContain('adopted group "native"');
  expect(rehearsed.host.lines).toEqual([
    {
      undecided: {
        what: "the provider with the arguments tokenCommand",
        reason: "Its API token comes from a command, which a rehearsal does not run.",
      },
    },
  ]);
  expect(existsSync(path.join(project.folder, "was-run"))).toBe(false);
});

test("without a rehearsal's host, nothing is done and nothing is sent: the ordinary hosts refuse", async () => {
  delete project.environment["PULUMI_DEBUG_PROVIDERS"];
  await project.program(bothDoors("first"));
  await platform.clearRequests();
  const { output } = await fail(project.up(), "PLATFORM_REHEARSAL is set");
  expect(output.match(/PLATFORM_REHEARSAL is set.*\[CONFIGURATION\]/g)?.length).toBeGreaterThanOrEqual(2);
  expect(await platform.writes()).toEqual([]);
  expect(await project.resources()).toEqual([]);
});
