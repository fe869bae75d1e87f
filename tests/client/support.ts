import { createServer as createHttpServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { ApiVersion } from "../../provider/client/api-version";
import { PlatformClient } from "../../provider/client/client";
import type { Clock } from "../../provider/client/clock";
import { PlatformError } from "../../provider/client/errors";
import type { Timing } from "../../provider/client/retry";
import type { TokenSource } from "../../provider/client/token-source";

/** What a server saw of one request. */
export interface Seen {
  method: string;
  /** Path and query as they came over the wire. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds on the test's own monotonic clock. */
  at: number;
}

/** What a server does with a request: an answer, or a fault of the connection. */
export type Reaction = Answer | "reset" | "silence";

/** An answer; an object is sent as JSON, a string as it is. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Bytes of the body after which the connection is cut, or goes silent. */
  cutAfter?: number;
  stallAfter?: number;
}

/** A server and what it saw. */
export interface TestServer {
  url: string;
  port: number;
  seen: Seen[];
  /** Connections that were opened. */
  sockets: () => number;
}

const cleanUps: (() => unknown)[] = [];

/** Stops the servers of one test. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanUps.splice(0)) await undo();
}

async function listen(server: Server, sockets: Set<Socket>): Promise<number> {
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A platform on a free port that reacts as `react` says to its `count`-th request, from 1. */
export async function startServer(react: (seen: Seen, count: number) => Reaction | Promise<Reaction>): Promise<TestServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Seen = {
      method: request.method ?? "",
      url: request.url ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: performance.now(),
    };
    const count = seen.push(asked);
    const reaction = await react(asked, count);
    if (reaction === "reset") request.socket.resetAndDestroy();
    else if (reaction !== "silence") answer(response, reaction);
  };
  const server = createHttpServer((request, response) => {
    // A caller that gives up in the middle of its request is part of some tests.
    serve(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, sockets);
  return { url: `http://127.0.0.1:${port}`, port, seen, sockets: () => sockets.size };
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = "", cutAfter, stallAfter }: Answer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "application/json", "content-length": String(length), ...headers });
  const part = cutAfter ?? stallAfter;
  if (part === undefined) response.end(text);
  else response.write(text.slice(0, part), () => cutAfter !== undefined && response.destroy());
}

/** A server below HTTP: `react` gets each connection. */
export async function startTcpServer(react: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    react(socket);
  });
  const port = await listen(server, sockets);
  return { url: `http://127.0.0.1:${port}`, port, seen: [], sockets: () => sockets.size };
}

/** A port of this machine without a listener. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits so short that tests do not notice them. */
const quick: Timing = { attemptMs: 5_000, budgetMs: 10_000, firstDelayMs: 1, propagationMs: 100, longestDelayMs: 4 };

/** A source of the one token that never changes. */
export function fixedToken(token = "api-token-of-tests"): TokenSource {
  return { token: () => Promise.resolve(token), forget: () => false };
}

/** What a test may choose of its client. */
export interface ClientChoices {
  timing?: Partial<Timing>;
  tokens?: TokenSource;
  apiVersion?: ApiVersion | "auto";
  concurrency?: number;
  clock?: Clock;
}

/** A client of the platform at `url`. */
export function clientOf(
  url: string,
  { timing, tokens = fixedToken(), apiVersion = "v2beta1", ...more }: ClientChoices = {},
): PlatformClient {
  return new PlatformClient({ baseUrl: url, apiVersion, tokens, timing: { ...quick, ...timing }, ...more });
}

/** The platform's own error (docs/platform-api.md#error-body). */
export function rpcError(status: number, code: number, message = "no", details: unknown = []): Answer {
  return { status, body: { code, message, details } };
}

/** A group as the platform answers it. */
export function group(uid: string, more: object = {}): { uid: string } {
  return { uid, name: uid.replace(/.*\//, ""), ...more } as { uid: string };
}

/** What `action` throws, which must be a {@link PlatformError}. */
export async function errorOf(action: Promise<unknown>): Promise<PlatformError> {
  try {
    await action;
  } catch (error) {
    if (PlatformError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
