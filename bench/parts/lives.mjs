import { figure, operationsTable, paired, secondsOf, target } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";
import { Terraform } from "../systems/terraform.mjs";

const engineRuns = ["up", "up again", "preview", "refresh", "look for drift", "destroy"];

/** 1,000 resources on a platform that is 50 ms away, with the engine's defaults. */
export const time = lifePart({
  title: "Time",
  about:
    "1,000 resources, latency of the platform 50 ms, state in a file with the engine's defaults. Terraform reads every object in its plan.",
  rounds: { product: 2, nothing: 2, tutorial: 1, terraform: 1 },
  plan: { count: 1_000, latencyMs: 50, operations: engineRuns },
  targets: ({ samples }) => [
    ...Object.entries({ up: 1.1, preview: 0.8, "up again": 0.8 }).map(([operation, limit]) =>
      target(
        `${operation}: our time over that of an idle provider`,
        `at most ${figure(limit)}`,
        paired(samples, operation, "product", "nothing"),
        (ratio) => ratio <= limit,
        "both are nearly the engine's own time, and their ratio differs from machine to machine",
      ),
    ),
    target(
      "refresh: our seconds more than those of an idle provider",
      "at most 0.6",
      paired(samples, "refresh", "product", "nothing", (ours, idle) => ours - idle),
      (seconds) => seconds <= 0.6,
    ),
    ...["up", "refresh"].map((operation) =>
      target(
        `${operation}: time of the tutorial's style over ours`,
        "at least 2.5",
        paired(samples, operation, "tutorial", "product"),
        (ratio) => ratio >= 2.5,
      ),
    ),
  ],
});

/** The growth of time, requests and memory with the number of resources, also for commands that read a whole organisation. */
export const size = {
  title: "Size",

  async run({ quick, save }) {
    const samples = [];
    for (const count of quick ? [10, 100] : [100, 1_000, 10_000]) {
      const operations = [...engineRuns.slice(0, -1), "drift", "access", "export", "destroy"];
      const plan = { count, operations, store: "checkpoints off", watchHost: true, isTeam: true };
      samples.push(...(await liveInRounds({ product: 1 }, plan, () => {})).samples);
      await save({ samples });
    }
    return { samples };
  },

  report({ samples }) {
    const columns = Map.groupBy(samples, ({ count }) => `${figure(count)} resources`);
    const peaks = [...columns].map(([of, each]) => `${figure(Math.max(...each.map(({ hostMiB = 0 }) => hostMiB)))} for ${of}`);
    return [
      "State in a file, checkpoints off. `drift`, `access` and `export` are commands of `pulumi-platform`, the others of the engine.",
      operationsTable(Object.fromEntries(columns)),
      `Peak memory of the provider's process, in MiB: ${peaks.join(", ")}.`,
    ].join("\n\n");
  },

  targets: () => [],
};

/** Every kind that programs can declare. */
export const kinds = lifePart({
  title: "Every kind",
  about: "1,000 resources of all kinds, a `GroupAccess` of two members for every twenty, with the engine's defaults.",
  rounds: { kinds: 1 },
  plan: { count: 1_000, operations: engineRuns },
});

/** The same role bindings, as one resource for each group and as one for each binding. The groups and identities exist before. */
export const groupAccess = lifePart({
  title: "Role bindings as GroupAccess",
  about: "1,000 role bindings of 20 identities in 50 groups, which exist before, with the engine's defaults.",
  rounds: { access: 1, bindings: 1 },
  plan: { count: 1_000, people: { groups: 50, people: 20 }, operations: engineRuns },
});

/**
 * A part that takes systems through the same operations.
 * @param rounds number of rounds by the name of the system; 1 in the quick form, with a tenth of the resources
 * @param plan of `live` in systems/life.mjs
 */
function lifePart({ title, about, rounds, plan, targets = () => [] }) {
  return {
    title,

    async run({ quick, save }) {
      const wanted = { ...rounds };
      const note = wanted.terraform && (await Terraform.missing());
      if (note) delete wanted.terraform;
      const noted = note ? { note } : {};
      if (quick) for (const system of Object.keys(wanted)) wanted[system] = 1;
      const people = plan.people && quick ? { groups: 10, people: 10 } : plan.people;
      const smaller = { ...plan, people, count: quick ? plan.count / 10 : plan.count };
      return { ...noted, ...(await liveInRounds(wanted, smaller, (data) => save({ ...noted, ...data }))) };
    },

    report({ samples }) {
      const present = Object.keys(rounds).filter((system) => secondsOf(samples, system, "up").length > 0);
      const columns = present.map((system) => [systems[system].is, samples.filter((sample) => sample.system === system)]);
      return [about, operationsTable(Object.fromEntries(columns))].join("\n\n");
    },

    targets,
  };
}
