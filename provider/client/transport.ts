import { AdaptiveLimit } from "./adaptive-limit";
import { parseAnswer } from "./answer";
import { type ApiVersion, servedVersion, servedVersions } from "./api-version";
import { type Clock, monotonicClock } from "./clock";
import { hasCode, PlatformError, withAdvice } from "./errors";
import { type HttpResponse, maxConnections, send } from "./http";
import { interruptionOf, unlessAborted, untilInterrupted, whyAborted } from "./interruption";
import { withNextStep } from "./next-step";
import { rememberToken } from "./redact";
import { defaultTiming, type Repetition, type Timing, withRetries } from "./retry";
import { SingleFlight } from "./single-flight";
import type { Caller, RegistryToken, RegistryTokenRequest, TokenFacts, TokenSource } from "./token-source";

/** Values of a query; a list repeats its key. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** One call of the API. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path after the base address, with `{version}` for the API version: `/iam/{version}/groups`. */
  path: string;
  query?: Query;
  body?: object;
  repetition: Repetition;
  /** A POST that changes nothing: a question with a body. */
  isRead?: true;
  signal?: AbortSignal | undefined;
  /** Called right before each attempt is sent. */
  onSend?: () => void;
  /** Called with the error of each attempt that was sent and failed, before another one follows. */
  onFailed?: (error: unknown) => void;
  /** Called before another attempt, with the error of the last one; see {@link withRetries}. */
  beforeRepeat?: (error: PlatformError) => Promise<void>;
}

/** What one attempt of a call has. */
interface Attempting {
  readonly url: URL;
  /** See {@link withRetries}. */
  readonly timeLeft: () => number;
  /** Ends the wait for a token. */
  readonly signal: AbortSignal | undefined;
}

/** What a client is made of. */
export interface TransportOptions {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  /** `auto`: the platform is asked once which version it serves. */
  apiVersion: ApiVersion | "auto";
  tokens: TokenSource;
  /** Rejects every call that could change something, before it is sent. Default: false. */
  readOnly?: boolean;
  /** Most calls at once, 1 to {@link maxConnections}. Default: as many. */
  concurrency?: number;
  timing?: Partial<Timing>;
  /** Default: the monotonic clock of this process. */
  clock?: Clock;
}

function readOnly({ method, path }: Call): PlatformError {
  return new PlatformError(
    "READ_ONLY",
    `${method} ${path.replace("/{version}", "")}: PLATFORM_READ_ONLY is set, so this run may only read. Nothing was sent. ` +
      "Preview and refresh work; to apply the change, run `pulumi up` without PLATFORM_READ_ONLY.",
  );
}

/** Authenticated calls: deadlines, retries, a limit that adapts to 429s, one renewal of the token on a 401, typed errors. */
export class Transport {
  readonly timing: Timing;
  /** True once this client has sent anything but a GET. */
  hasWritten = false;
  /** Requests sent so far, retries included; not those for tokens. */
  requests = 0;
  readonly #options: TransportOptions;
  readonly #limit: AdaptiveLimit;
  /** The clock of every wait of this client. */
  readonly clock: Clock;
  #serverClock: { time: number; at: number } | undefined;
  readonly #served = new SingleFlight<ApiVersion>();

  constructor(options: TransportOptions) {
    this.#options = options;
    const { concurrency = maxConnections, timing, clock = monotonicClock } = options;
    this.timing = { ...defaultTiming, ...timing };
    this.#limit = new AdaptiveLimit(concurrency);
    this.clock = clock;
  }

