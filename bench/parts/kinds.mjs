import { secondsOf, spread, table, target } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";

const operations = ["up", "up again", "preview", "refresh", "destroy"];
const rounds = { kinds: 2, kindsCompressed: 2 };

/** The platform's own Terraform provider, 1,000 resources, 2 cores, in seconds: quoted, measured elsewhere on two days. */
const peer = { up: [36.9, 26.8], preview: [5.4], destroy: [69, 48.3] };

/** Every kind that programs can declare, and the engine saves its state after every step. */
export const kinds = {
  title: "Every kind, with the engine's checkpoints",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const wanted = Object.fromEntries(Object.entries(rounds).map(([system, times]) => [system, quick ? 1 : times]));
    return { count, ...(await liveInRounds(wanted, { count, operations }, (data) => save({ count, ...data }))) };
  },

  report({ samples, count }) {
    const names = Object.keys(rounds);
    const rows = operations.map((operation) => [
      operation,
      ...names.map((name) => spread(secondsOf(samples, name, operation))),
      spread(peer[operation] ?? []),
      requestsOf(samples, operation),
    ]);
    return [
      `Seconds, ${count} resources of all kinds, a \`GroupAccess\` of two members for every twenty. Quoted is the platform's own Terraform ` +
        "provider with 1,000 resources, measured elsewhere on two days, also on 2 cores.",
      table(["operation", ...names.map((name) => systems[name].is), "Terraform peer, quoted", "requests"], rows),
    ].join("\n\n");
  },

  targets({ samples = [] }) {
    return ["up", "destroy"].map((operation) => {
      const fastest = Math.min(...peer[operation]);
      return target(
        `${operation} of 1,000 of all kinds, compressed state: the Terraform peer's ${fastest} s over ours`,
        "more than 1",
        secondsOf(samples, "kindsCompressed", operation).map((seconds) => fastest / seconds),
        (ratio) => ratio > 1,
      );
    });
  },
};

function requestsOf(samples, operation) {
  const found = samples.find((sample) => sample.operation === operation);
  return found === undefined ? "–" : String(found.requests.host);
}
