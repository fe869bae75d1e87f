import { retryAfter } from "../../provider/client/answer";
import { PlatformError } from "../../provider/client/errors";
import { interruptedBy } from "../../provider/client/interruption";
import { groups } from "../support/collections";
import { FakeClock } from "../support/fake-clock";
import { startServer } from "../support/http-double";
import { clientOf, errorOf, fixedToken, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

const busy = (header: string, more: Record<string, string> = {}) => ({
  ...rpcError(503, 14, "maintenance"),
  headers: { "retry-after": header, ...more },
});

describe("Retry-After", () => {
  const now = Date.UTC(2030, 0, 1);

  test.each([
    ["7", 7_000],
    ["0", 0],
    [" 2 ", 2_000],
    ["-3", 0],
    ["Tue, 01 Jan 2030 00:00:09 GMT", 9_000],
    ["Mon, 31 Dec 2029 23:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    ["Infinity", undefined],
    [undefined, undefined],
  ])("%j is %j milliseconds", (header, expected) => {
    expect(retryAfter(header, now)).toBe(expected);
  });

  test.each([
    ["in seconds", busy("7")],
    ["as a date by the platform's own clock", busy("Tue, 01 Jan 2030 00:00:07 GMT", { date: "Tue, 01 Jan 2030 00:00:00 GMT" })],
  ])("is obeyed %s", async (_, refusal) => {
    const clock = new FakeClock();
    const server = await startServer((_seen, count) => (count === 1 ? refusal : { body: group("a") }));
    await clientOf(server.url, { clock }).get(groups, "a");
    expect(clock.slept).toEqual([7_000]);
  });

  test.each(["86400", "99999999999", "Wed, 01 Jan 3000 00:00:00 GMT"])(
    "of %s is beyond the budget: the platform's own error at once",
    async (header) => {
      const clock = new FakeClock();
      const server = await startServer(() => busy(header));
      const error = await errorOf(clientOf(server.url, { clock }).get(groups, "a"));
      expect(error).toMatchObject({ code: "UNAVAILABLE", status: 503, fromPlatform: true });
      expect(error.message).toContain("maintenance");
      expect(server.seen).toHaveLength(1);
      expect(clock.slept).toEqual([]);
    },
  );

  test("of 0 causes no storm of attempts", async () => {
    const clock = new FakeClock();
    const server = await startServer(() => busy("0"));
    await expectFailure(clientOf(server.url, { clock }).get(groups, "a"), "UNAVAILABLE");
    expect(server.seen).toHaveLength(clock.slept.length + 1);
    expect(clock.slept.length).toBeGreaterThan(1);
    expect(Math.min(...clock.slept)).toBeGreaterThanOrEqual(100);
  });
});

describe("RetryInfo", () => {
  const refusal = (retryDelay: unknown, headers: Record<string, string> = {}) => ({
    ...rpcError(503, 14, "maintenance", [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }]),
    headers,
  });

  async function waited(answer: ReturnType<typeof refusal>): Promise<number[]> {
    const clock = new FakeClock();
    const server = await startServer((_seen, count) => (count === 1 ? answer : { body: group("a") }));
    await clientOf(server.url, { clock }).get(groups, "a");
    return clock.slept;
  }

  test.each([
    ["7s", {}, 7_000],
    ["7.500s", {}, 7_500],
    ["3.000000001s", {}, 3_001],
    ["7s", { "retry-after": "9" }, 9_000],
    ["9s", { "retry-after": "7" }, 9_000],
    ["9s", { "retry-after": "soon" }, 9_000],
    ["soon", { "retry-after": "7" }, 7_000],
  ])("of %j, with headers %j, is obeyed as Retry-After is", async (delay, headers, expected) => {
    expect(await waited(refusal(delay, headers))).toEqual([expected]);
  });

  test.each(["-7s", "7", "NaNs", "Infinitys", "1e3s", "0x7s", " 7s", "9999999999999s", "", 7, { seconds: 7 }, null])(
    "of %j is no duration: the usual delay",
    async (delay) => {
      const [slept = 0] = await waited(refusal(delay));
      expect(slept).toBeLessThan(1_000);
    },
  );

  test("beyond the budget: the platform's own error at once", async () => {
    const clock = new FakeClock();
    const server = await startServer(() => refusal("315576000000s"));
    expect(await errorOf(clientOf(server.url, { clock }).get(groups, "a"))).toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
      fromPlatform: true,
    });
    expect(server.seen).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });
});

