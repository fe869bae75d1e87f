import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { Pool } from "undici";
import { Failure } from "../../scripts/lib/message.mjs";
import { figure, spread, table, target } from "../report/figures.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";

const product = createRequire(new URL("../../dist/provider/", import.meta.url));
const ROUNDS = 7;
const PAGE = 200;

/** A List of many pages, read by our client, by the same requests with undici alone, 8 at once, and page after page by cursor. */
export const list = {
  title: "List",

  async run({ quick }) {
    const count = quick ? 900 : 30_000;
    const platform = await EmulatorProcess.start();
    const pool = new Pool(platform.baseUrl, { connections: 8 });
    try {
      await platform.fill(count);
      const ways = {
        "our client": ourList(platform),
        "undici alone": () => byOffset(pool, platform),
        "cursor walk": () => byCursor(pool, platform),
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
      await pool.close();
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

  targets({ rows, samples }) {
    const [ours, alone, walk] = ["our client", "undici alone", "cursor walk"].map((way) => times(samples, way, 50));
    const over = (others) => others.map((seconds, round) => seconds / ours[round]);
    return [
      target(
        `list of ${figure(rows)} at 50 ms: time of undici alone over ours`,
        "at least 0.8",
        over(alone),
        (ratio) => ratio >= 0.8,
      ),
      target(
        `list of ${figure(rows)} at 50 ms: time of a cursor walk over ours`,
        "at least 5",
        over(walk),
        (ratio) => ratio >= 5,
      ),
    ];
  },
};

function times(samples, way, latencyMs) {
  return samples.filter((sample) => sample.way === way && sample.latencyMs === latencyMs).map(({ seconds }) => seconds);
}

function ourList({ baseUrl, environment, organization }) {
  const { connect, readConfiguration } = product("./credentials/index.js");
  const { identity } = product("./kinds/identity.js");
  const client = connect(readConfiguration({}, { ...environment, PLATFORM_BASE_URL: baseUrl }));
  return () => client.list(identity.collection, { descendantsOf: organization });
}

async function byCursor(pool, platform) {
  const rows = [];
  let token = "";
  do {
    const page = await pageOf(pool, platform, `page_token=${encodeURIComponent(token)}`);
    rows.push(...page.identities);
    token = page.nextPageToken;
  } while (token !== "");
  return rows;
}

async function byOffset(pool, platform) {
  const first = await pageOf(pool, platform, "skip=0");
  const others = Array.from({ length: Math.ceil(Number(first.totalCount) / PAGE) - 1 }, (_, n) =>
    pageOf(pool, platform, `skip=${(n + 1) * PAGE}`),
  );
  return [first, ...(await Promise.all(others))].flatMap((page) => page.identities);
}

async function pageOf(pool, { organization, token }, where) {
  const path = `/iam/v2beta1/identities?uidp.descendants_of=${encodeURIComponent(organization)}&page_size=${PAGE}&${where}`;
  const answer = await pool.request({ method: "GET", path, headers: { authorization: `Bearer ${token}` } });
  if (answer.statusCode !== 200) throw new Failure(`GET ${path}: ${answer.statusCode} ${await answer.body.text()}`);
  return answer.body.json();
}
