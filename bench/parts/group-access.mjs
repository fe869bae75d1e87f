import { figure, paired, secondsOf, spread, table, target } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";

const operations = ["up", "up again", "preview", "refresh", "destroy"];
const rounds = { access: 1, bindings: 1 };

/** The same role bindings, as one resource for each group and as one for each binding. The groups and identities exist before. */
export const groupAccess = {
  title: "Role bindings as GroupAccess, with the engine's defaults",

  async run({ quick, save }) {
    const [groups, people] = quick ? [5, 4] : [50, 20];
    const about = { groups, people };
    const plan = { count: groups * people, people: about, operations };
    return { ...about, ...(await liveInRounds(rounds, plan, (data) => save({ ...about, ...data }))) };
  },

  report({ groups, people, samples }) {
    const names = Object.keys(rounds);
    const rows = operations.map((operation) => [
      operation,
      ...names.flatMap((name) => [spread(secondsOf(samples, name, operation)), requestsOf(samples, name, operation)]),
      spread(paired(samples, operation, "bindings", "access")),
    ]);
    const head = ["operation", ...names.flatMap((name) => [systems[name].is, "requests"]), "RoleBinding / GroupAccess"];
    return [
      `Seconds and requests; ${figure(groups * people)} role bindings in ${groups} groups, which exist before, as do the ${people} identities.`,
      table(head, rows),
    ].join("\n\n");
  },

  targets({ samples = [] }) {
    return ["up", "preview", "destroy"].map((operation) =>
      target(
        `${operation} of 1,000 role bindings in 50 groups: RoleBinding over GroupAccess`,
        "at least 5",
        paired(samples, operation, "bindings", "access"),
        (ratio) => ratio >= 5,
      ),
    );
  },
};

function requestsOf(samples, system, operation) {
  const found = samples.find((sample) => sample.system === system && sample.operation === operation);
  return found === undefined ? "–" : figure(found.requests.host);
}
