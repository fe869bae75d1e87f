import { monotonicClock } from "../../provider/client/clock";
import { type Attempt, pollUntil } from "../../provider/client/wait";
import { FakeClock } from "../support/fake-clock";

const pending = <Reason>(value: Reason) => Promise.resolve({ state: "pending", value } as const);
const target = <Result>(value: Result) => Promise.resolve({ state: "target", value } as const);

test("a target that is reached at once is returned without a delay", async () => {
  const clock = new FakeClock();
  const state = await pollUntil({ timeoutMs: 100, delayMs: 10, clock }, () => target("done"));
  expect(state).toEqual({ state: "target", value: "done" });
  expect(clock.slept).toEqual([]);
});

test("the probe runs again after each delay until it reaches its target", async () => {
  const clock = new FakeClock();
  const attempts: Attempt[] = [];
  const state = await pollUntil<number, string>({ timeoutMs: 100, delayMs: 10, clock }, (attempt) => {
    attempts.push(attempt);
    return attempt.count < 3 ? pending("not yet") : target(attempt.count);
  });
  expect(state).toEqual({ state: "target", value: 3 });
  expect(attempts).toEqual([
    { count: 1, elapsedMs: 0, timeLeftMs: 100 },
    { count: 2, elapsedMs: 10, timeLeftMs: 90 },
    { count: 3, elapsedMs: 20, timeLeftMs: 80 },
  ]);
});

test("a delay that would pass the timeout times out at once, with the last reason", async () => {
  const clock = new FakeClock();
  const state = await pollUntil({ timeoutMs: 25, delayMs: 10, clock }, ({ count }) => pending(`reason ${count}`));
  expect(state).toEqual({ state: "pending", value: "reason 3" });
  expect(clock.slept).toEqual([10, 10]);
});

test("with a last probe the delay is shortened, and the probe runs exactly once at the timeout", async () => {
  const clock = new FakeClock();
  const at: number[] = [];
  const state = await pollUntil({ timeoutMs: 25, delayMs: 10, lastProbe: "at timeout", clock }, ({ elapsedMs, count }) => {
    at.push(elapsedMs);
    return pending(count);
  });
  expect(state).toEqual({ state: "pending", value: 4 });
  expect(at).toEqual([0, 10, 20, 25]);
});

test("an endless delay is no attempt more, or one look at the timeout", async () => {
  const clock = new FakeClock();
  let probes = 0;
  const probe = () => pending(++probes);
  await pollUntil({ timeoutMs: 25, delayMs: Infinity, clock }, probe);
  expect([probes, clock.slept]).toEqual([1, []]);
  await pollUntil({ timeoutMs: 25, delayMs: Infinity, lastProbe: "at timeout", clock }, probe);
  expect([probes, clock.slept]).toEqual([3, [25]]);
});

test("without any time the probe still runs once", async () => {
  for (const timeoutMs of [0, -5]) {
    let probes = 0;
    const options = { timeoutMs, delayMs: 10, lastProbe: "at timeout", clock: new FakeClock() } as const;
    expect(await pollUntil(options, () => pending(++probes))).toEqual({ state: "pending", value: 1 });
  }
});

test("the time that a probe itself takes counts, and its delay starts when it ends", async () => {
  const clock = new FakeClock();
  const at: number[] = [];
  const slow = ({ elapsedMs }: Attempt) => {
    at.push(elapsedMs);
    void clock.pass(40);
    return pending("slow");
  };
  expect(await pollUntil({ timeoutMs: 100, delayMs: 10, clock }, slow)).toMatchObject({ state: "pending" });
  expect(at).toEqual([0, 50]);
});

test("the delay may follow from the reason and the attempt", async () => {
  const clock = new FakeClock();
  const delayMs = (reason: { afterMs: number }, { count }: Attempt) => reason.afterMs * count;
  await pollUntil({ timeoutMs: 100, delayMs, clock }, ({ count }) => (count < 4 ? pending({ afterMs: 5 }) : target("done")));
  expect(clock.slept).toEqual([5, 10, 15]);
});

test("what the probe throws ends the wait at once", async () => {
  const clock = new FakeClock();
  const failure = new Error("final");
  const wait = pollUntil({ timeoutMs: 100, delayMs: 10, clock }, ({ count }) =>
    count < 2 ? pending("not yet") : Promise.reject(failure),
  );
  await expect(wait).rejects.toBe(failure);
  expect(clock.slept).toEqual([10]);
});

test("a signal that aborts during a delay cancels the wait, and the cause is the last reason", async () => {
  const controller = new AbortController();
  let probes = 0;
  const wait = pollUntil({ timeoutMs: 60_000, delayMs: 30_000, signal: controller.signal, clock: monotonicClock }, () => {
    probes++;
    setImmediate(() => {
      controller.abort();
    });
    return pending("busy");
  });
  await expect(wait).rejects.toMatchObject({ code: "CALLER_ABORTED", cause: "busy" });
  expect(probes).toBe(1);
});
