import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { TestPlatform } from "../support/test-platform";
import { seen } from "./reconciler";
import { writeFigures } from "./figures";
import type { Sample } from "./long-life-process";
import { Random } from "./random";

jest.setTimeout(3_600_000);

const seed = 20_261_121;
const durationMs = 600_000;

const platform = TestPlatform.forFile();

beforeAll(async () => {
  await platform.settings({ apiTokenLifetimeSeconds: 2 });
});

/** The faults, one after another. A deadline must not be the only end of one, because data sources wait for theirs of 30 s. */
const faults: object[] = [
  { status: 429, code: 8 },
  { status: 429, code: 8, headers: { "retry-after": "0" } },
  { status: 503, code: 14 },
  { status: 401, code: 16 },
  { reset: "before" },
  { reset: "after" },
  { truncate: true },
  { status: 502, body: "<html>Bad FaultProxy</html>", contentType: "text/html" },
];

/** Starts the process, which is written in TypeScript as the tests are. */
function start(root: string): ChildProcess {
  const script = path.join(__dirname, "long-life-process.ts");
  const options = { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } };
  const loader = `
    const { transformFileSync } = require("@swc/core");
    require.extensions[".ts"] = (module, file) => module._compile(transformFileSync(file, ${JSON.stringify(options)}).code, file);
    require(${JSON.stringify(script)});`;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS|NODE|JEST)_/.test(name));
  return spawn(process.execPath, ["--expose-gc", "-e", loader], {
    cwd: path.resolve(__dirname, "../.."),
    env: {
      ...Object.fromEntries(inherited),
      ...platform.environment,
      PLATFORM_ORGANIZATION: root,
      DURATION_MS: String(durationMs),
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

/** Lets something go wrong now and then until `isOver`. */
async function trouble(random: Random, isOver: () => boolean): Promise<Record<string, number>> {
  const injected: Record<string, number> = {};
  while (!isOver()) {
    await platform.clearFaults();
    await platform.clearRequests();
    const fault = random.of(faults);
    await platform.fault({ path: "^/(iam|sts)/" }, fault, { skip: random.between(0, 5), times: random.between(1, 3) });
    if (random.between(0, 9) === 0) await platform.admin("POST", "revocations");
    const label = JSON.stringify(fault);
    injected[label] = (injected[label] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, random.between(50, 250)));
  }
  await platform.clearFaults();
  return injected;
}

/** The reports of the process, once it has ended. */
async function liveThrough(root: string) {
  const child = start(root);
  const samples: Sample[] = [];
  let uids: string[] = [];
  let isOver = false;
  let injected: Promise<Record<string, number>> | undefined;
  child.on("message", (message: Sample | "ready" | "resting" | { uids: string[] }) => {
    if (message === "ready") injected = trouble(new Random(seed), () => isOver);
    else if (message === "resting") {
      isOver = true;
      void injected?.then(() => child.send("end"));
    } else if ("uids" in message) uids = message.uids;
    else samples.push(message);
  });
  const [code] = (await once(child, "exit")) as [number];
  isOver = true;
  return { code, uids, samples, faults: await injected };
}

test(`${durationMs / 1000} s of reconciling with tokens of 2 s and rolling faults leave neither memory nor sockets behind`, async () => {
  const root = (await platform.create("groups", platform.root, { name: "long life" })).uid;
  const { code, uids, samples, faults } = await liveThrough(root);
  // The first quarter warms up: code is compiled, pools fill.
  const settled = samples.slice(samples.length / 4);
  const early = settled.slice(0, settled.length / 3);
  const late = settled.slice(-early.length);
  // Calls of a failed round may still be in progress at a sample; what leaks is there at every one.
  const heap = (of: Sample[]) => Math.min(...of.map(({ heapBytes }) => heapBytes));
  const most = (of: Sample[], what: "sockets" | "timers") => Math.max(...of.map((sample) => sample[what]));
  const last = samples.at(-1);
  await writeFigures("long-life", {
    seed,
    seconds: durationMs / 1000,
    rounds: last?.rounds,
    failedRounds: last?.failedRounds,
    unhandledRejections: last?.unhandledRejections,
    heapBytes: [heap(early), heap(late)],
    sockets: [most(early, "sockets"), most(late, "sockets")],
    timers: [most(early, "timers"), most(late, "timers")],
    faults,
    samples,
  });
  expect(code).toBe(0);
  expect(last?.unhandledRejections).toBe(0);
  // A run in which nothing happened would show nothing.
  const between = (last?.rounds ?? 0) - (settled[0]?.rounds ?? 0);
  expect(between).toBeGreaterThanOrEqual(10);
  // The engine of the language still compiles and profiles for about a thousand rounds, which costs up to 3 kB a round
  // and then ends. The short form finds what leaks more than that; the long one, 100 bytes a round.
  expect(heap(late) - heap(early)).toBeLessThan(Math.min(1_500_000, 600_000 + 3_000 * between));
  expect(most(late, "sockets")).toBeLessThanOrEqual(most(early, "sockets") + 4);
  expect(most(late, "timers")).toBeLessThanOrEqual(most(early, "timers") + 4);
  expect(uids).toHaveLength(4);
  expect((await seen(platform, root)).uids.sort()).toEqual(uids.sort());
});
