import { copyFile, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { TestPlatform, type WireObject } from "../support/test-platform";
import { type Outcome, Project } from "../engine/project";
import { fail, succeed } from "../engine/succeed";
import { type Expected, expectedOf, type Node } from "./model";
import { randomOrganization } from "./organization";
import { objectsBelow, seen, textOf } from "./reconciler";
import { hostsOf, kill, timeToEnd } from "./processes";
import { Random } from "./random";

/** One run that is killed, decided by its seed. */
export interface Scenario {
  seed: number;
  command: "up" | "destroy";
  victim: "engine" | "host" | "both";
  /** The kill comes this many milliseconds after the platform has got this many writes. */
  afterWrites: number;
  afterMs: number;
  latencyMs: number;
  checkpoints: boolean;
  /** The platform rejects a second object of the same name. */
  uniqueNames: boolean;
  /** A colleague makes a group of a name that the killed run did not get to, where there is one. */
  colleague: boolean;
  /** The write that the kill waits for is applied only this many milliseconds after it came. */
  lateMs: number;
  /** The declarations of the program. */
  nodes: Node[];
}

/** The results of a killed run and of the way back from it. */
export interface Report {
  scenario: Scenario;
  /** Writes without an answer when the kill came. */
  inFlight: number;
  /** Objects that the platform had after the kill and the state had not. */
  unknownToState: number;
  hostEndedMs: number;
  /** The run was through before the kill came. */
  endedBefore: boolean;
  /** The first `up` afterwards stopped at an object that already exists. */
  neededAdopt: boolean;
  /** A colleague made an object of a declared name before the next `up`. */
  colleague: boolean;
  /** The objects on the platform in the end, and the expected ones. */
  made: Expected[];
  declared: Expected[];
}

/** The scenario of `seed`: eight in a row have every combination of command, checkpoints and unique names. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed);
  const nodes = randomOrganization(random, random.between(4, 6));
  const latencyMs = random.between(50, 400);
  const colleague = seed % 8 === 2;
  return {
    seed,
    command: seed % 2 === 0 ? "up" : "destroy",
    checkpoints: Math.floor(seed / 2) % 2 === 0,
    uniqueNames: Math.floor(seed / 4) % 2 === 0,
    victim: random.of(["engine", "engine", "host", "both"] as const),
    afterWrites: colleague ? 1 : random.between(1, nodes.length - 2),
    afterMs: colleague ? 0 : random.between(0, latencyMs),
    latencyMs,
    lateMs: [4, 6, 8].includes(seed % 16) ? 9_000 : 0,
    colleague,
    nodes,
  };
}

/**
 * Runs a scenario and what a user does afterwards, with the real engine.
 *
 * @throws Error when a step of the way back fails, or writes what it must not
 */
export async function runScenario(scenario: Scenario): Promise<Report> {
  const platform = await TestPlatform.start();
  const [root, viewer] = [(await platform.create("groups", platform.root, { name: "life" })).uid, await platform.role("viewer")];
  const nodes = scenario.nodes.map((node) => (node.kind === "roleBinding" ? { ...node, role: viewer } : node));
  const project = await Project.create(textOf(nodes), { ...platform.environment, PLATFORM_ORGANIZATION: root });
  if (!scenario.checkpoints) Object.assign(project.environment, { PULUMI_SKIP_CHECKPOINTS: "1" });
  try {
    if (scenario.command === "destroy") await succeed(project.up());
    const killed = await killRun(scenario, platform, project);
    if (scenario.victim !== "host") await unlock(project);
    const found =
      scenario.command === "up"
        ? await goOnWithUp(scenario, platform, project, root)
        : await succeed(project.up("--refresh", "--run-program")).then(() => nothingFound);
    await sleep(Math.max(0, killed.diedAt + scenario.lateMs - performance.now()));
    const { code, output } = await project.drift();
    if (code !== 0) throw new Error(`there is drift after the way back: ${output}`);
    const { objects: made } = await seen(platform, root);
    return { scenario, ...killed, ...found, made, declared: expectedOf(nodes) };
  } finally {
    await project.remove();
    await platform.close();
  }
}

const nothingFound = { unknownToState: 0, neededAdopt: false, colleague: false };

async function killRun({ command, victim, ...when }: Scenario, platform: TestPlatform, project: Project) {
  await platform.settings({ latencyMs: when.latencyMs, duplicateNames: !when.uniqueNames });
  if (when.lateMs > 0) {
    const late = { delayMs: when.lateMs, then: "after" };
    await platform.fault({ method: "POST", path: "/iam/" }, late, { skip: when.afterWrites - 1 });
  }
  // Leaves something for the colleague to make, however late the kill comes on a busy machine.
  if (when.colleague)
    await platform.fault({ method: "POST", path: "/iam/" }, { hang: "before" }, { skip: when.afterWrites, times: 0 });
  await platform.clearRequests();
  let [inFlight, diedAt, hostEndedMs] = [0, 0, 0];
  const { code } = await project.during([command, "--yes", "--skip-preview"], async ({ pid: engine }) => {
    const written = async (count: number) => {
      while ((await platform.writes()).length < count) await sleep(5);
    };
    await written(1);
    const hosts = await hostsOf(engine);
    if (hosts.length === 0) throw new Error("no host process was found");
    await written(when.afterWrites);
    await sleep(when.afterMs);
    inFlight = (await platform.writes()).filter(({ status }) => status === null).length;
    if (victim !== "host") kill(engine);
    if (victim !== "engine") hosts.forEach(kill);
    diedAt = performance.now();
    hostEndedMs = await timeToEnd(hosts);
  });
  await platform.clearFaults();
  await platform.settings({ latencyMs: 0 });
  return { inFlight, diedAt, hostEndedMs, endedBefore: code === 0 };
}

/** `up`, and the next steps that it prints. */
async function goOnWithUp(scenario: Scenario, platform: TestPlatform, project: Project, root: string) {
  const stranger = scenario.colleague ? await makeStranger(scenario, platform, root) : undefined;
  const known = new Set((await project.resources()).map(({ id }) => id));
  const found = (await objectsBelow(platform, root)).flat();
  const first = await project.up();
  await expectUntouched(platform, root, found);
  if (first.code !== 0) await goOnWithAdopt(first, { platform, project, root }, stranger);
  else if (stranger !== undefined) throw new Error("the colleague's object was taken");
  const isOurs = ({ uid }: WireObject) => uid !== stranger?.uid && !known.has(uid);
  return {
    unknownToState: found.filter(isOurs).length,
    neededAdopt: first.code !== 0,
    colleague: stranger !== undefined,
  };
}

async function goOnWithAdopt(
  { output }: Outcome,
  { platform, project, root }: { platform: TestPlatform; project: Project; root: string },
  stranger?: WireObject,
): Promise<void> {
  if (!output.includes("it already exists") || !output.includes("PLATFORM_ADOPT=true"))
    throw new Error(`up stopped without naming the way on: ${output}`);
  if (output.includes("pending operations")) await succeed(project.refresh("--clear-pending-creates", "--run-program"));
  project.environment["PLATFORM_ADOPT"] = "true";
  if (stranger !== undefined) {
    const refused = await fail(project.up());
    if (!refused.output.includes(`${stranger.uid} differs from the declaration`)) throw new Error(refused.output);
    await expectUntouched(platform, root, [stranger]);
    await platform.delete("groups", stranger.uid);
  }
  await succeed(project.up());
  delete project.environment["PLATFORM_ADOPT"];
}

/** A group of a declared name, created by a colleague under a parent that the killed run created. */
async function makeStranger(
  { nodes, afterWrites }: Scenario,
  platform: TestPlatform,
  root: string,
): Promise<WireObject | undefined> {
  while ((await platform.writes()).filter(({ status }) => status !== null).length < afterWrites) await sleep(5);
  const made = new Map((await platform.objects("groups")).map(({ name, uid }) => [name, uid]));
  for (const { kind, name, parent } of nodes) {
    const place = parent === undefined ? root : made.get(parent);
    if (kind === "group" && place !== undefined && !made.has(name))
      return platform.create("groups", place, { name, description: "A colleague's" });
  }
  return undefined;
}

/** @throws Error when the platform got anything but creates, or an object of `found` is not what it was */
async function expectUntouched(platform: TestPlatform, root: string, found: WireObject[]): Promise<void> {
  const others = (await platform.writes()).filter(({ method }) => method !== "POST");
  if (others.length > 0) throw new Error(`more than creates: ${JSON.stringify(others)}`);
  const now = new Map((await objectsBelow(platform, root)).flat().map((object) => [object.uid, object]));
  const touched = found.filter((object) => !isDeepStrictEqual(stable(now.get(object.uid)), stable(object)));
  if (touched.length > 0) throw new Error(`written over: ${JSON.stringify(touched)}`);
}

/** An object without what the platform moves at a login. */
function stable(object: WireObject | undefined) {
  const { lastSeenTime: _, ...rest } = object ?? { lastSeenTime: undefined };
  return rest;
}

/**
 * A kill in the middle of the engine's own write leaves an empty `.attrs` file beside a state file, or tears the state file: beside it
 * and among the backups are those of before.
 */
async function unlock(project: Project): Promise<void> {
  const { code, output } = await project.pulumi("cancel", "--yes");
  if (code === 0) return;
  if (!output.includes("failed to load checkpoint")) throw new Error(output);
  const files = path.join(project.folder, "backend/.pulumi");
  for (const each of await readdir(files, { recursive: true, withFileTypes: true })) {
    const file = path.join(each.parentPath, each.name);
    if (each.name.endsWith(".attrs") && (await stat(file)).size === 0) await rm(file);
  }
  if ((await project.pulumi("cancel", "--yes")).code === 0) return;
  const backups = path.join(files, "backups/test/test");
  const newestFirst = (await readdir(backups)).sort().reverse();
  const state = path.join(files, "stacks/test/test.json.zst");
  for (const copy of [`${state}.bak`, ...newestFirst.map((name) => path.join(backups, name))]) {
    await copyFile(copy, state);
    if ((await project.pulumi("cancel", "--yes")).code === 0) return;
  }
  throw new Error(`no copy of the state can be read: ${output}`);
}
