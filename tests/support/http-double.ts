import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { staysSilent } from "./fake-clock";

/** A request that reached a server. */
export interface Seen {
  /** Index among the requests of this server, from 0. */
  ordinal: number;
  method: string;
  /** Path and query as they came over the wire. */
  url: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The bearer token. */
  token: string;
  body: string;
}

/** An answer. An object is sent as JSON, anything else as it is, a stream until it ends or breaks off. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Characters of a text after which the connection is cut, or stays silent. */
  cutAfter?: number;
  stallAfter?: number;
  /** Sends a text in parts, over as many milliseconds. */
  overMs?: number;
  /** Sends no date, unless it is in the headers. */
  isUndated?: true;
}

/** The reaction of a server to a request: an answer, or a fault of the connection. */
export type Reaction = Answer | "reset" | "silence";

/** Decides what happens to a request, the `count`-th one, from 1. */
export type React = (seen: Seen, count: number) => Reaction | Promise<Reaction>;

/** Certificate and key, in PEM form. */
export interface Tls {
  cert: Buffer;
  key: Buffer;
}

const portsOfWorker = 1_500;
const firstPort = 20_000 + (Number(process.env["JEST_WORKER_ID"] ?? 0) % 8) * portsOfWorker;

/** A server on this machine that reacts as a test says, and records what it saw. */
export class HttpDouble {
  /** All requests, in the order in which they came. */
  readonly seen: Seen[] = [];
  /** Number of connections that were opened. */
  connections = 0;
  port = 0;
  /** Called when a connection has closed. */
  onClose: () => void = () => undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #scheme: "http" | "https";

  /** @param options.onSocket gets each connection, below HTTP */
  constructor(
    protected react: React,
    { tls, onSocket }: { tls?: Tls | undefined; onSocket?: (socket: Socket) => void } = {},
  ) {
    const listener = (incoming: IncomingMessage, response: ServerResponse) => {
      // Fails when a platform behind it has cut the connection, or the client has gone.
      this.#serve(incoming, response).catch(() => incoming.socket.resetAndDestroy());
    };
    // Idle connections are for the client to close: a request that crosses the server's close would be a fault that no test planned.
    const keepAliveTimeout = 0;
    this.#scheme = tls === undefined ? "http" : "https";
    if (onSocket !== undefined) this.#server = createTcpServer(onSocket);
    else if (tls === undefined) this.#server = createServer({ keepAliveTimeout }, listener);
    else this.#server = createTlsServer({ ...tls, keepAliveTimeout }, listener);
    this.#server.on("connection", (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      const forget = () => {
        this.#sockets.delete(socket);
        this.onClose();
      };
      socket.on("close", forget).on("error", () => undefined);
    });
  }

  get url(): string {
    return this.#scheme === "http" ? `http://127.0.0.1:${this.port}` : `https://localhost:${this.port}`;
  }

  /**
   * Listens, after {@link leave} on the same port again: systems give none below 32,768 to those who ask for any free port, and each of
   * Jest's workers has its own range.
   */
  async listen(): Promise<this> {
    for (;;) {
      const port = this.port === 0 ? firstPort + Math.floor(Math.random() * portsOfWorker) : this.port;
      try {
        await once(this.#server.listen(port, "127.0.0.1"), "listening");
        this.port = port;
        return this;
      } catch (error) {
        if (this.port !== 0 || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      }
    }
  }

  /** Stops listening. Connections stay. */
  leave(): void {
    this.#server.close();
  }

  /** Stops listening, and ends all connections. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url = "/", headers } = incoming;
    const { pathname: path, searchParams: query } = new URL(url, "http://localhost");
    const token = (headers.authorization ?? "").replace(/^Bearer /, "");
    const body = Buffer.concat(chunks).toString();
    const seen = { ordinal: this.seen.length, method, url, path, query, headers, token, body };
    this.seen.push(seen);
    const reaction = await this.react(seen, seen.ordinal + 1);
    if (reaction === "reset") incoming.socket.resetAndDestroy();
    else if (reaction === "silence") staysSilent(incoming.socket);
    else await deliver(reaction, response);
  }
}

async function deliver(answer: Answer, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body = "", cutAfter, stallAfter, overMs, isUndated } = answer;
  if (isUndated) response.sendDate = false;
  if (body instanceof Readable) {
    await pipeline(body, response.writeHead(status, headers));
    return;
  }
  const whole = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const length = String(whole.length);
  response.writeHead(status, { "content-type": "application/json", ...headers, "content-length": length });
  const until = cutAfter ?? stallAfter ?? whole.length;
  const parts = overMs === undefined ? 1 : 5;
  for (let part = 0; part < parts; part++) {
    if (overMs !== undefined) await sleep(overMs / parts);
    const sent = whole.subarray(Math.ceil((part * until) / parts), Math.ceil(((part + 1) * until) / parts));
    if (sent.length > 0) await new Promise((resolve) => response.write(sent, resolve));
  }
  if (cutAfter !== undefined) response.destroy();
  else if (stallAfter === undefined) response.end();
  else if (response.socket !== null) staysSilent(response.socket);
}

const ofThisTest = new Set<HttpDouble>();
afterEach(async () => {
  await Promise.all([...ofThisTest].map((server) => server.close()));
  ofThisTest.clear();
});

/** A server of one test, after which it is closed. */
export async function startServer(react: React): Promise<HttpDouble> {
  const server = new HttpDouble(react);
  ofThisTest.add(server);
  return server.listen();
}

/** A server of one test below HTTP: `onSocket` gets each connection. */
export async function startTcpServer(onSocket: (socket: Socket) => void): Promise<HttpDouble> {
  const server = new HttpDouble(() => "reset", { onSocket });
  ofThisTest.add(server);
  return server.listen();
}

/** A server of one test that no longer listens, until {@link HttpDouble.listen}. */
export async function deadServer(react: React = () => "reset"): Promise<HttpDouble> {
  const server = await startServer(react);
  server.leave();
  return server;
}
