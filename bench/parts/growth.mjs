import { growthPlot } from "../report/plot.mjs";
import { figure, median, table, target } from "../report/figures.mjs";
import { live, systems } from "../systems/life.mjs";

const operations = ["up", "preview", "refresh", "destroy"];
/** Three refreshes, because garbage collection happens at random times. */
const life = ["up", "preview", "refresh", "refresh", "refresh", "destroy"];
/** The largest organisation of each system: the state of the tutorial style would be 90 MB at ten thousand. */
const largest = { product: 10_000, nothing: 10_000, tutorial: 1_000 };

/** Time, requests and memory as the organisation grows, with the engine's checkpoints off. */
export const growth = {
  title: "Growth",

  async run({ quick, save }) {
    const samples = [];
    for (const count of quick ? [10, 100] : [10, 100, 1_000, 10_000])
      for (const system of Object.keys(largest).filter((name) => count <= largest[name])) {
        samples.push(...(await live(system, { count, operations: life, saves: () => "at the end", watchHost: true })));
        await save({ samples });
      }
    return { samples };
  },

  report({ samples }) {
    return [
      "Seconds; an exponent says with which power of N the time grew since the size before: 1 is linear, and what is less is the start " +
        "of the engine and of the program.",
      ...operations.map((operation) => `### ${operation}\n\n${sizesTable(samples, operation)}`),
      "### Memory of the provider's host\n\nMiB at its peak in the operation that takes most, the median where that was repeated.",
      memoryTable(samples),
    ].join("\n\n");
  },

  targets({ samples = [] }) {
    const sizes = sizesOf(samples);
    const size = sizes.at(-1) ?? 10_000;
    const [ours, nothing] = ["product", "nothing"].map((system) => peak(samples, system, size));
    return [
      target(
        `memory of the host at ${figure(size)}: MiB over (c)`,
        "at most 60",
        ours > 0 && nothing > 0 ? [ours - nothing] : [],
        (mib) => mib <= 60,
      ),
    ];
  },

  plots({ samples }) {
    const curves = (operation, valueOf) =>
      presentIn(samples).map((system) => ({
        name: systems[system].is,
        points: sizesOf(samples).map((count) => [count, median(alike(samples, count, system, operation).map(valueOf))]),
      }));
    const times = operations.map((operation) => [
      `growth-${operation}.svg`,
      growthPlot({
        title: `${operation}, checkpoints off`,
        unit: "seconds",
        series: curves(operation, ({ seconds }) => seconds),
      }),
    ]);
    const requests = ["up", "refresh"].map((operation) => [
      `growth-requests-of-${operation}.svg`,
      growthPlot({
        title: `requests of ${operation}`,
        unit: "requests",
        series: curves(operation, (sample) => sample.requests.host),
      }),
    ]);
    return Object.fromEntries([...times, ...requests]);
  },
};

function sizesTable(samples, operation) {
  const present = presentIn(samples);
  const rows = sizesOf(samples).map((count, index, sizes) => [
    figure(count),
    ...present.flatMap((system) => {
      const [now, before] = [count, sizes[index - 1]].map((size) => alike(samples, size, system, operation));
      const [seconds, secondsBefore] = [now, before].map((all) => median(all.map((sample) => sample.seconds)));
      const power = Math.log(seconds / secondsBefore) / Math.log(count / sizes[index - 1]);
      return [figure(seconds), figure(power), figure(median(now.map(({ requests }) => requests.host)))];
    }),
  ]);
  return table(["N", ...present.flatMap((system) => [systems[system].is, "exponent", "requests"])], rows);
}

function memoryTable(samples) {
  const present = presentIn(samples);
  const rows = sizesOf(samples).map((count) => [figure(count), ...present.map((system) => figure(peak(samples, system, count)))]);
  return table(["N", ...present.map((system) => systems[system].is)], rows);
}

/** The samples of one size, system and operation: several where the operation was repeated. */
function alike(samples, count, system, operation) {
  return samples.filter((each) => each.count === count && each.system === system && each.operation === operation);
}

function peak(samples, system, count) {
  const peaks = operations.map((operation) =>
    median(alike(samples, count, system, operation).map(({ hostMiB }) => hostMiB ?? 0)),
  );
  return Math.max(...peaks.filter(Number.isFinite));
}

function sizesOf(samples) {
  return [...new Set(samples.map(({ count }) => count))].sort((a, b) => a - b);
}

function presentIn(samples) {
  return Object.keys(largest).filter((system) => samples.some((sample) => sample.system === system));
}
