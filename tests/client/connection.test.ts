import net from "node:net";
import { gzipSync } from "node:zlib";
import { PlatformError, hasCode, messageOf } from "../../provider/client/errors";
import { defaultTiming, withRetries } from "../../provider/client/retry";
import { groups } from "../support/collections";
import { FakeClock, staysSilent } from "../support/fake-clock";
import { startServer, startTcpServer } from "../support/http-double";
import { clientOf, errorOf, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

describe("connections", () => {
  test("are kept for calls one after another", async () => {
    const server = await startServer((seen) => (seen.method === "DELETE" ? {} : { body: group("root/a") }));
    const client = clientOf(server.url);
    for (let turn = 0; turn < 50; turn++) {
      await client.get(groups, "root/a");
      await client.update(groups, "root/a", { name: "a" }, ["name"]);
      await client.delete(groups, "root/a");
    }
    expect(server.seen).toHaveLength(150);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("are kept after errors and after answers without a body", async () => {
    const server = await startServer((_, count) =>
      count % 2 ? rpcError(404, 5) : { status: 204, headers: { "content-length": "0" } },
    );
    const client = clientOf(server.url);
    for (let turn = 0; turn < 20; turn++) await client.delete(groups, "root/a").catch(() => undefined);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("are few for many calls at once, all of which complete with their own answer", async () => {
    const server = await startServer((seen) => ({ body: group(seen.path.slice("/iam/v2beta1/groups/".length)) }));
    const client = clientOf(server.url);
    const uids = Array.from({ length: 500 }, (_, index) => `root/${index}`);
    const found = await Promise.all(uids.map((uid) => client.get(groups, uid)));
    expect(found.map((row) => row.uid)).toEqual(uids);
    expect(server.connections).toBeLessThanOrEqual(64);
  });

  test("that a server closes after each answer cost no call", async () => {
    const server = await startServer(() => ({ body: group("a"), headers: { connection: "close" } }));
    const client = clientOf(server.url);
    for (let turn = 0; turn < 20; turn++) await client.create(groups, "a", {});
    expect(server.seen).toHaveLength(20);
  });

  test("one that fails takes no other call with it", async () => {
    const server = await startServer((seen) => (seen.path.endsWith("bad") ? "reset" : { body: group("root/good") }));
    const client = clientOf(server.url);
    const calls = Array.from({ length: 40 }, (_, index) => client.create(groups, index % 4 ? "root/good" : "root/bad", {}));
    const outcomes = (await Promise.allSettled(calls)).map((outcome) => outcome.status);
    expect(outcomes).toEqual(calls.map((_, index) => (index % 4 ? "fulfilled" : "rejected")));
    expect(server.seen).toHaveLength(40);
  });

  test("a status line alone, without its end, is waited for no longer than the deadline", async () => {
    const clock = new FakeClock();
    const server = await startTcpServer((socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n", () => staysSilent(socket))),
    );
    await expectFailure(clientOf(server.url, { clock }).create(groups, "a", {}), "TIMEOUT");
  });

  test("headers beyond all measure are a lost connection", async () => {
    const server = await startServer(() => ({ body: group("a"), headers: { "x-much": "x".repeat(100_000) } }));
    await expectFailure(clientOf(server.url).create(groups, "a", {}), "CONNECTION_LOST");
  });
});

describe("a connection that fails before the request is written to it has passed nothing on:", () => {
  test("the TLS handshake is cut off", async () => {
    const server = await startTcpServer((socket) => socket.once("data", () => socket.destroy()));
    const url = server.url.replace("http:", "https:");
    await expectFailure(clientOf(url).create(groups, "a", {}), "NOT_CONNECTED");
  });

  test.each(["ETIMEDOUT", "ECONNRESET", "EMFILE"])("%s while it is opened, and the request is sent again", async (code) => {
    const server = await startServer(() => ({ body: group("a") }));
    const connect = jest.spyOn(net, "connect");
    connect.mockImplementationOnce(() => {
      const socket = new net.Socket();
      process.nextTick(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code, syscall: "connect" })));
      return socket;
    });
    await clientOf(server.url).create(groups, "a", {});
    expect(connect).toHaveBeenCalledTimes(2);
    expect(server.seen).toHaveLength(1);
    connect.mockRestore();
  });

  test("a kept one that the server ends while it reads the request is a lost one", async () => {
    const server = await startServer((_, count) => (count === 1 ? { body: group("a") } : "reset"));
    const client = clientOf(server.url);
    await client.create(groups, "a", {});
    await expectFailure(client.create(groups, "a", {}), "CONNECTION_LOST");
    expect(server.seen).toHaveLength(2);
  });
});

describe("a proxy", () => {
  const wrong = "http://someone:password-of-tests@:3128";
  const proxies = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];
  const before = { ...process.env };
  beforeEach(() => {
    process.env = Object.fromEntries(Object.entries(before).filter(([name]) => !proxies.includes(name)));
  });
  afterEach(() => {
    process.env = { ...before };
  });

  /** The client of a process that starts with the variables of now. */
  function freshClient() {
    let http: typeof import("../../provider/client/http") | undefined;
    jest.isolateModules(() => {
      http = jest.requireActual<typeof import("../../provider/client/http")>("../../provider/client/http");
    });
    return async (url: string, method: "GET" | "POST" = "GET", clock = new FakeClock()) =>
      http?.send({ method, url: new URL(url), timeoutMs: 30_000, clock });
  }

  test("whose address is no URL is an error that names the variable, not its value; this machine is reached without it", async () => {
    process.env["HTTPS_PROXY"] = wrong;
    const server = await startServer(() => ({ body: group("a") }));
    const get = freshClient();
    expect(await get(`${server.url}/a`)).toMatchObject({ status: 200 });
    const error = await expectFailure(get("https://api.example/a"), "CONFIGURATION", "HTTPS_PROXY");
    expect(error.message).not.toContain("password-of-tests");
  });

  test("whose address is no URL does not count where HTTPS_PROXY has another", async () => {
    Object.assign(process.env, { HTTPS_PROXY: "http://127.0.0.1:1", HTTP_PROXY: wrong });
    expect((await errorOf(freshClient()("https://api.example/a"))).code).not.toBe("CONFIGURATION");
  });

  test.each([
    ["a name and a port", "localhost:PORT"],
    ["an address and a port", "127.0.0.1:PORT"],
    ["a user, a name and a port", "someone:password@localhost:PORT"],
  ])("without a scheme, as curl takes it: %s", async (_, form) => {
    const proxy = await startTcpServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 502 No\r\n\r\n")));
    process.env["HTTPS_PROXY"] = form.replace("PORT", String(proxy.port));
    await expectFailure(freshClient()("https://api.example/a"), "NOT_CONNECTED", "the proxy refuses to connect (HTTP 502)");
    expect(proxy.connections).toBe(1);
  });

  test("that wants to know who connects is asked once, and the error says where to name the user", async () => {
    const proxy = await startTcpServer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n")),
    );
    process.env["HTTPS_PROXY"] = proxy.url;
    const send = freshClient();
    const timing = { ...defaultTiming, firstDelayMs: 1 };
    const sending = withRetries(async () => send("https://api.example/a"), { repetition: "repeatable", timing });
    await expectFailure(sending, "NOT_CONNECTED", "http://USER:PASSWORD@HOST:PORT");
    expect(proxy.connections).toBe(1);
  });

  test.each([403, 407, 502])("that refuses to connect, with %d, has passed nothing on", async (status) => {
    const proxy = await startTcpServer((socket) =>
      socket.once("data", () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)),
    );
    process.env["HTTPS_PROXY"] = proxy.url;
    await expectFailure(
      freshClient()("https://api.example/a", "POST"),
      "NOT_CONNECTED",
      `the proxy refuses to connect (HTTP ${status})`,
    );
  });

  test("that ends the connection before it has made its own has passed nothing on", async () => {
    const proxy = await startTcpServer((socket) => socket.once("data", () => socket.destroy()));
    process.env["HTTPS_PROXY"] = proxy.url;
    await expectFailure(freshClient()("https://api.example/a", "POST"), "NOT_CONNECTED");
    expect(proxy.connections).toBe(1);
  });

  test("that does not answer is waited for no longer than the deadline", async () => {
    const clock = new FakeClock();
    const proxy = await startTcpServer((socket) => socket.once("data", () => void clock.pass(30_000)));
    process.env["HTTPS_PROXY"] = proxy.url;
    await expectFailure(freshClient()("https://api.example/a", "POST", clock), "TIMEOUT");
  });
});

