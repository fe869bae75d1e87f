import { say } from "../../scripts/lib/message.mjs";
import { figure, table, target } from "../report/figures.mjs";
import { live } from "../systems/life.mjs";
import { figuresOf } from "../walk/figures.mjs";
import { verbs, walk as walkThrough, walkedKinds } from "../walk/walk.mjs";

/** The maximum for a verb, by kind, in calls or in changes of file. */
const limits = {
  group: { create: { calls: 300, changes: 120 }, update: { calls: 300 }, read: { calls: 180 } },
  roleBinding: { create: { calls: 350 } },
  identity: { create: { calls: 600 } },
};
const counted = { calls: "calls", changes: "changes of file" };

/** The reason for which a limit stays that is not met. */
const reasons = { changes: "each guard, note and step of a create is a file of its own" };

/** Requests of a destroy for each object. */
const destroyLimit = 1.1;
const destroyReason = "the engine deletes 8 at a time, and one List for 8 is 1.11";

/** The number of the package's functions on the way of one object through one verb. */
export const walk = {
  title: "Calls",

  async run({ quick, save }) {
    const data = { rows: [] };
    for (const kind of Object.keys(walkedKinds)) {
      const records = await walkThrough(kind);
      data.rows.push(...verbs.map((verb) => ({ kind, verb, ...figuresOf(records[verb]) })));
      await save(data);
    }
    const objects = quick ? 30 : 180;
    const samples = await live("product", { count: objects, store: "checkpoints off", operations: ["up", "destroy"] });
    data.destroy = { objects, ...samples.at(-1).requests };
    say(this.report(data));
    return data;
  },

  report({ rows, destroy }) {
    const head = [
      "verb",
      "calls",
      "functions",
      "files",
      "changes of file",
      "calls before the first request",
      "requests",
      "callbacks",
    ];
    const lines = rows.map(({ kind, verb, calls, functions, files, changes, before, requests, callbacks }) => [
      `${verb} of ${walkedKinds[kind]}`,
      ...[calls, functions, files, changes, before ?? NaN, requests, callbacks].map(figure),
      limitOf(kind, verb),
    ]);
    return [
      "Calls of the package's functions by the second object of a kind in a process, as the engine's dynamic provider host calls. A call " +
        "counts if its function has a name of its own; all other functions are callbacks. `npm run bench -- walk --list create group` " +
        "shows them in order.",
      table([...head, "target"], lines),
      ...(destroy ? [`Destroy of ${destroy.objects} objects by the engine: ${destroy.host} requests: ${callsIn(destroy)}.`] : []),
    ].join("\n\n");
  },

  targets({ rows = [], destroy }) {
    const perVerb = Object.entries(limits).flatMap(([kind, ofKind]) =>
      Object.entries(ofKind).flatMap(([verb, ofVerb]) =>
        Object.entries(ofVerb).map(([what, limit]) => {
          const values = rows.filter((row) => row.kind === kind && row.verb === verb).map((row) => row[what]);
          return target(
            `${counted[what]}: ${verb} of ${walkedKinds[kind]}`,
            `at most ${limit}`,
            values,
            (value) => value <= limit,
            reasons[what],
          );
        }),
      ),
    );
    const ratios = destroy ? [destroy.host / destroy.objects] : [];
    return [
      ...perVerb,
      target(
        `requests of a destroy of ${destroy?.objects}, for each object`,
        `at most ${destroyLimit}`,
        ratios,
        (ratio) => ratio <= destroyLimit,
        destroyReason,
      ),
    ];
  },
};

function callsIn({ calls }) {
  return Object.entries(calls)
    .map(([call, count]) => `${count} ${call}`)
    .join(", ");
}

function limitOf(kind, verb) {
  const limit = limits[kind][verb] ?? {};
  return Object.keys(limit)
    .map((what) => `at most ${limit[what]} ${counted[what]}`)
    .join(", ");
}
