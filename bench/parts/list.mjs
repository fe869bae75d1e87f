import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { figure, spread, table, target } from "../report/figures.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { Bare } from "../systems/bare.mjs";

const product = createRequire(new URL("../../dist/provider/", import.meta.url));
const ROUNDS = 7;

/** A List of many pages: our client, the same requests by undici alone, and the cursor. */
export const list = {
  title: "List",

  async run({ quick }) {
    const count = quick ? 900 : 30_000;
    const platform = await EmulatorProcess.start();
    const bare = await Bare.create("bare", { platform, count });
    try {
      await platform.fill(count);
      const ways = {
        "our client": ourList(platform),
        "(b) bare undici, by offset": () => bare.list("identities"),
        "cursor walk": () => bare.walk("identities"),
      };
      const samples = [];
      for (const latencyMs of [0, 50]) {
        await platform.admin("PATCH", "settings", { latencyMs });
        for (let round = 0; round < ROUNDS; round++)
          for (const [way, read] of Object.entries(ways)) {
            const started = performance.now();
            const rows = await read();
            const seconds = (performance.now() - started) / 1000;
            // The first round opens connections and fetches the token.
            if (round > 0) samples.push({ way, latencyMs, round, seconds, rows: rows.length });
          }
      }
      return { rows: count / 3, samples };
    } finally {
      await bare.close();
      await platform.stop();
    }
  },

  report({ rows, samples }) {
    const ways = [...new Set(samples.map(({ way }) => way))];
    return [
      `Seconds for ${figure(rows)} identities, in pages of 200.`,
      table(
        ["", "latency 0", "latency 50 ms"],
        ways.map((way) => [way, ...[0, 50].map((latencyMs) => spread(times(samples, way, latencyMs)))]),
      ),
    ].join("\n\n");
  },

  targets({ rows = 10_000, samples = [] }) {
    const [ours, bare, walk] = ["our client", "(b) bare undici, by offset", "cursor walk"].map((way) => times(samples, way, 50));
    const over = (others) => others.map((seconds, round) => seconds / ours[round]);
    return [
      target(`list of ${figure(rows)} at 50 ms: speed over (b)`, "at least 0.8", over(bare), (ratio) => ratio >= 0.8),
      target(`list of ${figure(rows)} at 50 ms: speed over a cursor walk`, "about 6", over(walk), (ratio) => ratio >= 5),
    ];
  },
};

function times(samples, way, latencyMs) {
  return samples.filter((sample) => sample.way === way && sample.latencyMs === latencyMs).map(({ seconds }) => seconds);
}

function ourList({ baseUrl, environment, organization }) {
  const { connect, readConfiguration } = product("./credentials/index.js");
  const { identities } = product("./client/iam.js");
  const client = connect(readConfiguration({}, { ...environment, PLATFORM_BASE_URL: baseUrl }));
  return () => client.list(identities, { descendantsOf: organization });
}
