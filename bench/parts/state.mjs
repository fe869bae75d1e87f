import { figure, paired, secondsOf, spread, table, target } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";
import { LATENCY_MS, ObjectStorage } from "../systems/object-storage.mjs";
import { Terraform } from "../systems/terraform.mjs";

/** The rest after a killed run, by the system whose column names the place of its state. */
const afterKill = {
  unsaved: "the state from before the run",
  compressed: "all steps that ended",
  journal: "all steps that ended",
  batches: "all steps that ended",
  parallel: "all steps that ended",
  product: "all steps that ended",
  storage: "all steps that ended",
  postgres: "all steps that ended",
  terraform: "what it saved last",
};

/** Rounds of the systems that need minutes for one. */
const once = { storage: 1, postgres: 1 };
const rounds = 2;

/** A first `up`, by the place of the engine's state and the way of saving it, and the bytes of that state. */
export const state = {
  title: "Where state goes",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const missing = { terraform: await Terraform.missing(), storage: await ObjectStorage.missing() };
    if (!process.env.BENCH_POSTGRES)
      missing.postgres = "PostgreSQL is left out: BENCH_POSTGRES is not set to the address of one.";
    const wanted = Object.keys(afterKill).filter((system) => missing[system] === undefined);
    const about = { count, note: Object.values(missing).filter(Boolean).join(" ") };
    const turns = Object.fromEntries(wanted.map((system) => [system, quick ? 1 : (once[system] ?? rounds)]));
    return { ...about, ...(await liveInRounds(turns, { count, operations: ["up"] }, (data) => save({ ...about, ...data }))) };
  },

  report({ count, samples }) {
    const present = Object.keys(afterKill).filter((system) => secondsOf(samples, system, "up").length > 0);
    return [
      `A first \`up\` of ${figure(count)} resources; Terraform's \`apply\` of the same. A journal is what Pulumi Cloud gives the engine; here ` +
        "it is a stand-in on this machine, which writes each batch to disk before it answers. Object storage is one too: gofakes3, with " +
        `${LATENCY_MS} ms for each answer. The engine asks it four times for each save of the state.`,
      table(
        ["state", "seconds", "over a file", "a killed run leaves"],
        present.map((system) => [
          system === "product" ? "file" : systems[system].is,
          spread(secondsOf(samples, system, "up")),
          spread(paired(samples, "up", system, "product")),
          afterKill[system],
        ]),
      ),
    ].join("\n\n");
  },

  targets({ count, samples }) {
    const sizes = samples.filter(({ system }) => system === "product").map(({ stateBytes }) => Math.round(stateBytes / count));
    const because =
      "the digests of logins and the times of creation, by which runs tell that somebody else has changed an object";
    const what = "bytes of state for each resource, which the engine writes after every step";
    return [target(what, "at most 1,500", sizes.slice(0, 1), (size) => size <= 1_500, because)];
  },
};
