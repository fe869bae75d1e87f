import { TestPlatform } from "../support/test-platform";
import { Project } from "../engine/project";
import { succeed } from "../engine/succeed";
import { writeFigures } from "./figures";
import { allObjects, madeObjects } from "./organization";

jest.setTimeout(900_000);

const count = 10;
const stacks = Array.from({ length: count }, (_, index) => index);

let platform: TestPlatform;
let before: Set<string>;
let projects: Project[];

beforeAll(async () => {
  platform = await TestPlatform.start();
  // A real platform is slow enough for the stacks to overlap.
  await platform.settings({ latencyMs: 50 });
  before = new Set((await allObjects(platform)).map(({ uid }) => uid));
  projects = await Promise.all(stacks.map((stack) => Project.create(programOf(stack), platform.environment)));
});

afterAll(async () => {
  await Promise.all(projects.map((project) => project.remove()));
  await platform.close();
});

/** Names inside of a team are those of every other team, and each team binds its identity at the root too. */
function programOf(stack: number, description = ""): string {
  return `
    const viewer = platform.getRoleOutput({ name: "viewer" }).uid;
    const team = new Group("team", { parentUid: root, name: "team-${stack}" });
    const services = new Group("services", { parentUid: team.uid, description: "${description}" });
    const ci = new Identity("ci", { parentUid: services.uid, claimMatch: { issuer: "https://gitlab.com", subject: "stack-${stack}" } });
    new RoleBinding("ci-viewer", { parentUid: services.uid, identityUid: ci.uid, roleUid: viewer });
    new RoleBinding("ci-viewer-everywhere", { parentUid: root, identityUid: ci.uid, roleUid: viewer });
  `;
}

function objectsOf(stack: number, description = ""): string[] {
  const ci = `/team-${stack}/services/ci`;
  return [
    `group /team-${stack}`,
    `group /team-${stack}/services ${description}`.trimEnd(),
    `identity ${ci} stack-${stack}`,
    `binding of ${ci} to viewer in /team-${stack}/services`,
    `binding of ${ci} to viewer in /`,
  ];
}

/** For each stack what its state holds, as uids. */
const known = () => Promise.all(projects.map(async (project) => new Set((await project.resources()).map(({ id }) => id ?? ""))));

test(`${count} stacks brought up at once on one organisation each make their own objects and no others`, async () => {
  await Promise.all(projects.map((project) => succeed(project.up())));
  expect(await madeObjects(platform, before)).toEqual(stacks.flatMap((stack) => objectsOf(stack)).sort());
  const states = await known();
  const made = (await allObjects(platform)).map(({ uid }) => uid).filter((uid) => !before.has(uid));
  expect(states.flatMap((uids) => [...uids]).sort()).toEqual(made.sort());
  for (const [stack, uids] of states.entries()) {
    const team = await platform.named("groups", `team-${stack}`);
    const identity = (await platform.objects("identities")).find(({ uid }) => uid.startsWith(`${team.uid}/`));
    expect(uids).toContain(team.uid);
    expect(uids).toContain(identity?.uid);
  }
});

test("a change, a destroy and a drift check at once stay within their stacks", async () => {
  const untouched = (await known())[0] ?? new Set();
  const objects = (await allObjects(platform)).filter(({ uid }) => untouched.has(uid));
  await Promise.all(
    projects.map(async (project, stack) => {
      if (stack % 3 === 0) return succeed(project.drift());
      if (stack % 3 === 1) return succeed(project.destroy("--run-program"));
      await project.program(programOf(stack, "Changed"));
      return succeed(project.up("--refresh", "--run-program"));
    }),
  );
  const expected = stacks
    .filter((stack) => stack % 3 !== 1)
    .flatMap((stack) => objectsOf(stack, stack % 3 === 2 ? "Changed" : ""));
  expect(await madeObjects(platform, before)).toEqual(expected.sort());
  const now = (await allObjects(platform)).filter(({ uid }) => untouched.has(uid));
  expect(now).toEqual(objects);
});

test("stacks that declare one object at once make it once, and all others report who has it", async () => {
  const rivals = projects.slice(0, 4);
  for (const project of rivals) await project.program('new Group("contested", { parentUid: root });');
  const outcomes = await Promise.all(rivals.map((project) => project.up("--refresh", "--run-program")));
  const { uid } = await platform.named("groups", "contested");
  expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(1);
  for (const { code, output } of outcomes) if (code !== 0) expect(output).toContain(uid);
  await writeFigures("many-stacks", { stacks: count, resourcesEach: objectsOf(0).length, rivals: rivals.length });
});
