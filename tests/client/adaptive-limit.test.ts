import { AdaptiveLimit } from "../../provider/client/adaptive-limit";
import { PlatformError } from "../../provider/client/errors";
import { groups } from "../support/collections";
import { FakeClock } from "../support/fake-clock";
import { startServer } from "../support/http-double";
import { clientOf, group, rpcError } from "./support";

const refusal = () => Promise.reject(new PlatformError("RESOURCE_EXHAUSTED", "too many"));
const success = () => Promise.resolve();

test("a 429 halves the bound, calls that go through raise it again, and never above the ceiling or below one", async () => {
  const limit = new AdaptiveLimit(8);
  await expect(limit.run(refusal)).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  expect(limit.limit).toBe(4);
  for (let count = 0; count < 5; count++) await limit.run(success);
  expect(limit.limit).toBe(5);
  for (let count = 0; count < 100; count++) await limit.run(success);
  expect(limit.limit).toBe(8);
  for (let count = 0; count < 20; count++) await expect(limit.run(refusal)).rejects.toBeDefined();
  expect(limit.limit).toBe(1);
});

test("calls that were refused together halve the bound once", async () => {
  const limit = new AdaptiveLimit(16);
  await Promise.allSettled(Array.from({ length: 16 }, () => limit.run(refusal)));
  expect(limit.limit).toBe(8);
});

test("no more calls are in progress than the bound, and each gets its turn", async () => {
  const limit = new AdaptiveLimit(3);
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    done++;
  };
  await Promise.all(Array.from({ length: 50 }, () => limit.run(work)));
  expect({ most, done, running }).toEqual({ most: 3, done: 50, running: 0 });
});

test("a caller that has given up waits for no turn, and takes none from the others", async () => {
  const limit = new AdaptiveLimit(1);
  const running = Promise.withResolvers<undefined>();
  const first = limit.run(() => running.promise);
  const next = limit.run(success);
  await expect(limit.run(success, AbortSignal.abort())).rejects.toMatchObject({ code: "CALLER_ABORTED" });
  running.resolve(undefined);
  await Promise.all([first, next]);
});

/** A platform that accepts `most` requests at once and answers 429 to more. Answers only when the caller sends no more. */
async function startLimited(most: number) {
  const waiting: (() => void)[] = [];
  let [running, peak, refused] = [0, 0, 0];
  const server = await startServer(async (seen) => {
    if (running >= most) {
      refused++;
      return { ...rpcError(429, 8, "slow down"), headers: { "retry-after": "1" } };
    }
    peak = Math.max(peak, ++running);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      setTimeout(() => waiting.shift()?.(), 2);
    });
    running--;
    return { body: group(seen.path.split("/").at(-1) ?? "") };
  });
  return { url: server.url, peak: () => peak, refused: () => refused };
}

const uids = Array.from({ length: 200 }, (_, index) => `g${index}`);

test("against a platform that accepts four calls at once, two hundred succeed, each Retry-After obeyed", async () => {
  const clock = new FakeClock();
  const platform = await startLimited(4);
  const client = clientOf(platform.url, { clock, timing: { budgetMs: 1_000_000 } });
  const found = await Promise.all(uids.map((uid) => client.get(groups, uid)));
  expect(found.map((group) => group.uid)).toEqual(uids);
  expect(clock.slept).toHaveLength(platform.refused());
  expect(clock.slept.every((ms) => ms === 1_000)).toBe(true);
});

test.each([1, 3])(
  "with concurrency %d, no more calls are in progress, and a platform that accepts as many rejects none",
  async (most) => {
    const platform = await startLimited(most);
    const client = clientOf(platform.url, { concurrency: most });
    await Promise.all(uids.slice(0, 40).map((uid) => client.get(groups, uid)));
    expect({ peak: platform.peak(), refused: platform.refused() }).toEqual({ peak: most, refused: 0 });
  },
);
