import fc from "fast-check";
import { type CallSpan, recordSpans, templateOf } from "../../provider/client/tracing";
import { groups, identities } from "../support/collections";
import { deadServer, type Reaction, startServer } from "../support/http-double";
import { clientOf, errorOf, fixedToken, group, rpcError } from "./support";

const spans: CallSpan[] = [];

beforeEach(() => {
  spans.length = 0;
  recordSpans((span) => spans.push(span));
});

afterEach(() => recordSpans(undefined));

test("a call is one span with all its attempts, and the status of the last", async () => {
  const server = await startServer((_, count) => ({
    ...(count === 1 ? rpcError(503, 14) : { body: group("root/a") }),
    headers: { "x-request-id": `req-${count}` },
  }));
  const before = Date.now() - 1_000;
  await clientOf(server.url).get(groups, "root/a");
  expect(spans).toEqual([
    {
      name: "GET /iam/v2beta1/groups/{uid}",
      start: expect.any(Number) as number,
      end: expect.any(Number) as number,
      attributes: {
        "http.request.method": "GET",
        "url.template": "/iam/v2beta1/groups/{uid}",
        "platform.collection": "groups",
        "platform.attempts": 2,
        "platform.queued_ms": expect.any(Number) as number,
        "http.response.status_code": 200,
        "platform.request_id": "req-2",
      },
      error: undefined,
    },
  ]);
  const times = spans.flatMap(({ start, end }) => [before, start, end, Date.now() + 1_000]);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test("a 404 fails, with its code and without its text", async () => {
  const server = await startServer(() => rpcError(404, 5, "secret-of-the-answer"));
  await errorOf(clientOf(server.url).delete(groups, "root/a"));
  expect(spans).toMatchObject([
    {
      name: "DELETE /iam/v2beta1/groups/{uid}",
      attributes: { "http.response.status_code": 404, "platform.attempts": 1, "error.type": "NOT_FOUND" },
      error: "NOT_FOUND",
    },
  ]);
  expect(JSON.stringify(spans)).not.toContain("secret");
});

test("an attempt without an answer has no status, not that of the one before", async () => {
  const server = await startServer((_, count) => (count === 1 ? rpcError(503, 14) : "reset"));
  await errorOf(clientOf(server.url, { timing: { budgetMs: 2_000 } }).get(groups, "root/a"));
  expect(spans).toMatchObject([{ error: "CONNECTION_LOST" }]);
  expect(spans[0]?.attributes).not.toHaveProperty(["http.response.status_code"]);
});

test("a call that nobody answers has its attempts; one that a token with a 401 repeats has two", async () => {
  const dead = await deadServer();
  await errorOf(clientOf(dead.url).create(groups, "root", { name: "a" }));
  const server = await startServer((_, count) => (count === 1 ? rpcError(401, 16) : { body: group("root/a") }));
  await clientOf(server.url, { tokens: { ...fixedToken(), forget: () => true } }).get(groups, "root/a");
  expect(spans.map(({ name, error }) => [name, error])).toEqual([
    ["POST /iam/v2beta1/groups/{uid}", "NOT_CONNECTED"],
    ["GET /iam/v2beta1/groups/{uid}", undefined],
  ]);
  expect(spans[1]?.attributes).toMatchObject({ "platform.attempts": 2, "http.response.status_code": 200 });
});

test("the template keeps what is written in this package, and nothing of a uid", () => {
  expect(
    ["/iam/v2/groups", "/iam/v2/groups/a/b", "/iam/v2/identities:lookupIdentity", "/iam/v2/groups/a/b:validate"].map(templateOf),
  ).toEqual(["/iam/v2/groups", "/iam/v2/groups/{uid}", "/iam/v2/identities:lookupIdentity", "/iam/v2/groups/{uid}:validate"]);
});

/** A part of a uid or of a token that stands out in a span. */
const part = fc.stringMatching(/^zq[A-Za-z0-9._-]{8,40}zq$/);
const uid = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

test("no span holds a token, a uid, a query or a body, whatever they are and whatever the platform answers", async () => {
  let react: () => Reaction = () => "reset";
  const server = await startServer(() => react());
  await fc.assert(
    fc.asyncProperty(uid, part, part, fc.constantFrom(200, 400, 401, 404, 409, 429, 500), async (place, token, text, status) => {
      const client = clientOf(server.url, { tokens: fixedToken(token), timing: { budgetMs: 1_000 } });
      const headers = { "x-request-id": token, "x-other": token };
      react = () => ({ status, headers, body: { uid: place, code: 5, message: `${token} ${text}`, details: [{ text, token }] } });
      const calls = [
        client.get(groups, place),
        client.create(groups, place, { name: text, description: text }),
        client.update(groups, place, { description: text }, ["description"]),
        client.delete(groups, place),
        client.list(identities, { childrenOf: place }),
        client.lookUpIdentity(text, text),
      ];
      await Promise.allSettled(calls);
      expect(spans).toHaveLength(calls.length);
      expect(JSON.stringify(spans)).not.toContain("zq");
      spans.length = 0;
    }),
    { numRuns: 20 },
  );
});
