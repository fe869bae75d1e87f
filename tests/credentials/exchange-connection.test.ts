import { Transport } from "../../provider/client/transport";
import { createTokenSource } from "../../provider/credentials";
import { type Answer, deadServer, startServer } from "../support/http-double";
import { configuration, goodOidcToken } from "./support";
import { expectFailure } from "../support/failures";

const mockWaits: (() => Promise<unknown>)[] = [];
const mockDelays: number[] = [];

/** The wait between two attempts takes no time; something happens in it instead. */
jest.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => {
    mockDelays.push(ms);
    return mockWaits.shift()?.() ?? Promise.resolve();
  },
}));

beforeEach(() => mockDelays.splice(0));
const success: Answer = { body: { token: "api-token-1" } };
const tokensOf = (url: string) => createTokenSource(configuration(url, { PLATFORM_OIDC_TOKEN: goodOidcToken() }));

test("an exchange that never connected is sent again", async () => {
  const server = await deadServer(() => success);
  mockWaits.push(() => server.listen());
  expect(await tokensOf(server.url).token()).toBe("api-token-1");
  expect(server.seen).toHaveLength(1);
});

test("an exchange whose connection was lost is sent again: minting twice does no harm", async () => {
  const { url, seen } = await startServer((_, count) => (count === 1 ? "reset" : success));
  expect(await tokensOf(url).token()).toBe("api-token-1");
  expect(seen).toHaveLength(2);
});

test("an outage that a call of the API survives does not fail the exchange", async () => {
  const outage: Answer = { status: 503, body: { code: 14, message: "restarting", details: [] } };
  const { url, seen } = await startServer((_, count) => (count < 6 ? outage : success));
  const call = new Transport({
    baseUrl: url,
    apiVersion: "v2",
    tokens: { token: () => Promise.resolve("token"), forget: () => false },
  });
  await call.call({ method: "GET", path: "/iam/{version}/groups", repetition: "repeatable" });
  const delaysOfCall = mockDelays.splice(0);
  expect(seen).toHaveLength(6);
  const exchanged = await startServer((_, count) => (count < 6 ? outage : success));
  expect(await tokensOf(exchanged.url).token()).toBe("api-token-1");
  // Each delay is random between a half and the whole of a time that doubles.
  const slots = (delays: number[]) => delays.map((delay) => Math.floor(Math.log2(delay / 100)));
  expect(slots(mockDelays)).toEqual(slots(delaysOfCall));
});

const busy = (seconds: number): Answer => ({ status: 429, headers: { "retry-after": String(seconds) }, body: { code: 8 } });

test("the time that the platform asks to wait is obeyed", async () => {
  const { url } = await startServer((_, count) => (count === 1 ? busy(30) : success));
  expect(await tokensOf(url).token()).toBe("api-token-1");
  expect(mockDelays).toEqual([30_000]);
});

test("a longer one than a run can wait is an error at once", async () => {
  const { url, seen } = await startServer(() => busy(3_600));
  await expectFailure(tokensOf(url).token(), "CREDENTIALS");
  expect(seen).toHaveLength(1);
});
