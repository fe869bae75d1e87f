import { figure, table, target } from "../report/figures.mjs";
import { live, wholeLife } from "../systems/life.mjs";

/** Requests that the product sends for each engine operation, counted by the emulator. */
export const requests = {
  title: "Requests",

  async run({ quick, save }) {
    const saves = () => "at the end";
    const [count, crowd] = quick ? [100, 1_000] : [1_000, 50_000];
    const life = await live("product", { count, saves, operations: wholeLife });
    await save({ count, crowd, life });
    const few = await live("product", { count: 3, saves, operations: ["up", "refresh"], fill: crowd });
    await save({ count, crowd, life, few });
    const team = await live("product", { count, saves, operations: wholeLife, fill: 2 * crowd, isTeam: true });
    return { count, crowd, life, few, team };
  },

  report({ count, crowd, life, few = [], team = [] }) {
    const rows = [
      ...life.map((sample) => [count, sample]),
      ...few.map((sample) => [`3 among ${figure(crowd)}`, sample]),
      ...team.map((sample) => [`${figure(count)} in one group, among ${figure(2 * crowd)}`, sample]),
    ];
    return table(
      ["resources", "operation", "from the host", "which", "data sources", "token exchanges"],
      rows.map(
        ([
          size,
          {
            operation,
            requests: { host, calls, dataSources, exchanges },
          },
        ]) => [
          typeof size === "number" ? figure(size) : size,
          operation,
          String(host),
          Object.entries(calls)
            .map(([call, times]) => `${times} ${call}`)
            .join(", "),
          String(dataSources),
          String(exchanges),
        ],
      ),
    );
  },

  targets({ count, crowd, life = [], few = [] }, results) {
    const sent = (samples, operation) =>
      samples
        .filter((sample) => sample.operation === operation && sample.system === "product")
        .map((sample) => sample.requests.host);
    const idle = ["preview", "up again"].flatMap((operation) => sent(life, operation));
    const sources = life.map((sample) => sample.requests.dataSources);
    const huge = (results.growth?.data.samples ?? []).filter((sample) => sample.count === 10_000);
    return [
      target(`requests of a refresh of ${figure(count ?? 1_000)}`, "at most 25", sent(life, "refresh"), (n) => n <= 25),
      target("requests of a refresh of 10,000", "at most 120", sent(huge, "refresh"), (n) => n <= 120),
      target(`requests of a refresh of 3 among ${figure(crowd ?? 50_000)}`, "at most 6", sent(few, "refresh"), (n) => n <= 6),
      target(
        "requests of a first up, per resource",
        "at most 1.1",
        sent(life, "up")
          .slice(0, 1)
          .map((n) => n / count),
        (n) => n <= 1.1,
      ),
      target(
        "requests of preview and of an up with nothing to do",
        "0",
        idle.length > 0 ? [Math.max(...idle)] : [],
        (n) => n === 0,
      ),
      target(
        "lists by data sources, most of any operation",
        "at most 1",
        sources.length > 0 ? [Math.max(...sources)] : [],
        (n) => n <= 1,
      ),
    ];
  },
};
