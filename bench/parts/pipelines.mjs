import { figure, secondsOf, spread, table, target } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";
import { ObjectStorage } from "../systems/object-storage.mjs";
import { Terraform } from "../systems/terraform.mjs";

const commands = [
  "up",
  "up again",
  "up --refresh",
  "up --refresh --run-program",
  "preview --refresh",
  "look for drift",
  "destroy",
];

/** Ours and Terraform's of the same objects, with the target for the first `up`. */
const pairs = [
  ["organization", "grants", 0.5],
  ["product", "terraform", 0.9],
];
/** Our operation, that of Terraform beside it, and the target. Terraform's `plan` reads every object, as `--refresh` does. */
const limits = [
  ["up --refresh", "preview --refresh", 0.6],
  ["preview --refresh", "preview --refresh", 0.9],
  ["destroy", "destroy", 0.5],
];

/** The commands of pipelines where nothing has changed, between a first `up` and a destroy, by the place of the engine's state. */
export const pipelines = {
  title: "What pipelines run",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const without = { terraform: await Terraform.missing(), storage: await ObjectStorage.missing() };
    const theirs = without.terraform ? [] : ["terraform", "grants"];
    const places = ["skip", "compressed", "journal", ...(without.storage ? [] : ["storage"])];
    const wanted = ["product", "organization", ...theirs, ...places];
    const about = { count, note: Object.values(without).filter(Boolean).join(" ") };
    const rounds = Object.fromEntries(wanted.map((system) => [system, 1]));
    const plan = { count, operations: commands };
    return { ...about, ...(await liveInRounds(rounds, plan, (data) => save({ ...about, ...data }))) };
  },

  report({ count, note, samples }) {
    const present = Object.keys(systems).filter((system) => samples.some((sample) => sample.system === system));
    const savesOf = (system, operation) => samples.find((each) => each.system === system && each.operation === operation)?.saves;
    return [
      `${figure(count)} resources. After the first \`up\` nothing changes. In brackets: how often the engine saved the whole state. ` +
        `Terraform's \`apply\` and \`plan\` always read every object. ${note}`,
      table(
        ["seconds", ...present.map((system) => (system === "product" ? "file" : systems[system].is))],
        commands.map((operation) => [
          operation === "up" ? "first `up`" : `\`${operation}\``,
          ...present.map((system) => {
            const saves = savesOf(system, operation);
            const seconds = spread(secondsOf(samples, system, operation));
            return saves === undefined ? seconds : `${seconds} [${figure(saves)}]`;
          }),
        ]),
      ),
    ].join("\n\n");
  },

  targets({ samples }) {
    return pairs.flatMap(([ours, theirs, first]) =>
      [["up", "up", first], ...limits].map(([operation, other, limit]) => {
        const [left] = secondsOf(samples, ours, operation);
        const [right] = secondsOf(samples, theirs, other);
        const what = `${systems[ours].is}: time of \`${operation}\` over Terraform's \`${terraformNames[other]}\``;
        const because = right && floorOf(samples, ours, operation, right);
        return target(what, `at most ${figure(limit)}`, left && right ? [left / right] : [], (ratio) => ratio <= limit, because);
      }),
    );
  },
};

/** The part of a ratio that is not ours: without any request in a refresh, or with a smaller state to save. */
function floorOf(samples, system, operation, theirs) {
  if (operation.includes("--refresh")) {
    const [again] = secondsOf(samples, system, "up again");
    return again && `an \`up\` without a refresh, which sends nothing, takes ${figure(again / theirs)}`;
  }
  const [compressed] = secondsOf(samples, "compressed", operation);
  return system === "product" && compressed ? `with compressed state ${figure(compressed / theirs)}` : undefined;
}

const terraformNames = { up: "apply", "preview --refresh": "plan", destroy: "destroy" };
