import { Rhythm } from "../../../cli/watch/rhythm";

/** A rhythm whose waits end at once, and the waits that it asked for. */
function rhythm(random: number, during: (made: Rhythm) => void = () => undefined) {
  const waits: { milliseconds: number; isEnded: boolean }[] = [];
  const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> => {
    if (waits.length === 0) during(made);
    waits.push({ milliseconds, isEnded: signal.aborted });
    return Promise.resolve();
  };
  const made = new Rhythm(100_000, sleep, () => random);
  return { made, waits };
}

test.each([
  [0, 90_000],
  [0.5, 100_000],
  [1, 110_000],
])("with chance %d the interval of 100 s takes %d ms", async (random, whole) => {
  const { made, waits } = rhythm(random);
  await made.pause(new AbortController().signal);
  expect(waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(whole);
});

test("an event ends the wait, but never the least one, and only once", async () => {
  const { made, waits } = rhythm(0.5, (each) => {
    each.wake();
    each.wake();
  });
  const { signal } = new AbortController();
  await made.pause(signal);
  expect(waits).toEqual([
    { milliseconds: 5_000, isEnded: false },
    { milliseconds: 95_000, isEnded: true },
  ]);
  await made.pause(signal);
  expect(waits.slice(2).map(({ isEnded }) => isEnded)).toEqual([false, false]);
});

test("an event during a look is about what that look may have missed: the next one comes soon", async () => {
  const { made, waits } = rhythm(0.5);
  made.wake();
  await made.pause(new AbortController().signal);
  expect(waits[1]?.isEnded).toBe(true);
});

test("the end of the watch ends every wait", async () => {
  const { made, waits } = rhythm(0.5);
  await made.pause(AbortSignal.abort());
  expect(waits.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});
