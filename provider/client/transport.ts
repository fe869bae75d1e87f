import { AdaptiveLimit } from "./adaptive-limit";
import { parseAnswer } from "./answer";
import { hasCode, PlatformError } from "./errors";
import { type HttpResponse, maxConnections, send } from "./http";
import { rememberToken } from "./redact";
import { defaultTiming, type Repetition, type Timing, withRetries } from "./retry";
import type { Caller, TokenSource } from "./token-source";

/** Values of a query; a list repeats its key (API-FACTS §3.1). */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** One call of the API. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path after the base address, with `{version}` for the API version: `/iam/{version}/groups`. */
  path: string;
  query?: Query;
  body?: object;
  repetition: Repetition;
  signal?: AbortSignal | undefined;
  /** Told right before each attempt goes out. */
  onSend?: () => void;
}

/** What a client is made of. */
export interface TransportOptions {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  apiVersion: "v2beta1" | "v2";
  tokens: TokenSource;
  timing?: Partial<Timing>;
}

/** Authenticated calls: deadlines, retries, one renewal of the token on a 401, typed errors. */
export class Transport {
  readonly timing: Timing;
  /** True once anything but a GET was sent. */
  hasWritten = false;
  readonly #limit = new AdaptiveLimit(maxConnections);
  #serverClock: { time: number; at: number } | undefined;

  constructor(private readonly options: TransportOptions) {
    this.timing = { ...defaultTiming, ...options.timing };
  }

  /**
   * @returns the parsed JSON of the answer; undefined when it has no body
   * @throws PlatformError
   */
  async call(call: Call): Promise<unknown> {
    return withRetries(
      (timeLeft) => this.#limit.run(() => this.#attempt(call, timeLeft), call.signal),
      call.repetition,
      this.timing,
      call.signal,
    );
  }

  /** Whose token is in use; undefined where that is unknown. */
  async caller(): Promise<Caller | undefined> {
    return this.options.tokens.caller?.();
  }

  /** Takes a fresh token into use, where one can be had. */
  async renewToken(): Promise<void> {
    await this.options.tokens.renew?.();
  }

  /**
   * The latest time that the platform's own clock can be proven to have reached by now, in milliseconds
   * since 1970: the `Date` of its last answer and the time since then. Undefined before any answer.
   */
  serverTime(): number | undefined {
    return this.#serverClock && this.#serverClock.time + (performance.now() - this.#serverClock.at);
  }

  async #attempt(call: Call, timeLeft: () => number): Promise<unknown> {
    const token = await this.#token(call.signal);
    try {
      return await this.#send(call, token, timeLeft());
    } catch (error) {
      // A 401 is answered before anything is applied, so every method may be sent again.
      if (!hasCode(error, "UNAUTHENTICATED") || !this.options.tokens.forget(token)) throw error;
      return await this.#send(call, await this.#token(call.signal), timeLeft());
    }
  }

  /** A token, which others may wait for too: a caller that gives up leaves its fetch alone. */
  async #token(signal: AbortSignal | undefined): Promise<string> {
    const cancelled = () => new PlatformError("CALLER_ABORTED", "Cancelled while waiting for a token.");
    if (signal?.aborted) throw cancelled();
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        reject(cancelled());
      };
    });
    signal?.addEventListener("abort", onAbort);
    try {
      const token = await Promise.race([this.options.tokens.token(), aborted]);
      rememberToken(token);
      return token;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #send(call: Call, token: string, timeoutMs: number): Promise<unknown> {
    const url = this.#url(call);
    call.onSend?.();
    if (call.method !== "GET") this.hasWritten = true;
    const response = await send({
      method: call.method,
      url,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(call.body && { "content-type": "application/json" }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      timeoutMs,
      signal: call.signal,
    });
    this.#readClock(response);
    return parseAnswer(response, `${call.method} ${url.pathname}`);
  }

  #url({ path, query = {} }: Call): URL {
    const url = new URL(this.options.baseUrl + path.replace("{version}", this.options.apiVersion));
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of Array.isArray(value) ? (value as readonly string[]) : [value])
        url.searchParams.append(name, String(item));
    }
    // A plus sign means a space only in forms; the platform documents `%20` (SPEC §4).
    url.search = url.search.replaceAll("+", "%20");
    return url;
  }

  #readClock(response: HttpResponse): void {
    const time = Date.parse(response.headers["date"] ?? "");
    if (Number.isNaN(time)) return;
    const at = performance.now();
    const known = this.serverTime();
    // The header counts whole seconds: the later of the two lower bounds is the better one.
    if (known === undefined || time > known) this.#serverClock = { time, at };
  }
}
