import { AdaptiveLimit } from "../../provider/client/adaptive-limit";
import { PlatformError } from "../../provider/client/errors";
import { groups } from "../support/collections";
import { cleanUp, clientOf, startServer } from "./support";

afterEach(cleanUp);

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

test("no more calls are under way than the bound, and all of them come to their turn", async () => {
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

test("against a platform that bears four calls at once, two hundred go through, and with fewer refusals as they go", async () => {
  let running = 0;
  const refusedAt: number[] = [];
  const server = await startServer(async (seen, count) => {
    const isTooMany = running >= 4;
    if (isTooMany) {
      refusedAt.push(count);
      return { status: 429, body: '{"code":8,"message":"slow down"}' };
    }
    running++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    running--;
    return { body: JSON.stringify({ uid: seen.path.split("/").at(-1), name: "g" }) };
  });
  const client = clientOf(server.url);
  const uids = Array.from({ length: 200 }, (_, index) => `g${index}`);
  const found = await Promise.all(uids.map((uid) => client.get(groups, uid)));
  expect(found.map((group) => group.uid)).toEqual(uids);
  const half = server.seen.length / 2;
  const [early, late] = [refusedAt.filter((count) => count <= half), refusedAt.filter((count) => count > half)];
  expect(late.length).toBeLessThan(early.length);
});
