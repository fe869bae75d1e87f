import { figure, secondsOf, spread, table } from "../report/figures.mjs";
import { liveInRounds, systems } from "../systems/life.mjs";
import { Terraform } from "../systems/terraform.mjs";

const commands = ["up", "up again", "up --refresh", "up --refresh --run-program", "preview --refresh", "look for drift"];

/** The commands of pipelines where nothing has changed, after a first `up`, by the place of the engine's state. */
export const pipelines = {
  title: "What pipelines run",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const note = (await Terraform.missing()) ?? "";
    const wanted = ["product", "skip", "compressed", ...(note === "" ? ["terraform"] : [])];
    const about = { count, note };
    const rounds = Object.fromEntries(wanted.map((system) => [system, 1]));
    return { ...about, ...(await liveInRounds(rounds, { count, operations: commands }, (data) => save({ ...about, ...data }))) };
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

  targets: () => [],
};