  /**
   * @returns the parsed JSON of the answer; undefined when it has no body
   * @throws PlatformError
   */
  async call(call: Call): Promise<unknown> {
    const { repetition, beforeRepeat } = call;
    const signal = interruptionOf("waits", call.signal);
    if (this.#options.readOnly && call.method !== "GET" && !call.isRead) throw readOnly(call);
    try {
      const version = await this.#version(signal);
      const options = { repetition, timing: this.timing, signal, clock: this.clock, beforeRepeat };
      return await withRetries(
        (timeLeft) => this.#limit.run(() => this.#attempt(call, { url: this.#url(call, version), timeLeft, signal }), signal),
        options,
      );
    } catch (error) {
      throw withNextStep(error, repetition);
    }
  }

  /** Whose token this client uses; undefined where that is unknown. */
  async caller(): Promise<Caller | undefined> {
    return untilInterrupted(Promise.resolve(this.#options.tokens.caller?.()));
  }

  /** What is known of the token in use; undefined where nothing is. @throws PlatformError `CREDENTIALS` if there is none */
  async tokenFacts(): Promise<TokenFacts | undefined> {
    return untilInterrupted(Promise.resolve(this.#options.tokens.facts?.()));
  }

  /**
   * The known versions of the API that the platform serves, asked without a token. With `auto`, also whether calls find out which to use.
   *
   * @throws PlatformError if that cannot be found out
   */
  async servedVersions(): Promise<ApiVersion[]> {
    try {
      await this.#version(undefined);
      return await servedVersions((path) => this.#ping(path));
    } catch (error) {
      throw withNextStep(error, "repeatable");
    }
  }

  /** Replaces the token in use by a fresh one, where the source has one. */
  async renewToken(): Promise<void> {
    await untilInterrupted(Promise.resolve(this.#options.tokens.renew?.()));
  }

  /** A new token for a registry. It is no API token: the API rejects its audience. @throws PlatformError `CREDENTIALS` */
  async registryToken(request: RegistryTokenRequest): Promise<RegistryToken> {
    const { tokens } = this.#options;
    if (tokens.registryToken === undefined)
      throw new PlatformError("CREDENTIALS", `No token for the registry ${request.registry}: this client has none.`);
    return tokens.registryToken(request);
  }

  /**
   * The latest time that the platform's own clock has provably reached by now, in milliseconds since 1970: the `Date` of its
   * last answer plus the time since then. Undefined before any answer.
   */
  serverTime(): number | undefined {
    return this.#serverClock && this.#serverClock.time + (this.clock.now() - this.#serverClock.at);
  }

  /** The version to send calls in. A failed question is asked again by the next call. */
  async #version(signal: AbortSignal | undefined): Promise<ApiVersion> {
    const { apiVersion, baseUrl } = this.#options;
    if (apiVersion !== "auto") return apiVersion;
    const asking = this.#served.call("", () => servedVersion(baseUrl, (path) => this.#ping(path)));
    return unlessAborted(asking, signal, (reason) => `The version of the API is not known yet. ${reason}`);
  }

  /** A GET that needs no token. */
  async #ping(path: string): Promise<unknown> {
    const url = new URL(this.#options.baseUrl + path);
    const get = async (timeLeft: () => number) => {
      const headers = { accept: "application/json" };
      const response = await send({ method: "GET", url, headers, timeoutMs: timeLeft(), clock: this.clock });
      this.#readClock(response);
      return parseAnswer(response, `GET ${url.pathname}`);
    };
    return withRetries(get, { repetition: "repeatable", timing: this.timing, clock: this.clock });
  }

  async #attempt(call: Call, { url, timeLeft, signal }: Attempting): Promise<unknown> {
    const token = await this.#token(signal);
    try {
      return await this.#send(call, url, token, timeLeft());
    } catch (error) {
      // A 401 is returned before anything is applied, so every method may be sent again.
      if (!hasCode(error, "UNAUTHENTICATED")) throw error;
      if (!this.#options.tokens.forget(token)) throw this.#explained(error);
    }
    const renewed = await this.#token(signal);
    try {
      return await this.#send(call, url, renewed, timeLeft());
    } catch (error) {
      throw hasCode(error, "UNAUTHENTICATED") ? this.#explained(error) : error;
    }
  }

  /** A 401 with where the token came from and what to do. */
  #explained(error: PlatformError): PlatformError {
    return this.#options.tokens.advice === undefined ? error : withAdvice(error, this.#options.tokens.advice);
  }

  async #token(signal: AbortSignal | undefined): Promise<string> {
    if (signal?.aborted) throw new PlatformError("CALLER_ABORTED", whyAborted(signal));
    const token = await unlessAborted(this.#options.tokens.token(), signal, (reason) => `No token yet. ${reason}`);
    rememberToken(token);
    return token;
  }

  async #send(call: Call, url: URL, token: string, timeoutMs: number): Promise<unknown> {
    call.onSend?.();
    this.requests++;
    if (call.method !== "GET") this.hasWritten = true;
    try {
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
        clock: this.clock,
        signal: interruptionOf(call.method === "GET" ? "waits" : "sent", call.signal),
      });
      this.#readClock(response);
      return parseAnswer(response, `${call.method} ${url.pathname}`);
    } catch (error) {
      call.onFailed?.(error);
      throw error;
    }
  }

  #url({ path, query = {} }: Call, version: ApiVersion): URL {
    const url = new URL(this.#options.baseUrl + path.replace("{version}", version));
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of Array.isArray(value) ? (value as readonly string[]) : [value])
        url.searchParams.append(name, String(item));
    }
    // A plus sign means a space in forms only; the platform documents `%20`.
    url.search = url.search.replaceAll("+", "%20");
    return url;
  }

  #readClock(response: HttpResponse): void {
    const time = Date.parse(response.headers["date"] ?? "");
    if (Number.isNaN(time)) return;
    const at = this.clock.now();
    const known = this.#serverClock && this.#serverClock.time + (at - this.#serverClock.at);
    // The header has whole seconds: of two lower bounds, the later is closer.
    if (known === undefined || time > known) this.#serverClock = { time, at };
  }
}
