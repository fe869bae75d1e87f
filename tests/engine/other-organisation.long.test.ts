import path from "node:path";
import { TestPlatform } from "../support/test-platform";
import { organization } from "./programs";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

let home: TestPlatform;
let away: TestPlatform;
let project: Project;

beforeEach(async () => {
  [home, away] = await Promise.all([TestPlatform.start(), TestPlatform.start()]);
  project = await Project.create(organization(), home.environment);
});

afterEach(async () => {
  await Promise.all([home.close(), away.close(), project.remove()]);
});

/** All groups, identities and role bindings that a platform has, without the time that a log-in moves. */
async function everything(platform: TestPlatform): Promise<object[]> {
  const all = await Promise.all(["groups", "identities", "roleBindings"].map((collection) => platform.objects(collection)));
  return all.flat().map(({ lastSeenTime: _, ...fields }) => fields);
}

/** Takes out of state what the replacement has left to be deleted, as docs/errors.md says. */
async function forgetWhatIsToBeDeleted(): Promise<void> {
  const { stdout } = await succeed(project.pulumi("stack", "export"));
  const state = JSON.parse(stdout) as { deployment: { resources: { delete?: boolean }[] } };
  state.deployment.resources = state.deployment.resources.filter((resource) => resource.delete !== true);
  await project.file("state.json", JSON.stringify(state));
  await succeed(project.pulumi("stack", "import", "--file", path.join(project.folder, "state.json")));
}

test("a stack that is moved to another organisation, which must be said, makes its objects there, leaves the old ones, and says so until state is freed of them", async () => {
  await succeed(project.up());
  const atHome = await everything(home);
  const urn = (await project.resources())[0]?.urn ?? "";
  await home.clearRequests();

  Object.assign(project.environment, away.environment);
  await fail(project.up(), "PLATFORM_ALLOW_OTHER_ORGANIZATION=true", "[INVALID_INPUT]");
  expect(await away.writes()).toEqual([]);
  project.environment["PLATFORM_ALLOW_OTHER_ORGANIZATION"] = "true";
  for (const writes of [6, 0]) {
    await away.clearRequests();
    await fail(project.up(), home.root, "[NOT_GONE]");
    expect((await away.writes()).map(({ method }) => method)).toEqual(Array<string>(writes).fill("POST"));
  }
  const made = await everything(away);
  expect(await away.groupNames()).toEqual(["engineering", "security", "team"]);
  // Two objects have each URN.
  await fail(project.pulumi("state", "delete", "--yes", urn), "ambiguous");

  await forgetWhatIsToBeDeleted();
  delete project.environment["PLATFORM_ALLOW_OTHER_ORGANIZATION"];
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await everything(away)).toEqual(made);
  // The old platform was never asked for anything.
  expect(await home.requests()).toEqual([]);
  expect(await everything(home)).toEqual(atHome);
});
