import { announce, say } from "../../scripts/lib/message.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { Bare } from "./bare.mjs";
import { Project } from "./project.mjs";
import { Terraform } from "./terraform.mjs";

/** The systems to compare, by their names in results. The limit does the least that the engine requires. */
export const systems = {
  product: { is: "pulumi-platform", opens: Project },
  native: { is: "the native plugin", opens: Project },
  compressed: { is: "ours, state compressed", opens: Project, program: "product", saves: "compressed" },
  unsaved: { is: "ours, checkpoints off", opens: Project, program: "product", saves: "at the end" },
  nothing: { is: "(c) nothing", opens: Project, isLimit: true },
  nothingNative: { is: "a plugin that does nothing", opens: Project, program: "nothing-native", isLimit: true },
  tutorial: { is: "(a) tutorial style", opens: Project },
  terraform: { is: "(d) Terraform, REST", opens: Terraform },
  bare: { is: "(b) bare undici", opens: Bare },
  kinds: { is: "every kind", opens: Project },
  kindsCompressed: { is: "every kind, state compressed", opens: Project, program: "kinds", saves: "compressed" },
  access: { is: "GroupAccess", opens: Project },
  bindings: { is: "RoleBinding", opens: Project },
};

/** From the first creation to the last deletion. */
export const wholeLife = ["up", "up again", "preview", "refresh", "refresh --run-program", "look for drift", "destroy"];

/**
 * Takes an organisation through some operations, on an emulator of its own.
 * @param plan `{ count, shape, latencyMs, operations, saves: (operation) => string, watchHost, fill, isTeam, people }`; fill: objects of others;
 *   isTeam: the resources are in a group of their own, which existed before; people: `{ groups, people }`, the numbers of groups and
 *   identities to make before
 * @param look receives the system after all operations
 * @returns {Promise<object[]>} one sample per operation: `{ system, count, operation, seconds, requests, hostMiB? }`
 */
export async function live(
  system,
  {
    count,
    shape,
    latencyMs = 0,
    operations = wholeLife,
    saves = () => "every step",
    watchHost,
    fill = 0,
    isTeam = false,
    people,
  },
  look,
) {
  const platform = await EmulatorProcess.start({ latencyMs });
  try {
    if (fill > 0) await announce(`  filling the organisation with ${fill} objects`, () => platform.fill(fill));
    if (isTeam) await platform.moveInto("team");
    if (people) await platform.addPeople(people);
    const { opens, program = system, saves: always } = systems[system];
    const subject = await opens.create(program, { platform, count, shape });
    try {
      const samples = [];
      for (const operation of operations) {
        await platform.forgetRequests();
        const taken = await subject.operate(operation, { saves: always ?? saves(operation), watchHost });
        if (taken === undefined) continue;
        say(`  ${system} of ${count}: ${operation} ${taken.seconds.toFixed(2)} s`);
        samples.push({ system, count, operation, ...taken, requests: await platform.requests() });
      }
      await look?.(subject);
      return samples;
    } finally {
      await subject.close();
    }
  } finally {
    await platform.stop();
  }
}

/**
 * Runs rounds of lives with the systems interleaved, so that other load on the machine affects all of them.
 * @param rounds number of rounds by the name of the system
 * @param save receives all samples so far after each life
 */
export async function liveInRounds(rounds, plan, save) {
  const samples = [];
  for (let round = 1; round <= Math.max(...Object.values(rounds)); round++) {
    const taking = Object.keys(rounds).filter((name) => rounds[name] >= round);
    // Every second round runs in reverse order, so that the position in a round evens out.
    for (const system of round % 2 === 1 ? taking : taking.reverse()) {
      say(`Round ${round}, ${systems[system].is}, ${plan.count} resources`);
      for (const sample of await live(system, plan)) samples.push({ round, ...sample });
      await save({ samples });
    }
  }
  return { samples };
}
