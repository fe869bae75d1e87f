import { inspect } from "node:util";
import fc from "fast-check";
import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { groups } from "../support/collections";
import type { TokenSource } from "../../provider/client/token-source";
import { type Reaction, startServer, startTcpServer } from "../support/http-double";
import { clientOf, errorOf, fixedToken, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

/** A source that gives `token-number-1`, then a new one after each that was forgotten. */
function renewingTokens(): TokenSource & { fetches: number; forgotten: string[] } {
  return {
    fetches: 1,
    forgotten: [],
    token() {
      return Promise.resolve(`token-number-${this.fetches}`);
    },
    forget(rejected) {
      this.forgotten.push(rejected);
      if (rejected === `token-number-${this.fetches}`) this.fetches++;
      return true;
    },
  };
}

const verbs: [string, (client: PlatformClient) => Promise<unknown>][] = [
  ["GET", (client) => client.get(groups, "root/a")],
  ["POST", (client) => client.create(groups, "root", { name: "a" })],
  ["PATCH", (client) => client.update(groups, "root/a", { name: "a" }, ["name"])],
  ["DELETE", (client) => client.delete(groups, "root/a")],
];

describe("a token that the platform rejects with 401", () => {
  test.each(verbs)("is forgotten, and the %s is sent once more with a new one", async (_, call) => {
    const server = await startServer((_seen, count) => (count === 1 ? rpcError(401, 16) : { body: group("root/a") }));
    const tokens = renewingTokens();
    await call(clientOf(server.url, { tokens }));
    expect(server.seen.map((seen) => seen.headers.authorization)).toEqual(["Bearer token-number-1", "Bearer token-number-2"]);
    expect(tokens.forgotten).toEqual(["token-number-1"]);
  });

  test.each(verbs)("twice is final (%s)", async (_, call) => {
    const server = await startServer(() => rpcError(401, 16, "who are you"));
    expect(await errorOf(call(clientOf(server.url, { tokens: renewingTokens() })))).toMatchObject({
      code: "UNAUTHENTICATED",
      status: 401,
      fromPlatform: true,
    });
    expect(server.seen).toHaveLength(2);
  });

  test("is not asked for again where the source has only this one", async () => {
    const server = await startServer(() => ({ status: 401, body: "<html>" }));
    let fetches = 0;
    const tokens = { token: () => (fetches++, Promise.resolve("only-token")), forget: () => false };
    await expectFailure(clientOf(server.url, { tokens }).get(groups, "a"), "UNAUTHENTICATED");
    expect(server.seen).toHaveLength(1);
    expect(fetches).toBe(1);
  });

  test("is renewed once more in a later attempt of the same call", async () => {
    const answers = [rpcError(401, 16), rpcError(503, 14), rpcError(401, 16), { body: group("a") }];
    const server = await startServer((_, count) => answers[count - 1] ?? "reset");
    await clientOf(server.url, { tokens: renewingTokens() }).get(groups, "a");
    expect(server.seen.map((seen) => seen.headers.authorization?.at(-1))).toEqual(["1", "2", "2", "3"]);
  });

  test("is the one that was sent, not one that another call has fetched since", async () => {
    const tokens = renewingTokens();
    const server = await startServer((seen) =>
      seen.headers.authorization === "Bearer token-number-1" ? rpcError(401, 16) : { body: group("a") },
    );
    const client = clientOf(server.url, { tokens });
    await Promise.all(Array.from({ length: 20 }, () => client.get(groups, "a")));
    expect(new Set(tokens.forgotten)).toEqual(new Set(["token-number-1"]));
    expect(tokens.fetches).toBe(2);
  });

  test("and a source that fails then is the error that is seen", async () => {
    const server = await startServer(() => rpcError(401, 16));
    const tokens = {
      token: jest
        .fn<Promise<string>, []>()
        .mockResolvedValueOnce("first-token")
        .mockRejectedValue(new PlatformError("CREDENTIALS", "the file is gone")),
      forget: () => true,
    };
    await expectFailure(clientOf(server.url, { tokens }).get(groups, "a"), "CREDENTIALS");
  });
});

describe("a token never leaves for another address", () => {
  test.each([301, 302, 303, 307, 308])("by a redirect (%d)", async (status) => {
    const other = await startServer(() => ({ body: group("root/a") }));
    const server = await startServer(() => ({ status, headers: { location: `${other.url}/elsewhere` } }));
    for (const [, call] of verbs) {
      const error = await errorOf(call(clientOf(server.url)));
      expect(error.code).toBe("UNEXPECTED_ANSWER");
      expect(error.message).toMatch(/redirect/);
    }
    expect(other.connections).toBe(0);
    expect(server.seen).toHaveLength(verbs.length);
  });

  test.each([
    "http://platform.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::ffff:127.0.0.1]",
    "ftp://127.0.0.1",
  ])("over %s, which is rejected before a connection", async (address) => {
    const server = await startServer(() => ({ body: group("a") }));
    await expectFailure(clientOf(`${address}:${server.port}`).get(groups, "a"), "CONFIGURATION", /was not sent.*https/);
    expect(server.connections).toBe(0);
  });

  test.each(["127.0.0.1", "127.1", "localhost", "2130706433"])("but plain http to %s, this machine, is allowed", async (host) => {
    const server = await startServer(() => ({ body: group("a") }));
    await clientOf(`http://${host}:${server.port}`).get(groups, "a");
    expect(server.seen).toHaveLength(1);
  });

  test("to a server without a certificate that is trusted, or without TLS at all", async () => {
    const server = await startServer(() => ({ body: group("a") }));
    await expectFailure(clientOf(`https://127.0.0.1:${server.port}`).get(groups, "a"), "CONFIGURATION", /https/);
    expect(server.connections).toBe(1);
    expect(server.seen).toHaveLength(0);
  });

  test.each(["two\nlines-of-token", "arrow-→-token"])("in a header that cannot be written (%j)", async (token) => {
    const server = await startServer(() => ({ body: group("a") }));
    let sends = 0;
    const client = clientOf(server.url, { tokens: fixedToken(token) });
    const error = await expectFailure(client.create(groups, "a", {}, { onSend: () => sends++ }), "INVALID_INPUT");
    expect(sends).toBe(1);
    expect(inspect(error)).not.toContain(token);
    expect(server.seen).toHaveLength(0);
  });
});

describe("no error shows a token", () => {
  const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{12,120}={0,2}$/);
  const jwt = fc
    .base64String({ minLength: 20, maxLength: 400 })
    .map((text) => `eyJhbGciOiJSUzI1NiJ9.${text.replace(/[+/=]/g, "_")}.c2ln`);
  const echo = (secret: string): Reaction[] => [
    rpcError(400, 3, `you sent ${secret}, which is wrong`),
    rpcError(400, 9, "no", [{ violations: [{ type: secret, description: secret }] }]),
    rpcError(400, 3, "no", [{ fieldViolations: [{ field: secret, description: `Bearer ${secret}` }] }]),
    { status: 500, body: `<h1>${secret}</h1>`, headers: { "content-type": "text/html" } },
    { status: 500, body: `${"x".repeat(70)} ${secret}` },
    { body: `authorization: Bearer ${secret}`, headers: { "content-type": "text/plain" } },
    { body: { uid: secret } },
    { body: { uid: 7, name: secret } },
    { status: 302, headers: { location: `https://example.com/?t=${secret}` } },
    { status: 403, headers: { "x-request-id": secret, "www-authenticate": `Bearer ${secret}` } },
    "reset",
  ];
  /** Everything that a logger could print, shown in full. */
  const shown = (error: unknown) =>
    `${inspect(error, { depth: 12, showHidden: true, maxStringLength: null })}${String((error as Error).stack)}`;

  test("that a server sends back, in whatever place", async () => {
    let reaction: Reaction = "reset";
    const server = await startServer(() => reaction);
    await fc.assert(
      fc.asyncProperty(fc.oneof(token, jwt), async (secret) => {
        const client = clientOf(server.url, { tokens: fixedToken(secret) });
        for (reaction of echo(secret)) {
          const error = await errorOf(
            client.create(groups, "root", { name: "a" }).then((made) => client.get(groups, `x/${made.uid}`)),
          );
          expect(shown(error)).not.toContain(secret);
          // Nor a part that would do as a hint of it.
          expect(shown(error)).not.toContain(secret.slice(0, 40).padEnd(12, "\0"));
        }
      }),
      { seed: 7, numRuns: 25 },
    );
  });

  test("that something below HTTP sends back", async () => {
    const server = await startTcpServer((socket) => socket.pipe(socket));
    const client = clientOf(server.url, { tokens: fixedToken("echoed-token-of-tests") });
    const error = await expectFailure(client.create(groups, "root", { name: "a" }), "CONNECTION_LOST");
    expect(shown(error)).not.toContain("echoed-token-of-tests");
  });
});
