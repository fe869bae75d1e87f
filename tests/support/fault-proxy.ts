import { once } from "node:events";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { atWork } from "./fake-clock";
import { type Answer as AnyAnswer, HttpDouble, type Reaction, type Seen, type Tls } from "./http-double";

/** The facts that tell the requests of a client apart. */
export type Asked = Pick<Seen, "ordinal" | "method" | "path" | "query" | "token">;

/** A complete answer. */
export interface Answer extends AnyAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An answer with a JSON body. */
export function json(status: number, body: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The outcome that reaches the client. */
export type Outcome = Answer | Exclude<Reaction, AnyAnswer>;

/** Decides what happens to a request. Undefined passes it on unchanged. */
export type Interference = (asked: Seen, forward: () => Promise<Answer>) => Promise<Outcome | undefined> | Outcome | undefined;

/** The proxy stops listening before request number `from`. */
export interface Outage {
  from: number;
  isForGood: boolean;
}

/** How long a temporary outage lasts, in milliseconds: longer than the client's first delay, shorter than its budget. */
const outageMs = 25;

/** A proxy between the client and the platform. It passes everything on as it comes, unless a test interferes. */
export class FaultProxy extends HttpDouble {
  interfere: Interference = () => undefined;
  /** Caps the rows of a List page, whatever the client asks for. */
  pageLimit = Infinity;
  /** True once an outage has begun. */
  wasAway = false;
  #outage: Outage | undefined;
  #isClosed = false;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly target: string,
    tls: Tls | undefined,
  ) {
    super(() => "reset", { tls });
    this.react = (asked) => this.#pass(asked);
  }

  /**
   * Starts a proxy on a free port.
   *
   * @param target address of the platform
   * @param tls serves https on `localhost`. Default: http
   */
  static async start(target: string, tls?: Tls): Promise<FaultProxy> {
    return new FaultProxy(target, tls).listen();
  }

  /** Where the client finds the platform. */
  get baseUrl(): string {
    return this.url;
  }

  /** The requests of the client. */
  get asked(): Seen[] {
    return this.seen;
  }

  planOutage(outage: Outage): void {
    this.#outage = outage;
    if (outage.from === 0) this.#leave(outage);
  }

  #leave({ isForGood }: Outage): void {
    this.wasAway = true;
    this.leave();
    if (!isForGood) setTimeout(() => void (this.#isClosed || this.listen()), outageMs);
  }

  async #pass(asked: Seen): Promise<Reaction> {
    const reaction =
      (await this.interfere(asked, () => atWork(this.#forward(asked).then(whole)))) ?? (await this.#asItComes(asked));
    const outage = this.#outage;
    if (outage === undefined) return typeof reaction === "string" ? reaction : { ...reaction, isUndated: true };
    if (!this.wasAway && asked.ordinal + 1 >= outage.from) this.#leave(outage);
    if (typeof reaction === "string") return reaction;
    // Closes the connection, so that the next request has to connect again.
    return { ...reaction, headers: { ...reaction.headers, connection: "close" }, isUndated: true };
  }

  async #asItComes(asked: Seen): Promise<AnyAnswer> {
    const answer = await this.#forward(asked);
    return { status: answer.statusCode ?? 0, headers: headersOf(answer), body: answer };
  }

  /** Sends a request on. Resolves when the head of the answer has come. */
  async #forward({ method, url, headers, body }: Seen): Promise<IncomingMessage> {
    const { host: _host, connection: _connection, ...kept } = headers;
    const target = new URL(url, this.target);
    if (this.pageLimit < Number(target.searchParams.get("page_size") ?? 0))
      target.searchParams.set("page_size", String(this.pageLimit));
    const request = send(target, { method, headers: kept, agent: this.#agent });
    request.end(body);
    const [answer] = (await atWork(once(request, "response"))) as [IncomingMessage];
    return answer;
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    this.#agent.destroy();
    await super.close();
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
