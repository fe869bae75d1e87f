import { z } from "zod";
import { PlatformError } from "../../provider/client/errors";
import { groups } from "../support/collections";
import type { PlatformClient } from "../../provider/client/client";
import { delayBefore, defaultTiming } from "../../provider/client/retry";
import { deadServer, type Reaction, startServer, startTcpServer } from "../support/http-double";
import { clientOf, errorOf, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

const calls = {
  GET: (client: PlatformClient) => client.get(groups, "root/a"),
  POST: (client: PlatformClient) => client.create(groups, "root", { name: "a" }),
  PATCH: (client: PlatformClient) => client.update(groups, "root/a", { name: "a" }, ["name"]),
  DELETE: (client: PlatformClient) => client.delete(groups, "root/a"),
};
type Method = keyof typeof calls;
const call = (method: Method, client: PlatformClient): Promise<unknown> => calls[method](client);

const repeatable: Method[] = ["GET", "PATCH", "DELETE"];
const all: Method[] = [...repeatable, "POST"];
const html = (status: number): Reaction => ({ status, headers: { "content-type": "text/html" }, body: "<h1>no</h1>" });

const passing: [string, Reaction][] = [
  ["502", html(502)],
  ["503", rpcError(503, 14)],
  ["503 of a proxy", html(503)],
  ["504", rpcError(504, 4)],
  ["504 of a proxy", html(504)],
  ["409, aborted", rpcError(409, 10)],
  ["an aborted call, whatever the HTTP status", rpcError(400, 10)],
  ["409 of a proxy", html(409)],
  ["409 with a code that is none", { status: 409, body: { code: 99, message: "busy" } }],
  ["a reset connection", "reset"],
  ["an answer that is cut off", { body: group("root/a"), cutAfter: 5 }],
  ["no answer within the deadline", "silence"],
  ["an answer that stalls", { body: group("root/a"), stallAfter: 5 }],
];
const refused: [string, Reaction][] = [
  ["429", rpcError(429, 8)],
  ["429 of a proxy", html(429)],
];
const final: [string, Reaction][] = [
  ["400", rpcError(400, 3)],
  ["403", rpcError(403, 7)],
  ["404", rpcError(404, 5)],
  ["409", rpcError(409, 6)],
  ["a code of an existing object, whatever the HTTP status", rpcError(503, 6)],
  ["412 as the platform says it", rpcError(400, 9)],
  ["500", rpcError(500, 13)],
  ["500, unknown", rpcError(500, 2)],
  ["500 of a proxy", html(500)],
  ["501", rpcError(501, 12)],
  ["HTML instead of an answer", html(200)],
];

const over = (methods: Method[], faults: [string, Reaction][]) =>
  methods.flatMap((method) => faults.map(([name, fault]) => [method, name, fault] as const));

describe("a call is sent again", () => {
  test.each([...over(repeatable, passing), ...over(all, refused)])("%s after %s", async (method, _, fault) => {
    const server = await startServer((_seen, count) => (count < 3 ? fault : { body: group("root/a") }));
    await call(method, clientOf(server.url));
    expect(server.seen.map((seen) => seen.method)).toEqual([method, method, method]);
    expect(new Set(server.seen.map((seen) => seen.url + seen.body)).size).toBe(1);
  });

  test.each(all)("%s after a connection that was refused", async (method) => {
    const sends: number[] = [];
    const client = clientOf((await deadServer()).url);
    const action = method === "POST" ? client.create(groups, "root", {}, { onSend: () => sends.push(1) }) : call(method, client);
    await expectFailure(action, "NOT_CONNECTED", /cannot connect \(ECONNREFUSED\)/);
    if (method === "POST") expect(sends).toHaveLength(6);
  });

  test("after a refused connection by each name of this machine", async () => {
    await expectFailure(clientOf(`http://localhost:${(await deadServer()).port}`).get(groups, "a"), "NOT_CONNECTED");
  });

  test.each(["GET", "POST"] as const)("at most six times without a Retry-After (%s)", async (method) => {
    const server = await startServer(() => rpcError(429, 8, "too many"));
    expect(await errorOf(call(method, clientOf(server.url)))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      status: 429,
      fromPlatform: true,
    });
    expect(server.seen).toHaveLength(6);
  });
});