describe("the deadline", () => {
  test.each([
    ["no answer", "silence" as const],
    ["an answer that never ends", { body: group("a"), stallAfter: 3 }],
  ])("of an attempt covers %s", async (_, fault) => {
    const server = await startServer(() => fault);
    const clock = new FakeClock();
    await expectFailure(
      clientOf(server.url, { clock, timing: { attemptMs: 50 } }).create(groups, "a", {}),
      "TIMEOUT",
      "within 0.05 s",
    );
    expect(clock.now()).toBe(50);
  });

  test.each([130, 133.7])("of a call, %d ms, covers all its attempts", async (budgetMs) => {
    const clock = new FakeClock();
    const server = await startServer(() => "silence");
    const timing = { attemptMs: 50, budgetMs, firstDelayMs: 1, longestDelayMs: 4 };
    await expectFailure(clientOf(server.url, { timing, clock }).get(groups, "a"), "TIMEOUT", /within 0\.0[23]\d* s/);
    expect(server.seen).toHaveLength(3);
    expect(clock.now()).toBeLessThanOrEqual(budgetMs + 1);
  });

  test("of a call that passes while it waits for another token: the error is that of what was sent", async () => {
    const clock = new FakeClock();
    const server = await startServer(() => busy("1"));
    let fetches = 0;
    const tokens = {
      token: () => {
        if (++fetches > 1) void clock.pass(120_000);
        return Promise.resolve("slow-token");
      },
      forget: () => false,
    };
    const error = await expectFailure(clientOf(server.url, { tokens, clock }).delete(groups, "a"), "UNAVAILABLE");
    expect(error.message).not.toContain("Nothing was sent");
    expect(server.seen).toHaveLength(1);
  });

  test.each([["a token"], ["other calls"]])("of the caller names itself when it passes during the wait for %s", async (what) => {
    const server = await startServer(() => "silence" as const);
    const ending = new AbortController();
    const passes = () => {
      ending.abort(new PlatformError("CALLER_ABORTED", "The time limit of 3 s has passed."));
      return new Promise<never>(() => undefined);
    };
    const tokens = { token: () => (what === "a token" ? passes() : fixedToken().token()), forget: () => false };
    const client = clientOf(server.url, { tokens, concurrency: 1 });
    const first = what === "a token" ? undefined : errorOf(client.get(groups, "a"));
    const limited = interruptedBy({ waits: ending.signal, sent: ending.signal }, () => client.update(groups, "a", {}, ["name"]));
    if (first !== undefined) void passes();
    await expectFailure(limited, "CALLER_ABORTED", "The time limit of 3 s has passed.");
    await first;
  });

  test("of an attempt does not count the wait for a token", async () => {
    const server = await startServer(() => ({ body: group("a") }));
    const clock = new FakeClock();
    const slow = { token: () => clock.sleep(40_000).then(() => "slow-token"), forget: () => false };
    await clientOf(server.url, { tokens: slow, clock }).get(groups, "a");
    expect(server.seen).toHaveLength(1);
  });
});

describe("a caller's signal", () => {
  const cancelled = { code: "CALLER_ABORTED" };

  test("ends a call that waits for its answer", async () => {
    const controller = new AbortController();
    const server = await startServer(() => {
      controller.abort();
      return "silence";
    });
    expect(await errorOf(clientOf(server.url).get(groups, "a", { signal: controller.signal }))).toMatchObject(cancelled);
  });

  test("ends a call that waits for its next attempt", async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const server = await startServer(() => busy("60"));
    const client = clientOf(server.url, { clock });
    void clock.sleep(59_000).then(() => controller.abort());
    expect(await errorOf(client.get(groups, "a", { signal: controller.signal }))).toMatchObject(cancelled);
    expect(server.seen).toHaveLength(1);
  });

  test("ends a call that waits for a token", async () => {
    const controller = new AbortController();
    const server = await startServer(() => ({ body: group("a") }));
    const asking = { token: () => (controller.abort(), new Promise<string>(() => undefined)), forget: () => false };
    const client = clientOf(server.url, { tokens: asking });
    expect(await errorOf(client.get(groups, "a", { signal: controller.signal }))).toMatchObject(cancelled);
    expect(server.seen).toHaveLength(0);
  });

  test("that fired before keeps a call from being sent, and its token from being fetched", async () => {
    const server = await startServer(() => ({ body: group("a") }));
    let fetches = 0;
    const tokens = { ...fixedToken(), token: () => Promise.resolve(`token-number-${++fetches}`) };
    const client = clientOf(server.url, { tokens });
    expect(await errorOf(client.create(groups, "a", {}, { signal: AbortSignal.abort() }))).toMatchObject(cancelled);
    expect(server.seen).toHaveLength(0);
    expect(fetches).toBe(0);
  });

  test("ends a list between its pages, and no page is asked after it", async () => {
    const controller = new AbortController();
    const server = await startServer((_, count) => {
      if (count === 3) controller.abort();
      return { body: { groups: [group(`g${count}`)], nextPageToken: `t${count}` } };
    });
    const list = clientOf(server.url).list(groups, {}, { signal: controller.signal });
    expect(await errorOf(list)).toMatchObject(cancelled);
    expect(server.seen).toHaveLength(3);
  });

  test("is let go of when the call is over", async () => {
    const server = await startServer(() => ({ body: group("a") }));
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, "addEventListener");
    const removed = jest.spyOn(signal, "removeEventListener");
    await clientOf(server.url).get(groups, "a", { signal });
    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});
