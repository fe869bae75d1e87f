import { SharedQuestions } from "../../../provider/resources/sharing/shared-questions";
import { FakeClock } from "../../support/fake-clock";

/** A question whose answers the test gives. */
function questions(isAboutToJoin?: (key: string, waitedMs: number) => boolean) {
  const asked: { items: readonly string[]; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  let onAsked = () => {};
  const clock = new FakeClock();
  const ask = (items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    asked.push({ items, answer: resolve, fail: reject });
    onAsked();
    return promise;
  };
  const shared = new SharedQuestions<string, string>(clock, ask, isAboutToJoin);
  /** Resolves once the question number `count` was asked. */
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      onAsked = () => {
        if (asked.length >= count) resolve();
      };
      onAsked();
    });
  return { shared, asked, until, clock };
}

test("calls that wait together share one question, and a call during it gets the next one", async () => {
  const { shared, asked, until } = questions();
  const first = [shared.about("place", "a"), shared.about("place", "b")];
  await until(1);
  const later = [shared.about("place", "c"), shared.about("place", "d")];
  asked[0]?.answer("before");
  expect(await Promise.all(first)).toEqual(["before", "before"]);
  await until(2);
  asked[1]?.answer("after");
  expect(await Promise.all(later)).toEqual(["after", "after"]);
  expect(asked.map(({ items }) => items)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("a failure is shared by all who wait for it, and by no later call", async () => {
  const { shared, asked, until } = questions();
  const first = [shared.about("place", "a"), shared.about("place", "b")];
  await until(1);
  asked[0]?.fail(new Error("lost"));
  for (const call of first) await expect(call).rejects.toThrow("lost");
  const later = shared.about("place", "a");
  await until(2);
  asked[1]?.answer("here");
  expect(await later).toBe("here");
});

test("questions with different keys are sent at the same time", async () => {
  const { shared, asked, until } = questions();
  const both = [shared.about("place", "a"), shared.about("other place", "b")];
  await until(2);
  for (const { answer } of asked) answer("here");
  expect(await Promise.all(both)).toEqual(["here", "here"]);
});

test("a question waits for a call that is about to join", async () => {
  let looks = 0;
  const { shared, asked, until } = questions(() => {
    if (++looks === 3) void shared.about("place", "b");
    return looks < 4;
  });
  void shared.about("place", "a");
  await until(1);
  expect(asked[0]?.items).toEqual(["a", "b"]);
});

test("a question that waits for others tells how long it has waited", async () => {
  const { shared, until, clock } = questions((_key, waitedMs) => waitedMs < 1_000);
  void shared.about("place", "a");
  await until(1);
  expect(clock.now()).toBeGreaterThanOrEqual(1_000);
  expect(clock.now()).toBeLessThan(1_100);
});
