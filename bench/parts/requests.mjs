import { figure, table, target } from "../report/figures.mjs";
import { live, wholeLife } from "../systems/life.mjs";

/** Requests that the product sends for each engine operation, counted by the emulator. */
export const requests = {
  title: "Requests",

  async run({ quick, save }) {
    const store = "checkpoints off";
    const [count, crowd] = quick ? [100, 1_000] : [1_000, 50_000];
    const life = await live("product", { count, store, operations: wholeLife });
    await save({ count, crowd, life });
    const few = await live("product", { count: 3, store, operations: ["up", "refresh"], fill: crowd });
    await save({ count, crowd, life, few });
    const team = await live("product", { count, store, operations: wholeLife, fill: 2 * crowd, isTeam: true });
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

  targets({ count, crowd, life = [], few = [] }) {
    const sent = (samples, ...operations) =>
      samples.filter(({ operation }) => operations.includes(operation)).map((sample) => sample.requests.host);
    const perResource = sent(life, "up").map((number) => number / count);
    return [
      target(`requests of a refresh of ${figure(count)}`, "at most 25", sent(life, "refresh"), (number) => number <= 25),
      target(`requests of a refresh of 3 among ${figure(crowd)}`, "at most 6", sent(few, "refresh"), (number) => number <= 6),
      target("requests of a first up, for each resource", "at most 1.1", perResource, (number) => number <= 1.1),
      target("requests of a preview, and of an up again", "0", sent(life, "preview", "up again"), (number) => number === 0),
    ];
  },
};