test.each([
  ["a List", (client: PlatformClient) => client.list(groups, {})],
  [
    "a question with a body",
    (client: PlatformClient) => client.ask(groups, "root", { action: "a", body: {}, answer: z.unknown() }),
  ],
])("%s is sent again after a conflict", async (_, send) => {
  const rows = { groups: [], nextPageToken: "", totalCount: "0", skipped: 0 };
  const server = await startServer((_seen, count) => (count < 3 ? rpcError(409, 10) : { body: rows }));
  await send(clientOf(server.url));
  expect(server.seen).toHaveLength(3);
});

test("a conflict that lasts is the error at the end, after the budget, for every verb that is sent again", async () => {
  for (const method of repeatable) {
    const server = await startServer(() => rpcError(409, 10, "busy"));
    const error = await expectFailure(call(method, clientOf(server.url)), "ABORTED", /busy/);
    expect([error["status"], server.seen.length]).toEqual([409, 6]);
  }
});

describe("a call is sent once", () => {
  test.each([...over(["POST"], passing), ...over(all, final)])("%s after %s", async (method, _, fault) => {
    const server = await startServer(() => fault);
    await errorOf(call(method, clientOf(server.url)));
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["reset", "reset", "CONNECTION_LOST"],
    ["silence", "silence", "TIMEOUT"],
    ["502", html(502), "UNAVAILABLE"],
    ["504", rpcError(504, 4), "DEADLINE_EXCEEDED"],
    ["500", rpcError(500, 13), "INTERNAL"],
    ["HTML", html(200), "UNEXPECTED_ANSWER"],
    ["409, aborted", rpcError(409, 10), "ABORTED"],
    ["409 of a proxy", html(409), "ABORTED"],
  ] as const)("POST, and %s keeps the code that says the object may exist", async (_, fault, code) => {
    const server = await startServer(() => fault);
    await expectFailure(call("POST", clientOf(server.url)), code);
  });

  test("POST, and answers below HTTP are a lost connection", async () => {
    const server = await startTcpServer((socket) => socket.once("data", () => socket.end("220 mail.example.com ESMTP\r\n")));
    await expectFailure(call("POST", clientOf(server.url)), "CONNECTION_LOST");
    expect(server.connections).toBe(1);
  });
});

test.each(["GET", "POST"] as const)(
  "a wait beyond the budget is an error at once, with the time to come back (%s)",
  async (method) => {
    const server = await startServer(() => ({ ...rpcError(429, 8, "slow down"), headers: { "retry-after": "3600" } }));
    const before = Date.now();
    const { message } = await expectFailure(call(method, clientOf(server.url)), "RESOURCE_EXHAUSTED");
    const [, seconds, time = ""] = /Wait (\d+) s, until (\S+Z)\./.exec(message) ?? [];
    expect(seconds).toBe("3600");
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before + 3_599_000);
    expect(server.seen).toHaveLength(1);
  },
);

describe("the wait before the next attempt", () => {
  const busy = (retryAfterMs?: number) => new PlatformError("UNAVAILABLE", "busy", { retryAfterMs });

  test("doubles up to the longest, and half of it is random", () => {
    const least = [1, 2, 3, 4, 5, 6, 7].map((attempt) => delayBefore(attempt, busy(), defaultTiming, () => 0));
    const most = [1, 2, 3, 4, 5, 6, 7].map((attempt) => delayBefore(attempt, busy(), defaultTiming, () => 1));
    expect(most).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(least).toEqual(most.map((delay) => delay / 2));
  });

  test("is at least what the platform asked for", () => {
    expect(delayBefore(1, busy(7_000), defaultTiming)).toBe(7_000);
  });

  test("does not vanish because the platform asked for none", () => {
    expect(delayBefore(3, busy(0), defaultTiming, () => 0)).toBe(400);
  });
});
