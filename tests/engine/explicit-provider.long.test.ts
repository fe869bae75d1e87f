import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

const [here, there] = [TestPlatform.forFile(), TestPlatform.forFile()];
let project: Project;

beforeAll(async () => {
  project = await Project.create("", here.environment);
});
afterAll(() => project.remove());

const text = (value: unknown) => JSON.stringify(value);

/** A group on each platform, and a data source of each. */
const program = (description: string, more: object = {}) => `
  const args = ${text({ baseUrl: there.baseUrl, identity: there.identity, oidcTokenFile: there.oidcTokenFile, ...more })};
  const other = new platform.Provider("other", args);
  new Group("here", { parentUid: root, description: ${text(description)} });
  const group = new Group("there", { parentUid: ${text(there.root)}, description: ${text(description)} }, { provider: other });
  new Identity("ci", { parentUid: group.uid, claimMatch: { issuer: "https://issuer.example", subject: "ci" } }, { parent: group });
  exports.roots = platform.getGroupsOutput({ inRoot: true }, { provider: other }).groups.apply((groups) => groups.map(({ uid }) => uid));
  exports.own = platform.getGroupsOutput({ inRoot: true }).groups.apply((groups) => groups.map(({ uid }) => uid));
`;

/** Writes to the platforms since the last call. */
async function writes(): Promise<{ here: string[]; there: string[] }> {
  const [first, second] = await Promise.all([here.writes(), there.writes()]);
  await Promise.all([here.clearRequests(), there.clearRequests()]);
  return { here: first.map(({ method }) => method), there: second.map(({ method }) => method) };
}

test("two providers of one stack serve two platforms: create, drift, refresh, update, destroy", async () => {
  await project.program(program("first"));
  await succeed(project.preview());
  expect(await writes()).toEqual({ here: [], there: [] });
  await succeed(project.up());
  expect(await here.groupNames()).toEqual(["here"]);
  expect(await there.groupNames()).toEqual(["there"]);
  expect(await writes()).toEqual({ here: ["POST"], there: ["POST", "POST"] });
  expect([await project.output("own"), await project.output("roots")]).toEqual([[here.root], [there.root]]);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.drift());

  await there.change("groups", (await there.named("groups", "there")).uid, { description: "by hand" });
  expect((await project.drift()).steps).toEqual(["update Group there"]);
  await succeed(project.refresh("--run-program"));
  await project.program(program("second"));
  expect((await succeed(project.up())).steps.sort()).toEqual(["update Group here", "update Group there"]);
  expect((await there.named("groups", "there"))["description"]).toBe("second");
  expect(await writes()).toEqual({ here: ["PATCH"], there: ["PATCH"] });

  await succeed(project.destroy("--run-program"));
  expect([await here.groupNames(), await there.groupNames()]).toEqual([[], []]);
  expect(await there.objects("identities")).toHaveLength(1);
});

test("a change of the provider's identity changes no resource, and the next calls use it", async () => {
  await project.program(program("first"));
  await succeed(project.up());
  await writes();
  await project.program(program("first", { audience: `${there.baseUrl}/` }));
  expect((await succeed(project.up())).steps).toEqual([]);
  expect(await writes()).toEqual({ here: [], there: [] });
  await project.program(program("first", { identity: `${there.root}/00000000000000ff` }));
  expect((await fail(project.drift())).output).toContain("00000000000000ff");
  expect(await there.groupNames()).toEqual(["there"]);
  await project.program(program("first"));
  await succeed(project.destroy("--run-program"));
});

test("a secret that is an output fails the program, without a stack, and does not reach state", async () => {
  await project.program(`
    const other = new platform.Provider("other", { baseUrl: ${text(there.baseUrl)}, tokenCommand: pulumi.secret("print s3cret-value") });
    new Group("there", { parentUid: ${text(there.root)} }, { provider: other });
  `);
  const { output } = await fail(project.up());
  expect(output).toContain("tokenCommand is a secret");
  expect(output).not.toContain("sdk/resources/provider");
  expect(await project.stateText()).not.toContain("s3cret-value");
});
