import { announce, say } from "../../scripts/lib/message.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { Project } from "./project.mjs";
import { Terraform } from "./terraform.mjs";

/** The compared systems, by their names in results, with their `program` of programs/ and `store` of systems/project.mjs. */
export const systems = {
  product: { is: "pulumi-platform", opens: Project },
  nothing: { is: "idle provider", opens: Project },
  tutorial: { is: "tutorial's style", opens: Project },
  terraform: { is: "Terraform, REST", opens: Terraform },
  organization: { is: "Organization with GroupAccess", opens: Project, program: "component" },
  grants: { is: "Terraform, the same as that", opens: Terraform },
  native: { is: "native plugin", opens: Project },
  kinds: { is: "every kind", opens: Project },
  access: { is: "GroupAccess", opens: Project },
  bindings: { is: "RoleBinding", opens: Project },
  unsaved: { is: "file, checkpoints off", opens: Project, program: "product", store: "checkpoints off" },
  compressed: { is: "file, compressed", opens: Project, program: "product", store: "compressed" },
  skip: { is: "file, no metadata", opens: Project, program: "product", store: "file without metadata" },
  journal: { is: "service with a journal", opens: Project, program: "product", store: "journal" },
  batches: { is: "journal, batches of 5 ms", opens: Project, program: "product", store: "journal in short batches" },
  parallel: { is: "journal, --parallel 32", opens: Project, program: "product", store: "journal", parallel: 32 },
  storage: { is: "object storage", opens: Project, program: "product", store: "object storage" },
  postgres: { is: "PostgreSQL", opens: Project, program: "product", store: "PostgreSQL" },
};

/** From the first creation to the last deletion. */
export const wholeLife = ["up", "up again", "preview", "refresh", "refresh --run-program", "look for drift", "destroy"];

/**
 * Takes an organisation through some operations, on an emulator of its own.
 * @param plan `{ count, operations, latencyMs, store, watchHost, fill, isTeam, people }`; fill: objects of others; isTeam: the resources
 * are in a group of their own, which existed before; people: `{ groups, people }`, the numbers of groups and identities to make before
 * @returns {Promise<object[]>} one sample per operation: `{ system, count, operation, seconds, requests, hostMiB?, saves?, stateBytes? }`
 */
export async function live(system, { count, operations, latencyMs = 0, store = "file", watchHost, fill = 0, isTeam, people }) {
  const platform = await EmulatorProcess.start({ latencyMs });
  try {
    if (fill > 0) await announce(`  filling the organisation with ${fill} objects`, () => platform.fill(fill));
    if (isTeam) await platform.moveInto("team");
    if (people) await platform.addPeople(people);
    const { opens, program = system, store: own = store, parallel } = systems[system];
    const subject = await opens.create(program, { platform, count, store: own, parallel });
    try {
      const samples = [];
      for (const operation of operations) {
        await platform.forgetRequests();
        const taken = await subject.operate(operation, { watchHost });
        if (taken === undefined) continue;
        say(`  ${system} of ${count}: ${operation} ${taken.seconds.toFixed(2)} s`);
        const stateBytes = operation === "up" ? subject.stateBytes() : undefined;
        samples.push({ system, count, operation, ...taken, requests: await platform.requests(), stateBytes });
      }
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
