import { median, paired, secondsOf, spread, table, target } from "../report/figures.mjs";
import { liveInRounds, systems, wholeLife } from "../systems/life.mjs";
import { Terraform } from "../systems/terraform.mjs";

/** The platform's own Terraform provider, 1,000 resources, 2 cores, in seconds: quoted, measured elsewhere. */
const peer = {
  0: { up: 36.9, preview: 5.4, destroy: 69 },
  50: { up: 41.7, preview: 8.9 },
};

/** The engine writes its state after every step. */
export const defaults = timePart({
  title: "Time with the engine's defaults",
  latencyMs: 0,
  rounds: { product: 2, nothing: 2, tutorial: 1, terraform: 1, bare: 1 },
  saves: () => "every step",
  targets: ({ samples }) => [
    ...["up", "destroy"].map((operation) => overNothing(samples, operation, "at most 1.10", (ratio) => ratio <= 1.1)),
    ...["preview", "up again"].map((operation) => overNothing(samples, operation, "at most 0.80", (ratio) => ratio <= 0.8)),
    target("first up: (a) over ours", "at least 2.5", paired(samples, "up", "tutorial", "product"), (ratio) => ratio >= 2.5),
  ],
});

/** The engine writes its state once, at the end. */
export const checkpointsOff = timePart({
  title: "Time with the engine's checkpoints off",
  latencyMs: 0,
  rounds: { product: 2, nothing: 2, tutorial: 1 },
  saves: () => "at the end",
  operations: [...wholeLife, "up", "destroy --run-program"],
  targets({ samples }, results) {
    const tutorial = median(secondsOf(results.defaults?.data.samples ?? [], "tutorial", "up"));
    const ratios = secondsOf(samples, "product", "up").map((seconds) => tutorial / seconds);
    const destroys = secondsOf(samples, "product", "destroy").map((seconds) => peer[0].destroy / seconds);
    return [
      target(
        "first up, checkpoints off: (a) with the engine's defaults over ours",
        "at least 12",
        ratios,
        (ratio) => ratio >= 12,
      ),
      target("destroy, checkpoints off: the Terraform peer's 69 s over ours", "at least 10", destroys, (ratio) => ratio >= 10),
    ];
  },
});

/** The three ways in which the engine saves its state, in one run. */
export const saving = timePart({
  title: "Time by how the engine saves its state",
  latencyMs: 0,
  rounds: { product: 2, compressed: 2, unsaved: 2 },
  operations: ["up", "destroy"],
  targets: ({ samples }) => [
    target(
      "first up: the engine's defaults over compressed state",
      "at least 1.2",
      paired(samples, "up", "product", "compressed"),
      (ratio) => ratio >= 1.2,
    ),
  ],
});

/** Reads use the engine's defaults, which show the cost of latency. Creating and removing everything runs without checkpoints. */
export const latency = timePart({
  title: "Time with checkpoints off in `up` and `destroy` only",
  latencyMs: 50,
  rounds: { product: 2, nothing: 2, tutorial: 1, terraform: 1, bare: 1 },
  saves: (operation) => (["up", "destroy"].includes(operation) ? "at the end" : "every step"),
  targets: ({ samples }) => [
    ...["refresh", "refresh --run-program"].map((operation) => {
      const excess = paired(samples, operation, "product", "nothing", (ours, nothing) => ours - nothing);
      return target(`${operation} at 50 ms: seconds over (c)`, "at most 0.6", excess, (seconds) => seconds <= 0.6);
    }),
    target(
      "refresh at 50 ms: (a) over ours",
      "at least 2.5",
      paired(samples, "refresh", "tutorial", "product"),
      (ratio) => ratio >= 2.5,
    ),
    target(
      "refresh at 50 ms: (d) over ours",
      "at least 1.8",
      paired(samples, "refresh", "terraform", "product"),
      (ratio) => ratio >= 1.8,
    ),
    target(
      "refresh at 50 ms: the Terraform peer's 8.9 s plan over ours",
      "at least 1.8",
      secondsOf(samples, "product", "refresh").map((seconds) => peer[50].preview / seconds),
      (ratio) => ratio >= 1.8,
    ),
  ],
});

function overNothing(samples, operation, asked, isMet) {
  return target(`${operation}: ours over (c)`, asked, paired(samples, operation, "product", "nothing"), isMet);
}

function timePart({ title, latencyMs, rounds, saves, operations = wholeLife, targets }) {
  return {
    title: `${title}, latency ${latencyMs} ms`,

    async run({ quick, save }) {
      const count = quick ? 100 : 1_000;
      const wanted = Object.fromEntries(Object.entries(rounds).map(([system, times]) => [system, quick ? 1 : times]));
      const note = wanted.terraform ? await Terraform.missing() : undefined;
      if (note !== undefined) delete wanted.terraform;
      const about = { count, ...(note && { note }) };
      const plan = { count, latencyMs, saves, operations };
      return { ...about, ...(await liveInRounds(wanted, plan, (data) => save({ ...about, ...data }))) };
    },

    report({ samples, count }) {
      const present = Object.keys(rounds).filter((system) => samples.some((sample) => sample.system === system));
      const others = present.filter((system) => !["product", "bare"].includes(system));
      const shown = [...new Set(operations)];
      const seconds = shown.map((operation) => [
        operation,
        ...present.map((system) => spread(secondsOf(samples, system, operation))),
        spread([peer[latencyMs][operation] ?? []].flat()),
        ...others.map((system) => spread(paired(samples, operation, ...ratioOf(system)))),
      ]);
      const names = present.map((system) => systems[system].is);
      const head = [
        "operation",
        ...names,
        "Terraform peer, quoted",
        ...others.map((system) => ratioOf(system).map(short).join(" / ")),
      ];
      const sent = shown.map((operation) => [operation, ...present.map((system) => requestsOf(samples, system, operation))]);
      return [
        `Seconds, ${count} resources. Quoted is the platform's own Terraform provider with 1,000 resources, measured elsewhere, also on 2 ` +
          "cores; its preview (1,001 requests) reads every object, as a refresh does.",
        table(head, seconds),
        "Requests, without data sources and token exchanges:",
        table(["operation", ...names], sent),
      ].join("\n\n");
    },

    targets: (data, results) => targets({ samples: [], ...data }, results),
  };
}

/** Compared with the limit, shows what the product adds; with other systems, what it saves. */
function ratioOf(system) {
  return systems[system].isLimit ? ["product", system] : [system, "product"];
}

const short = (system) => (system === "product" ? "ours" : systems[system].is.slice(0, 3));

function requestsOf(samples, system, operation) {
  const found = samples.find((sample) => sample.system === system && sample.operation === operation);
  return found === undefined ? "–" : String(found.requests.host);
}
