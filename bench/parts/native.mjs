import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { sleep, start } from "../../scripts/lib/child.mjs";
import { Failure } from "../../scripts/lib/message.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, median, operationsTable, table, target } from "../report/figures.mjs";
import { live, liveInRounds, systems } from "../systems/life.mjs";
import { Project } from "../systems/project.mjs";

const doors = ["product", "native"];

/** Time in milliseconds for a command to end after Ctrl-C. It is longer than the dynamic host's two minutes. */
const longestEndMs = 300_000;

/** The dynamic provider host and the plugin, side by side in one run. */
export const native = {
  title: "The native plugin beside the dynamic resources",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const rounds = Object.fromEntries(doors.map((system) => [system, quick ? 1 : 3]));
    const store = "checkpoints off";
    const operations = ["up", "up again", "preview", "refresh", "destroy"];
    const plan = { count, store, operations, watchHost: true };
    const { samples } = await liveInRounds(rounds, plan, (data) => save({ count, ...data }));
    const moved = await live("product", { count, store, operations: ["up", "move", "refresh"] });
    const data = { count, samples, moved, interrupted: {} };
    for (const door of doors) {
      await save(data);
      data.interrupted[door] = await secondsToEnd(door);
    }
    return data;
  },

  report({ count, samples, moved = [], interrupted = {} }) {
    const of = (door) => samples.filter(({ system }) => system === door);
    const ofMove = moved.find(({ operation }) => operation === "move");
    return [
      `${figure(count)} resources, state in a file, checkpoints off.`,
      operationsTable(Object.fromEntries(doors.map((door) => [systems[door].is, of(door)]))),
      table(
        ["", ...doors.map((door) => systems[door].is)],
        [
          ["peak memory of the provider's process, MiB", ...doors.map((door) => figure(memoryOf(of(door))))],
          ["bytes of state for each resource", ...doors.map((door) => figure(bytesOf(of(door)) / count))],
          ["seconds from Ctrl-C to the end, while a create hangs", ...doors.map((door) => figure(interrupted[door] ?? NaN))],
          ["seconds of the move to the plugin by a changed import", "–", figure(ofMove?.seconds ?? NaN)],
        ],
      ),
    ].join("\n\n");
  },

  targets({ samples, moved = [], interrupted = {} }) {
    const [dynamic, plugin] = doors.map((door) => memoryOf(samples.filter(({ system }) => system === door)));
    const writes = moved.filter(({ operation }) => operation === "move").map(({ requests: { host } }) => host);
    const ended = interrupted.native === undefined ? [] : [interrupted.native];
    return [
      target("memory: the plugin's process over the dynamic one", "at most 0.65", [plugin / dynamic], (ratio) => ratio <= 0.65),
      target("requests of a move to the plugin", "0", writes, (number) => number === 0),
      target(
        "seconds from Ctrl-C to the end with the plugin, while a create hangs",
        "at most 35",
        ended,
        (seconds) => seconds <= 35,
      ),
    ];
  },
};

const memoryOf = (samples) => Math.max(...samples.map(({ hostMiB = 0 }) => hostMiB));
const bytesOf = (samples) => median(samples.flatMap(({ stateBytes = [] }) => stateBytes));

/** Seconds from Ctrl-C to the end of an `up` whose create hangs. */
async function secondsToEnd(door) {
  const platform = await EmulatorProcess.start();
  const project = await Project.create(door, { platform, count: 1 });
  try {
    await platform.admin("POST", "faults", { match: { method: "POST", path: "/iam/" }, fault: { hang: "before" }, times: 0 });
    const child = start("pulumi", project.arguments("up"), { env: project.environment, stdio: ["ignore", "ignore", "ignore"] });
    const ended = once(child.process, "exit");
    const asked = async () => Object.keys((await platform.requests()).calls).some((call) => call.startsWith("POST"));
    while (!(await asked())) {
      if (child.process.exitCode !== null) throw new Failure("The up ended without a create.");
      await sleep(20);
    }
    const interrupted = performance.now();
    // Sent to every process of the group, like by a terminal.
    process.kill(-child.process.pid, "SIGINT");
    const late = setTimeout(() => child.process.kill("SIGKILL"), longestEndMs);
    await ended.finally(() => clearTimeout(late));
    return (performance.now() - interrupted) / 1_000;
  } finally {
    await project.close();
    await platform.stop();
  }
}
