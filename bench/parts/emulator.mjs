import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Pool } from "undici";
import { announce } from "../../scripts/lib/message.mjs";
import { stateFolder } from "../../scripts/lib/paths.mjs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, median, spread, table, target } from "../report/figures.mjs";

const CONNECTIONS = 16;
const ROUNDS = 3;
const PAGES = 21;

/** The emulator itself, on a database file, asked by a client on the same machine. */
export const emulator = {
  title: "Emulator",

  async run({ quick, save }) {
    const [seconds, crowd] = quick ? [0.5, 1_000] : [4, 100_000];
    const folder = join(stateFolder, "bench", `emulator-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const platform = await EmulatorProcess.start({ data: join(folder, "platform.db") });
    const pool = new Pool(platform.baseUrl, { connections: CONNECTIONS });
    const ask = asker(pool, platform);
    try {
      const rates = { reads: [], creates: [], updates: [], deletes: [] };
      for (let round = 0; round < ROUNDS; round++) await measureRates(ask, platform, seconds, rates);
      await save({ crowd, rates, pages: {} });
      await announce(`  filling an organisation with ${figure(crowd)} objects`, () => platform.fill(crowd));
      return { crowd, rates, pages: await pageTimes(ask, platform) };
    } finally {
      await pool.close();
      await platform.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },

  report({ crowd, rates, pages }) {
    return [
      `${CONNECTIONS} connections at once; the client takes its share of the same cores.`,
      table(
        ["", "per second"],
        Object.entries(rates).map(([what, values]) => [what, spread(values)]),
      ),
      `A page of 200 in an organisation of ${figure(crowd)} objects, one after another (median, slowest):`,
      table(
        ["page", "milliseconds"],
        Object.entries(pages).map(([page, values]) => [page, `${figure(median(values))}, ${figure(Math.max(...values))}`]),
      ),
    ].join("\n\n");
  },

  targets({ crowd = 100_000, rates = { reads: [], creates: [], updates: [] }, pages = {} }) {
    const slowest = Object.values(pages).map(median);
    return [
      target("emulator: reads per second", "at least 3,000", rates.reads, (rate) => rate >= 3_000),
      target("emulator: creates per second", "at least 1,500", rates.creates, (rate) => rate >= 1_500),
      target("emulator: updates per second", "at least 1,500", rates.updates, (rate) => rate >= 1_500),
      target(
        `emulator: milliseconds of the slowest List page of 200 among ${figure(crowd)}`,
        "at most 15",
        slowest.length > 0 ? [Math.max(...slowest)] : [],
        (ms) => ms <= 15,
      ),
    ];
  },
};

async function measureRates(ask, { organization }, seconds, rates) {
  const parent = (await ask("POST", `groups/${organization}`, { name: `load ${performance.now()}` })).uid;
  const made = [];
  let n = 0;
  const create = async () => made.push((await ask("POST", `groups/${parent}`, { name: `group-${n++}` })).uid);
  const any = () => made[n++ % made.length];
  rates.creates.push(await rate(seconds, create));
  rates.reads.push(await rate(seconds, () => ask("GET", `groups/${any()}`)));
  rates.updates.push(
    await rate(seconds, () => ask("PATCH", `groups/${any()}?updateMask=description`, { description: `at ${n}` })),
  );
  rates.deletes.push(
    await rate(
      seconds,
      () => (made.length > 0 ? ask("DELETE", `groups/${made.pop()}`) : undefined),
      () => made.length > 0,
    ),
  );
}

/** Calls per second, every connection busy. */
async function rate(seconds, call, isWorkLeft = () => true) {
  const started = performance.now();
  let calls = 0;
  const worker = async () => {
    for (; performance.now() - started < seconds * 1000 && isWorkLeft(); calls++) await call();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return calls / ((performance.now() - started) / 1000);
}

/** Milliseconds of single pages, of the kinds and shapes that Lists take. */
async function pageTimes(ask, { organization }) {
  const scope = `uidp.descendants_of=${encodeURIComponent(organization)}&page_size=200`;
  const shapes = {
    "first page": "",
    "in the middle, by offset": "&skip=HALF",
    "in the middle, by cursor": "&page_token=TOKEN",
    "newest first": "&order_by=created_at%20desc",
  };
  const times = {};
  for (const segment of ["groups", "identities", "roleBindings"]) {
    const total = Number((await ask("GET", `${segment}?${scope}`)).totalCount);
    const half = Math.floor(total / 2);
    const token = (await ask("GET", `${segment}?${scope}&skip=${Math.max(0, half - 200)}`)).nextPageToken;
    for (const [shape, more] of Object.entries(shapes)) {
      const path = `${segment}?${scope}${more.replace("HALF", half).replace("TOKEN", encodeURIComponent(token))}`;
      const taken = (times[`${segment}, ${shape}`] = []);
      for (let page = 0; page < PAGES; page++) {
        const started = performance.now();
        await ask("GET", path);
        taken.push(performance.now() - started);
      }
    }
  }
  return times;
}

function asker(pool, { token }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (method, path, body) => {
    const answer = await pool.request({ method, path: `/iam/v2beta1/${path}`, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}
