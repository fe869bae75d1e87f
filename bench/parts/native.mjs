import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { sleep, start } from "../../scripts/lib/child.mjs";
import { Failure } from "../../scripts/lib/message.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, median, paired, secondsOf, spread, table, target } from "../report/figures.mjs";
import { live, liveInRounds, systems, wholeLife } from "../systems/life.mjs";
import { Project } from "../systems/project.mjs";

const doors = ["product", "native"];

/** What no plugin can be faster than. */
const limit = "nothingNative";

/** How long a command may take to end after Ctrl-C, in milliseconds: longer than the dynamic host's two minutes. */
const longestEndMs = 300_000;

/** The dynamic provider host and the plugin, side by side in one run. */
export const native = {
  title: "The native plugin beside the dynamic resources",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const rounds = Object.fromEntries([...doors, limit].map((system) => [system, quick ? 1 : 3]));
    const bytes = {};
    const plan = { count, saves: () => "every step", operations: wholeLife, watchHost: true };
    const { samples } = await liveInRounds(rounds, plan, (data) => save({ count, ...data }));
    for (const door of doors) {
      await live(door, { count, saves: () => "at the end", operations: ["up"] }, (subject) => {
        bytes[door] = Buffer.byteLength(subject.state());
      });
    }
    const moved = await live("product", { count, saves: () => "at the end", operations: ["up", "move", "refresh"] });
    await save({ count, samples, bytes, moved });
    const interrupted = {};
    for (const door of doors) interrupted[door] = await secondsToEnd(door);
    return { count, samples, bytes, moved, interrupted };
  },

  report({ count, samples = [], bytes = {}, moved = [], interrupted = {} }) {
    const shown = [...new Set(samples.map(({ operation }) => operation))];
    const row = (operation, of) => [operation, ...doors.map((door) => of(door, operation))];
    const memory = (door, operation) =>
      samples.filter((sample) => sample.system === door && sample.operation === operation).map(({ hostMiB = 0 }) => hostMiB);
    const requests = (door, operation) => {
      const found = samples.find((sample) => sample.system === door && sample.operation === operation);
      return found ? String(found.requests.host) : "–";
    };
    const names = doors.map((door) => systems[door].is);
    const ofMove = moved.find(({ operation }) => operation === "move");
    return [
      `Seconds, ${figure(count)} resources, the engine's defaults. A plugin that does nothing has the least that the engine and its SDK ` +
        "take: bare classes, and answers without any work. No plugin can be faster.",
      table(
        ["operation", ...[...names, systems[limit].is], "plugin / dynamic", "nothing / dynamic"],
        shown.map((operation) => [
          operation,
          ...[...doors, limit].map((system) => spread(secondsOf(samples, system, operation))),
          ...["native", limit].map((system) => spread(paired(samples, operation, system, "product"))),
        ]),
      ),
      "Peak memory of the provider's process in MiB, and requests without data sources and token exchanges:",
      table(
        ["operation", ...names.map((name) => `${name}: MiB`), ...names.map((name) => `${name}: requests`)],
        shown.map((operation) => [
          ...row(operation, (door, each) => spread(memory(door, each))),
          ...doors.map((door) => requests(door, operation)),
        ]),
      ),
      table(
        ["", ...names],
        [
          ["bytes of the state file by the number of resources", ...doors.map((door) => figure((bytes[door] ?? 0) / count))],
          [
            "seconds from Ctrl-C to the end, while a create hangs",
            ...doors.map((door) => spread([interrupted[door] ?? []].flat())),
          ],
        ],
      ),
      ofMove
        ? `The move of ${figure(count)} resources by a changed import: ${spread([ofMove.seconds])} s, ${ofMove.requests.host} requests.`
        : "",
    ].join("\n\n");
  },

  targets({ samples = [], moved = [], interrupted = {} }) {
    const writes = moved.filter(({ operation }) => operation === "move").map(({ requests: { host } }) => host);
    const memory = (door) => samples.filter((sample) => sample.system === door && sample.hostMiB).map(({ hostMiB }) => hostMiB);
    const both = doors.map(memory);
    return [
      ...["up again", "preview", "refresh"].map((operation) =>
        target(
          `${operation}: plugin over dynamic`,
          "at most 0.85",
          paired(samples, operation, "native", "product"),
          (ratio) => ratio <= 0.85,
        ),
      ),
      target(
        "memory of the provider's process: plugin over dynamic",
        "at most 0.65",
        both.every(({ length }) => length > 0) ? [median(both[1]) / median(both[0])] : [],
        (ratio) => ratio <= 0.65,
      ),
      target("requests of a move to the plugin", "0", writes, (n) => n === 0),
      target(
        "seconds from Ctrl-C to the end with the plugin, while a create hangs",
        "under 2",
        [interrupted.native ?? []].flat(),
        (seconds) => seconds < 2,
      ),
    ];
  },
};

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
    // As a terminal does: every process of the group.
    process.kill(-child.process.pid, "SIGINT");
    const late = setTimeout(() => child.process.kill("SIGKILL"), longestEndMs);
    await ended.finally(() => clearTimeout(late));
    return (performance.now() - interrupted) / 1_000;
  } finally {
    project.close();
    await platform.stop();
  }
}
