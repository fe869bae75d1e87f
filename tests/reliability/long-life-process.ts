import { setTimeout as sleep } from "node:timers/promises";
import { connect, readConfiguration } from "../../provider/credentials";
import { dynamicProvider } from "../../provider/host/dynamic";
import type { Inputs } from "../../provider/schema/kind";
import { newRun } from "../../provider/resources/run/new-run";
import { getGroups, getRole } from "../../sdk";
import { declarable, type Declaration, EngineSimulator, servedBy } from "../support/engine-simulator";

/** The process's reports about itself. */
export interface Sample {
  /** Milliseconds since its start. */
  at: number;
  rounds: number;
  failedRounds: number;
  unhandledRejections: number;
  /** After garbage collection. */
  heapBytes: number;
  rssBytes: number;
  /** Connections, idle ones too. */
  sockets: number;
  /** Timers that keep the process alive. */
  timers: number;
}

// Run by long-life.test.ts in a process of its own: one client reconciles over and over, and tells what it holds.
const durationMs = Number(process.env["DURATION_MS"]);
const root = process.env["PLATFORM_ORGANIZATION"] ?? "";
const samples = 12;

const client = connect(readConfiguration({}, process.env), {
  timing: { attemptMs: 1_000, budgetMs: 5_000, firstDelayMs: 20, longestDelayMs: 200, propagationMs: 1_000 },
});

const engine = new EngineSimulator(() => {
  const run = newRun(client, { adoptByDefault: true });
  return servedBy((name) => dynamicProvider(declarable[name], () => run));
});

/** A program that changes with each round: a description, the role of a binding, and a group that comes and goes. */
function program(round: number, roles: readonly string[]): Declaration[] {
  const declare = (
    name: string,
    kind: Declaration["kind"],
    dependsOn: string[],
    inputs: (uidOf: (name: string) => string) => Inputs,
  ) => ({ name, kind, dependsOn, inputs });
  const visitor = declare("visitor", "group", ["team"], (uidOf) => ({ parentUid: uidOf("team"), name: "visitor" }));
  return [
    declare("team", "group", [], () => ({ parentUid: root, name: "team", description: `round ${round}` })),
    declare("robot", "identity", ["team"], (uidOf) => ({
      parentUid: uidOf("team"),
      name: "robot",
      claimMatch: { issuer: "https://issuer.example", subject: "robot" },
    })),
    declare("access", "roleBinding", ["team", "robot"], (uidOf) => ({
      parentUid: uidOf("team"),
      identityUid: uidOf("robot"),
      roleUid: roles[round % roles.length],
    })),
    ...(round % 2 === 0 ? [visitor] : []),
  ];
}

let [rounds, failedRounds, unhandledRejections] = [0, 0, 0];
process.on("unhandledRejection", () => unhandledRejections++);

function sample(): Sample {
  // Weakly reachable objects go too, because compiled code would outweigh the client's objects.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  // Names of far ends would be asked of the network.
  Object.assign(process.report, { excludeNetwork: true });
  const { libuv } = process.report.getReport() as { libuv: { type: string }[] };
  const sockets = libuv.filter(({ type }) => type === "tcp").length;
  const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const { heapUsed, rss } = process.memoryUsage();
  return {
    at: performance.now(),
    rounds,
    failedRounds,
    unhandledRejections,
    heapBytes: heapUsed,
    rssBytes: rss,
    sockets,
    timers,
  };
}

async function live(): Promise<void> {
  const roles = [(await getRole({ name: "viewer" })).uid, (await getRole({ name: "editor" })).uid];
  await engine.up(program(0, roles));
  process.send?.("ready");
  for (let taken = 0; taken < samples; taken++) {
    const end = performance.now() + durationMs / samples;
    // On a busy machine a round takes long: a sample with fewer rounds would show nothing.
    for (const before = rounds; performance.now() < end || rounds < before + 2;) {
      rounds++;
      try {
        await engine.up(program(rounds, roles), { refresh: true });
        await Promise.all([getGroups({ descendantsOf: root }), getRole({ name: "viewer" })]);
      } catch {
        failedRounds++;
      }
    }
    // Calls that a failed round left behind end first.
    await sleep(200);
    process.send?.(sample());
  }
  process.send?.("resting");
  // Nothing goes wrong from here on.
  process.once("message", () => {
    void engine.up(program(0, roles), { refresh: true }).then(() => {
      process.send?.({ uids: engine.state.map(({ id }) => id) });
      process.disconnect();
    });
  });
}

void live();