describe("an answer in a compressed form", () => {
  const body = gzipSync(JSON.stringify(group("root/a")));

  test("is not asked for", async () => {
    const server = await startServer(() => ({ body: group("root/a") }));
    await clientOf(server.url).get(groups, "root/a");
    expect(server.seen[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test("is understood all the same", async () => {
    const server = await startServer(() => ({ body, headers: { "content-encoding": "gzip" } }));
    expect(await clientOf(server.url).get(groups, "root/a")).toMatchObject({ uid: "root/a" });
  });

  test("is an error if it grows beyond the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024));
    const server = await startServer(() => ({ body: bomb, headers: { "content-encoding": "gzip" } }));
    await expectFailure(clientOf(server.url).get(groups, "root/a"), "UNEXPECTED_ANSWER", "is larger than");
  });

  test.each([
    ["another one", "br", body],
    ["a broken one", "gzip", body.subarray(0, 20)],
  ])("is an error that names the encoding: %s", async (_, encoding, bytes) => {
    const server = await startServer(() => ({ body: bytes, headers: { "content-encoding": encoding } }));
    await expectFailure(clientOf(server.url).get(groups, "root/a"), "UNEXPECTED_ANSWER", `encoded as ${encoding}`);
  });
});

describe("the clock of the platform", () => {
  const at = (second: number) => ({ date: new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toUTCString() });
  const start = Date.UTC(2030, 0, 1);

  /** A client that has had answers with these headers, and the clock then. */
  async function clockAfter(...headers: Record<string, string>[]) {
    const server = await startServer((_, count) => ({ body: group("a"), headers: headers[count - 1] ?? {} }));
    const client = clientOf(server.url);
    for (const _ of headers) await client.get(groups, "a");
    return client;
  }

  test("is unknown before an answer", async () => {
    const client = await clockAfter();
    expect(client.serverTime()).toBeUndefined();
    expect(Math.abs(client.now() - Date.now())).toBeLessThan(600_000);
  });

  test("is unknown where no answer tells it", async () => {
    expect((await clockAfter({ date: "yesterday" })).serverTime()).toBeUndefined();
  });

  test("is that of the last answer and goes on from there", async () => {
    const client = await clockAfter(at(1), at(7));
    const time = client.serverTime() ?? 0;
    expect(time).toBeGreaterThanOrEqual(start + 7_000);
    expect(time).toBeLessThan(start + 600_000);
    expect(client.serverTime()).toBeGreaterThanOrEqual(time);
    expect(client.now()).toBeGreaterThanOrEqual(time);
  });

  test("does not go back", async () => {
    expect((await clockAfter(at(30), at(5))).serverTime()).toBeGreaterThanOrEqual(start + 30_000);
  });

  test("is read off an error too", async () => {
    const server = await startServer(() => ({ ...rpcError(404, 5), headers: at(3) }));
    const client = clientOf(server.url);
    await errorOf(client.get(groups, "a"));
    expect(client.serverTime()).toBeGreaterThanOrEqual(start + 3_000);
  });
});

describe("a PlatformError", () => {
  test("of another loaded copy of this package is known as one", () => {
    let Other: typeof PlatformError | undefined;
    jest.isolateModules(() => {
      Other = jest.requireActual<{ PlatformError: typeof PlatformError }>("../../provider/client/errors").PlatformError;
    });
    const foreign = Other && new Other("NOT_FOUND", "gone");
    expect(foreign?.constructor).not.toBe(PlatformError);
    expect(foreign).toBeInstanceOf(PlatformError);
    expect(PlatformError.isInstance(foreign)).toBe(true);
    expect(hasCode(foreign, "ABORTED", "NOT_FOUND")).toBe(true);
  });

  test.each([null, undefined, "NOT_FOUND", new Error("NOT_FOUND"), { code: "NOT_FOUND" }])("is not %p", (value) => {
    expect(PlatformError.isInstance(value)).toBe(false);
    expect(hasCode(value, "NOT_FOUND")).toBe(false);
  });

  test.each([
    [new Error("a"), "a"],
    ["b", "b"],
    [undefined, "undefined"],
  ])("or anything else that was thrown has a message: %p", (thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
