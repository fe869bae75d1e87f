import { TestPlatform } from "../support/test-platform";
import { Project } from "../engine/project";
import { succeed } from "../engine/succeed";
import { writeFigures } from "./figures";
import { expectedOf, type Node, sorted } from "./model";
import { objectsBelow, seen, textOf } from "./reconciler";

jest.setTimeout(900_000);

const count = 10;
const stacks = Array.from({ length: count }, (_, index) => index);

const platform = TestPlatform.forFile();
let root: string;
let viewer: string;
let projects: Project[];

beforeAll(async () => {
  // A real platform is slow enough for the stacks to overlap.
  await platform.settings({ latencyMs: 50 });
  root = (await platform.create("groups", platform.root, { name: "stacks" })).uid;
  viewer = await platform.role("viewer");
  const environment = { ...platform.environment, PLATFORM_ORGANIZATION: root };
  projects = await Promise.all(stacks.map((stack) => Project.create(textOf(nodesOf(stack)), environment)));
});

afterAll(async () => {
  await Promise.all(projects.map((project) => project.remove()));
});

/** Names inside of a team are those of every other team, and each team binds its identity at the root too. */
function nodesOf(stack: number, description = ""): Node[] {
  const binding = { kind: "roleBinding", adopt: false, identity: "ci", role: viewer } as const;
  return [
    { kind: "group", name: "team", title: `team-${stack}`, parent: undefined, adopt: false, description: "" },
    { kind: "group", name: "services", title: "services", parent: "team", adopt: false, description },
    { kind: "identity", name: "ci", title: "ci", parent: "services", adopt: false, description: "", subject: `stack-${stack}` },
    { ...binding, name: "ci-viewer", parent: "services" },
    { ...binding, name: "ci-viewer-everywhere", parent: undefined },
  ];
}

const rows = async () => (await objectsBelow(platform, root)).flat();

/** For each stack what its state holds, as uids. */
const known = () => Promise.all(projects.map(async (project) => new Set((await project.resources()).map(({ id }) => id ?? ""))));

test(`${count} stacks brought up at once on one organisation each make their own objects and no others`, async () => {
  await Promise.all(projects.map((project) => succeed(project.up())));
  const { objects, uids: made } = await seen(platform, root);
  expect(objects).toEqual(sorted(stacks.flatMap((stack) => expectedOf(nodesOf(stack)))));
  const states = await known();
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
  const objects = (await rows()).filter(({ uid }) => untouched.has(uid));
  await Promise.all(
    projects.map(async (project, stack) => {
      if (stack % 3 === 0) return succeed(project.drift());
      if (stack % 3 === 1) return succeed(project.destroy("--run-program"));
      await project.program(textOf(nodesOf(stack, "Changed")));
      return succeed(project.up("--refresh", "--run-program"));
    }),
  );
  const kept = stacks.filter((stack) => stack % 3 !== 1);
  const expected = kept.flatMap((stack) => expectedOf(nodesOf(stack, stack % 3 === 2 ? "Changed" : "")));
  expect((await seen(platform, root)).objects).toEqual(sorted(expected));
  const now = (await rows()).filter(({ uid }) => untouched.has(uid));
  expect(now).toEqual(objects);
});

test("stacks that declare one object at once make it once, and all others report who has it", async () => {
  const rivals = projects.slice(0, 4);
  for (const project of rivals) await project.program('new Group("contested", { parentUid: root });');
  const outcomes = await Promise.all(rivals.map((project) => project.up("--refresh", "--run-program")));
  const { uid } = await platform.named("groups", "contested");
  expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(1);
  for (const { code, output } of outcomes) if (code !== 0) expect(output).toContain(uid);
  await writeFigures("many-stacks", { stacks: count, resourcesEach: nodesOf(0).length, rivals: rivals.length });
});
