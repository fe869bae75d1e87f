import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { atWork, staysSilent } from "./fake-clock";
import { listenOnLastingPort } from "./lasting-port";

/** A request of the client. */
export interface Asked {
  /** Index of the request among those that reached this proxy, from 0. */
  ordinal: number;
  method: string;
  path: string;
  query: URLSearchParams;
  token: string;
}

/** A complete answer. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An answer with a JSON body. */
export function json(status: number, body: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** What reaches the client: a reset connection, nothing, or an answer: at once, spread over `overMs`, or only its first half. */
export type Outcome = "reset" | "silence" | (Answer & { overMs?: number; stalls?: boolean });

/** Decides what happens to a request. Undefined passes it on unchanged. */
export type Interference = (asked: Asked, forward: () => Promise<Answer>) => Promise<Outcome | undefined> | Outcome | undefined;

/** The proxy stops listening before request number `from`. */
export interface Outage {
  from: number;
  isForGood: boolean;
}

/** Certificate and key, in PEM form. */
export interface Tls {
  cert: Buffer;
  key: Buffer;
}

/** How long a temporary outage lasts, in milliseconds: longer than the client's first delay, shorter than its budget. */
const outageMs = 25;

/** A proxy between the client and the platform. It passes everything on as it comes, unless a test interferes. */
export class FaultProxy {
  /** All requests, in the order in which they came. */
  readonly asked: Asked[] = [];
  interfere: Interference = () => undefined;
  /** Caps the rows of a List page, whatever the client asks for. */
  pageLimit = Infinity;
  /** True once an outage has begun. */
  wasAway = false;
  #outage: Outage | undefined;
  #isClosed = false;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  private constructor(
    private readonly target: string,
    private readonly tls: Tls | undefined,
  ) {
    const listener = (incoming: IncomingMessage, response: ServerResponse) => {
      // Fails when the platform has cut the connection, or the client has gone.
      this.#serve(incoming, response).catch(() => incoming.socket.resetAndDestroy());
    };
    // Idle connections are for the client to close: a request that crosses the server's close would be a fault that no test planned.
    const keepAliveTimeout = 0;
    this.#server =
      tls === undefined ? createServer({ keepAliveTimeout }, listener) : createTlsServer({ ...tls, keepAliveTimeout }, listener);
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => undefined);
    });
  }

  /**
   * Starts a proxy on a free port.
   *
   * @param target address of the platform
   * @param tls serves https on `localhost`. Default: http
   */
  static async start(target: string, tls?: Tls): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, tls);
    proxy.#port = await listenOnLastingPort(proxy.#server);
    return proxy;
  }

  get baseUrl(): string {
    return this.tls === undefined ? `http://127.0.0.1:${this.#port}` : `https://localhost:${this.#port}`;
  }

  async #listenAgain(): Promise<void> {
    await once(this.#server.listen(this.#port, "127.0.0.1"), "listening");
  }

  planOutage(outage: Outage): void {
    this.#outage = outage;
    if (outage.from === 0) this.#leave(outage);
  }

  #leave({ isForGood }: Outage): void {
    this.wasAway = true;
    this.#server.close();
    if (!isForGood) setTimeout(() => void (this.#isClosed || this.#listenAgain()), outageMs);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", headers } = incoming;
    const url = new URL(incoming.url ?? "", this.target);
    const token = (headers.authorization ?? "").replace(/^Bearer /, "");
    const asked: Asked = { ordinal: this.asked.length, method, path: url.pathname, query: url.searchParams, token };
    this.asked.push(asked);
    const open = () => this.#forward(incoming, url, Buffer.concat(chunks));
    const outcome = await this.interfere(asked, () => atWork(open().then(whole)));
    const untouched = outcome === undefined ? await open() : undefined;
    if (this.#outage !== undefined) {
      // Closes the connection, so that the next request has to connect again.
      response.shouldKeepAlive = false;
      if (!this.wasAway && asked.ordinal + 1 >= this.#outage.from) this.#leave(this.#outage);
    }
    if (outcome === "reset") incoming.socket.resetAndDestroy();
    else if (outcome === "silence") staysSilent(incoming.socket);
    else if (outcome !== undefined) await deliver(outcome, response);
    else if (untouched !== undefined) await pass(untouched, response);
  }

  /** Sends a request on. Resolves when the head of the answer has come. */
  async #forward({ method, headers }: IncomingMessage, url: URL, body: Buffer): Promise<IncomingMessage> {
    const { host: _host, connection: _connection, ...kept } = headers;
    const target = new URL(url);
    if (this.pageLimit < Number(target.searchParams.get("page_size") ?? 0))
      target.searchParams.set("page_size", String(this.pageLimit));
    const request = send(target, { method: method ?? "GET", headers: kept, agent: this.#agent });
    request.end(body);
    const [answer] = (await atWork(once(request, "response"))) as [IncomingMessage];
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function whole(answer: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), body: Buffer.concat(chunks).toString() };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const { connection: _connection, "keep-alive": _keepAlive, "transfer-encoding": _encoding, ...kept } = headers;
  return kept as Record<string, string>;
}

/** Passes bytes on as they come, and breaks off where the platform breaks off. */
async function pass(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 0, headersOf(answer));
  for await (const chunk of answer) response.write(chunk);
  response.end();
}

async function deliver(answer: Exclude<Outcome, string>, response: ServerResponse): Promise<void> {
  const body = Buffer.from(answer.body);
  response.sendDate = false;
  response.writeHead(answer.status, { ...answer.headers, "content-length": body.length });
  const parts = answer.overMs === undefined ? 1 : 5;
  const size = Math.max(1, Math.ceil((answer.stalls ? body.length / 2 : body.length) / parts));
  for (let start = 0, count = 0; start < body.length && count < parts; start += size, count++) {
    if (answer.overMs !== undefined) await sleep(answer.overMs / parts);
    response.write(body.subarray(start, start + size));
  }
  if (!answer.stalls) response.end();
  else if (response.socket !== null) staysSilent(response.socket);
}
