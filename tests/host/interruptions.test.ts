import { interruptionOf } from "../../provider/client/interruption";
import { Interruptions } from "../../provider/host/plugin/interruptions";

afterEach(() => {
  jest.useRealTimers();
});

test("the first cancel ends waits and lets what was sent finish, however long it takes; the second ends that too", async () => {
  jest.useFakeTimers();
  const interruptions = new Interruptions();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const signals: (AbortSignal | undefined)[] = [];
  const call = interruptions.within(0, () => {
    signals.push(interruptionOf("waits"), interruptionOf("sent"));
    return promise;
  });
  const aborted = () => signals.map((signal) => signal?.aborted);
  expect(aborted()).toEqual([false, false]);
  interruptions.cancel();
  jest.advanceTimersByTime(60_000);
  expect(aborted()).toEqual([true, false]);
  interruptions.cancel();
  expect(aborted()).toEqual([true, true]);
  resolve(undefined);
  await call;
});

test("the engine has given up on calls that were in progress at the second cancel, not on what had ended", async () => {
  const ended = new Interruptions();
  await ended.within(0, () => Promise.resolve());
  ended.cancel();
  ended.cancel();
  expect(ended.isCutShort).toBe(false);
  const interrupted = new Interruptions();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const call = interrupted.within(0, () => promise);
  interrupted.cancel();
  interrupted.cancel();
  resolve(undefined);
  await call;
  expect(interrupted.isCutShort).toBe(true);
  const waitedFor = new Interruptions();
  const waiting = waitedFor.within(0, () => Promise.resolve());
  waitedFor.cancel();
  expect(waitedFor.isCutShort).toBe(true);
  await waiting;
  waitedFor.cancel();
  expect(waitedFor.isCutShort).toBe(false);
});
