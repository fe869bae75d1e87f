import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, spread, table, target } from "../report/figures.mjs";

const product = createRequire(new URL("../../dist/cli/", import.meta.url));
const ROUNDS = 3;
/** Requests at once of both ways. */
const AT_ONCE = 16;

/** Drift of a whole organisation: by Lists, as `pulumi-platform drift` reads, and object by object, as drift tools of clouds do. */
export const drift = {
  title: "Drift",

  async run({ quick }) {
    const count = quick ? 900 : 10_000;
    const platform = await EmulatorProcess.start();
    try {
      await platform.fill(count);
      const { lists, single, objects } = await waysFor(platform);
      const samples = [];
      for (const latencyMs of [0, 50]) {
        await platform.admin("PATCH", "settings", { latencyMs });
        for (let round = 0; round <= ROUNDS; round++)
          for (const [way, read] of [
            ["drift", lists],
            ["full read", single],
          ]) {
            const started = performance.now();
            const { requests, findings } = await read();
            const seconds = (performance.now() - started) / 1000;
            // The first round opens connections and fetches the token.
            if (round > 0) samples.push({ way, latencyMs, round, seconds, requests, findings: findings.length });
          }
      }
      return { objects, samples };
    } finally {
      await platform.stop();
    }
  },

  report({ objects, samples }) {
    return [
      `Seconds for an organisation of ${figure(objects)} objects of which a state has every one, ${AT_ONCE} requests at once. A full read ` +
        "gets each object by itself and compares nothing.",
      table(
        ["", "requests", "latency 0", "latency 50 ms"],
        ["drift", "full read"].map((way) => [
          way,
          figure(of(samples, way, 50, "requests")[0]),
          ...[0, 50].map((latencyMs) => spread(of(samples, way, latencyMs, "seconds"))),
        ]),
      ),
    ].join("\n\n");
  },

  targets({ objects = 10_000, samples = [] }) {
    const [ours, full] = ["drift", "full read"].map((way) => of(samples, way, 50, "seconds"));
    const ratios = full.map((seconds, round) => seconds / ours[round]);
    const requests = of(samples, "drift", 50, "requests").slice(0, 1);
    return [
      target(`requests of drift of ${figure(objects)}`, "at most 120", requests, (number) => number <= 120),
      target(`drift of ${figure(objects)} at 50 ms: a full read over ours`, "at least 5", ratios, (ratio) => ratio >= 5),
    ];
  },
};

function of(samples, way, latencyMs, member) {
  return samples.filter((sample) => sample.way === way && sample.latencyMs === latencyMs).map((sample) => sample[member]);
}

async function waysFor({ baseUrl, environment, organization }) {
  const { connect, readConfiguration } = product("../provider/credentials/index.js");
  const { readInventory } = product("../inventory/platform.js");
  const { readStates } = product("../inventory/state.js");
  const { kindNamed } = product("../inventory/kinds.js");
  const { findDrift } = product("../drift/compare.js");
  const settings = { "platform:concurrency": String(AT_ONCE) };
  const client = connect(readConfiguration(settings, { ...environment, PLATFORM_BASE_URL: baseUrl }));
  const { objects } = await readInventory(client, organization);
  const all = objects.all.filter(({ uid }) => uid !== organization);
  const state = JSON.stringify({ version: 3, deployment: { resources: all.map(resourceOf) } });
  return {
    objects: all.length,
    async lists() {
      const inventory = await readInventory(client, organization);
      return findDrift(inventory, readStates(new Map([["state", state]])), Date.now());
    },
    async single() {
      const before = client.requests;
      await Promise.all(all.map(({ kind, uid }) => client.get(kindNamed(kind).collection, uid)));
      return { requests: client.requests - before, findings: [] };
    },
  };

  function resourceOf({ kind, uid, value }) {
    const type = `pulumi-nodejs:dynamic/platform/${kind}`;
    return { urn: `urn:pulumi:bench::bench::${type}::${uid}`, custom: true, type, id: uid, inputs: value, outputs: value };
  }
}
