import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request of the client. */
export interface Asked {
  /** Which request of the run it is, from 0. */
  ordinal: number;
  method: string;
  path: string;
  query: URLSearchParams;
  token: string;
}

/** A whole answer of the platform. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What reaches the client: a cut connection, or an answer: at once, spread over `overMs`, or only its first half. */
export type Outcome = "reset" | (Answer & { overMs?: number; stalls?: boolean });

/** What happens to a request; undefined where it passes untouched. */
export type Interference = (asked: Asked, forward: () => Promise<Answer>) => Promise<Outcome> | Outcome | undefined;

/** From request number `from` on nobody listens. */
export interface Outage {
  from: number;
  isForGood: boolean;
}

/** How long a server that comes back is away, in milliseconds: longer than a first wait of the client, shorter than its patience. */
const outageMs = 25;

/** A server between one run and the platform. It passes everything on as it comes, unless it is told to interfere. */
export class Front {
  readonly asked: Asked[] = [];
  interfere: Interference = () => undefined;
  /** Rows of a List page at most, whatever the client asks for. */
  pageLimit = Infinity;
  /** True once requests have found nobody. */
  wasAway = false;
  #outage: Outage | undefined;
  #isClosed = false;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  private constructor(private readonly target: string) {
    this.#server = createServer((incoming, response) => {
      // The platform has cut the connection, or the client has gone.
      this.#serve(incoming, response).catch(() => incoming.socket.resetAndDestroy());
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => undefined);
    });
  }

  static async start(target: string): Promise<Front> {
    const front = new Front(target);
    await front.#listen();
    return front;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async #listen(): Promise<void> {
    await once(this.#server.listen(this.#port, "127.0.0.1"), "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  planOutage(outage: Outage): void {
    this.#outage = outage;
    if (outage.from === 0) this.#leave(outage);
  }

  #leave({ isForGood }: Outage): void {
    this.wasAway = true;
    this.#server.close();
    if (!isForGood) setTimeout(() => void (this.#isClosed || this.#listen()), outageMs);
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
    const outcome = await this.interfere(asked, async () => whole(await open()));
    const untouched = outcome === undefined ? await open() : undefined;
    if (this.#outage !== undefined) {
      // The next request has to connect anew.
      response.shouldKeepAlive = false;
      if (!this.wasAway && asked.ordinal + 1 >= this.#outage.from) this.#leave(this.#outage);
    }
    if (outcome === "reset") incoming.socket.resetAndDestroy();
    else if (outcome !== undefined) await deliver(outcome, response);
    else if (untouched !== undefined) await pass(untouched, response);
  }

  /** Sends a request on; resolves when the head of the answer is there. */
  async #forward({ method, headers }: IncomingMessage, url: URL, body: Buffer): Promise<IncomingMessage> {
    const { host: _host, connection: _connection, ...kept } = headers;
    const target = new URL(url);
    if (this.pageLimit < Number(target.searchParams.get("page_size") ?? 0))
      target.searchParams.set("page_size", String(this.pageLimit));
    const request = send(target, { method: method ?? "GET", headers: kept, agent: this.#agent });
    request.end(body);
    const [answer] = (await once(request, "response")) as [IncomingMessage];
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

/** Hands bytes on as they come, and breaks off where the platform breaks off. */
async function pass(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 0, headersOf(answer));
  for await (const chunk of answer) response.write(chunk);
  response.end();
}

async function deliver(answer: Exclude<Outcome, "reset">, response: ServerResponse): Promise<void> {
  const body = Buffer.from(answer.body);
  response.sendDate = false;
  response.writeHead(answer.status, { ...answer.headers, "content-length": body.length });
  const drops = answer.overMs === undefined ? 1 : 5;
  const size = Math.max(1, Math.ceil((answer.stalls ? body.length / 2 : body.length) / drops));
  for (let start = 0, count = 0; start < body.length && count < drops; start += size, count++) {
    if (answer.overMs !== undefined) await sleep(answer.overMs / drops);
    response.write(body.subarray(start, start + size));
  }
  if (!answer.stalls) response.end();
}
