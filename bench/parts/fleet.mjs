import { performance } from "node:perf_hooks";
import { sleep, start } from "../../scripts/lib/child.mjs";
import { announce, Failure, say } from "../../scripts/lib/message.mjs";
import { sessionOf } from "../../scripts/lib/process-table.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, table } from "../report/figures.mjs";
import { Project } from "../systems/project.mjs";

/** Many stacks of one organisation at once, as the jobs of a CI matrix run them. One is killed in the middle of its first `up`. */
export const fleet = {
  title: "A fleet",

  async run({ quick, save }) {
    const [stacks, count, crowd] = quick ? [3, 20, 100] : [10, 200, 20_000];
    const store = process.env.BENCH_POSTGRES ? "PostgreSQL" : "file";
    const note = store === "file" ? "BENCH_POSTGRES is not set to the address of a PostgreSQL, so state was in files." : "";
    const platform = await EmulatorProcess.start();
    const projects = [];
    try {
      await announce(`  filling the organisation with ${crowd} objects`, () => platform.fill(crowd));
      const root = platform.organization;
      const teams = [];
      for (let n = 0; n < stacks; n++) {
        platform.organization = root;
        await platform.moveInto(`team-${n}`);
        teams.push(platform.organization);
        projects.push(await Project.create("product", { platform, count, store, stack: `team-${n}` }));
      }
      const samples = [];
      const about = { stacks, count, crowd, note };
      const measure = async (operation, work) => {
        await platform.forgetRequests();
        const started = performance.now();
        const each = await Promise.all(projects.map(work));
        const seconds = (performance.now() - started) / 1000;
        say(`  ${operation}: ${seconds.toFixed(1)} s`);
        samples.push({ operation, seconds, slowest: Math.max(...each), requests: await platform.requests() });
        await save({ ...about, samples });
      };
      const operate = (operation) => async (project) => (await project.operate(operation)).seconds;
      await measure("up", (project, n) =>
        n === 0 ? killedAndRepeated(project, platform, teams[0], count) : operate("up")(project),
      );
      await expectObjects(platform, teams, count);
      await measure("look for drift", operate("look for drift"));
      await measure("up again", operate("up again"));
      return { ...about, samples };
    } finally {
      for (const project of projects) await project.close();
      await platform.stop();
    }
  },

  report({ stacks, count, crowd, samples }) {
    const names = {
      up: "first `up`, one of them killed and repeated",
      "look for drift": "drift",
      "up again": "`up` without changes",
    };
    return [
      `${stacks} stacks of ${figure(count)} objects, all at once, beside ${figure(crowd)} objects of others.`,
      table(
        ["all stacks", "seconds", "objects a minute", "requests"],
        samples.map(({ operation, seconds, requests }) => [
          names[operation],
          figure(seconds),
          figure(Math.round((60 * stacks * count) / seconds)),
          figure(requests.host + requests.dataSources + requests.exchanges),
        ]),
      ),
    ].join("\n\n");
  },

  targets: () => [],
};

/** A first `up` whose processes are killed when it has made half of its objects, and its repetition. @returns the seconds of both */
async function killedAndRepeated(project, platform, team, count) {
  const started = performance.now();
  const options = { cwd: project.folder, env: project.environment, stdio: ["ignore", "ignore", "ignore"] };
  const child = start("pulumi", project.arguments("up"), options);
  while ((await madeIn(platform, team)) < count / 2) await sleep(200);
  for (const pid of sessionOf(child.process.pid)) process.kill(pid, "SIGKILL");
  await child.ended;
  await project.pulumi("Removing the lock of the killed run", "cancel", "--yes");
  await project.operate("up");
  return (performance.now() - started) / 1000;
}

/** How many POSTs below `team` the platform has got. */
async function madeIn(platform, team) {
  const { requests } = await platform.admin("GET", "requests");
  return requests.filter(({ method, path }) => method === "POST" && path.includes(team)).length;
}

/** @throws {Failure} if a team has more or fewer objects than its program declares */
async function expectObjects(platform, teams, count) {
  const kinds = ["groups", "identities", "roleBindings"].map((kind) => platform.admin("GET", `objects?kind=${kind}`));
  const uids = (await Promise.all(kinds)).flatMap(({ objects }) => objects.map(({ uid }) => uid));
  for (const team of teams) {
    const made = uids.filter((uid) => uid.startsWith(`${team}/`)).length;
    if (made !== count) throw new Failure(`${team} has ${made} objects instead of ${count}.`);
  }
}
