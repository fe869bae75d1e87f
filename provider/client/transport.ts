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
import { type CallTrace, traced } from "./tracing";

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
  /** True for a POST that changes nothing, which is a query with a body. */
  isRead?: true;
  signal?: AbortSignal | undefined;
  /** Called right before each attempt is sent. */
  onSend?: () => void;
  /** Called with the error of each attempt that was sent and failed, before another one follows. */
  onFailed?: (error: unknown) => void;
  /** Called before another attempt, with the error of the last one; see {@link withRetries}. */
  beforeRepeat?: (error: PlatformError) => Promise<void>;
}

/** The context of one attempt of a call. */
interface Attempting {
  readonly url: URL;
  /** See {@link withRetries}. */
  readonly timeLeft: () => number;
  /** Ends the wait for a token. */
  readonly signal: AbortSignal | undefined;
  readonly trace: CallTrace | undefined;
}

/** The parts of a client. */
export interface TransportOptions {
  /** Address of the API, without a trailing slash. */
  baseUrl: string;
  /** `auto`: the platform is asked once for the version that it serves. */
  apiVersion: ApiVersion | "auto";
  tokens: TokenSource;
  /** Rejects every call that could change something before it is sent. Default: false. */
  readOnly?: boolean;
  /** Maximum number of concurrent calls, 1 to {@link maxConnections}. Default: the maximum. */
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

function withVersion({ path }: Call, version: ApiVersion): string {
  return path.replace("{version}", version);
}

/** Authenticated calls with deadlines, retries, a limit that adapts to 429s, one renewal of the token on a 401, and typed errors. */
export class Transport {
  readonly timing: Timing;
  /** True once this client has sent anything but a GET. */
  hasWritten = false;
  /** Number of requests sent so far, including retries and excluding requests for tokens. */
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
      return await traced({ method: call.method, path: withVersion(call, version) }, (trace) =>
        withRetries(
          (timeLeft) =>
            this.#limit.run(() => this.#attempt(call, { url: this.#url(call, version), timeLeft, signal, trace }), signal),
          options,
        ),
      );
    } catch (error) {
      throw withNextStep(error, repetition);
    }
  }

  /** The identity of this client's token; undefined if it is unknown. */
  async caller(): Promise<Caller | undefined> {
    return untilInterrupted(Promise.resolve(this.#options.tokens.caller?.()));
  }

  /** Facts about the token in use; undefined if nothing is known. @throws PlatformError `CREDENTIALS` if there is no token */
  async tokenFacts(): Promise<TokenFacts | undefined> {
    return untilInterrupted(Promise.resolve(this.#options.tokens.facts?.()));
  }

  /**
   * The known versions of the API that the platform serves, requested without a token. With `auto`, this also shows whether calls can
   * determine their version.
   *
   * @throws PlatformError if the versions cannot be determined
   */
  async servedVersions(): Promise<ApiVersion[]> {
    try {
      await this.#version(undefined);
      return await servedVersions((path) => this.#ping(path));
    } catch (error) {
      throw withNextStep(error, "repeatable");
    }
  }

  /** Replaces the token in use by a new one, if the source has one. */
  async renewToken(): Promise<void> {
    await untilInterrupted(Promise.resolve(this.#options.tokens.renew?.()));
  }

  /** A new token for a registry. The API rejects it because of its audience. @throws PlatformError `CREDENTIALS` */
  async registryToken(request: RegistryTokenRequest): Promise<RegistryToken> {
    const { tokens } = this.#options;
    if (tokens.registryToken === undefined)
      throw new PlatformError("CREDENTIALS", `No token for the registry ${request.registry}: this client has none.`);
    return tokens.registryToken(request);
  }

  /**
   * A time in milliseconds since 1970 that the platform's clock has provably reached. It is the `Date` of the last answer plus the time
   * since then. Undefined before any answer.
   */
  serverTime(): number | undefined {
    return this.#serverClock && this.#serverClock.time + (this.clock.now() - this.#serverClock.at);
  }

  /** The API version of calls. After a failure, the next call asks again. */
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

  async #attempt(call: Call, attempting: Attempting): Promise<unknown> {
    const { signal } = attempting;
    const token = await this.#token(signal);
    try {
      return await this.#send(call, token, attempting);
    } catch (error) {
      // A 401 is returned before anything is applied, so every method may be sent again.
      if (!hasCode(error, "UNAUTHENTICATED")) throw error;
      if (!this.#options.tokens.forget(token)) throw this.#explained(error);
    }
    const renewed = await this.#token(signal);
    try {
      return await this.#send(call, renewed, attempting);
    } catch (error) {
      throw hasCode(error, "UNAUTHENTICATED") ? this.#explained(error) : error;
    }
  }

  /** A 401 with the origin of the token and the remedy. */
  #explained(error: PlatformError): PlatformError {
    return this.#options.tokens.advice === undefined ? error : withAdvice(error, this.#options.tokens.advice);
  }

  async #token(signal: AbortSignal | undefined): Promise<string> {
    if (signal?.aborted) throw new PlatformError("CALLER_ABORTED", whyAborted(signal));
    const token = await unlessAborted(this.#options.tokens.token(), signal, (reason) => `No token yet. ${reason}`);
    rememberToken(token);
    return token;
  }

  async #send(call: Call, token: string, { url, timeLeft, trace }: Attempting): Promise<unknown> {
    const timeoutMs = timeLeft();
    call.onSend?.();
    trace?.sent();
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
      trace?.answered(response);
      this.#readClock(response);
      return parseAnswer(response, `${call.method} ${url.pathname}`);
    } catch (error) {
      call.onFailed?.(error);
      throw error;
    }
  }

  #url(call: Call, version: ApiVersion): URL {
    const { query = {} } = call;
    const url = new URL(this.#options.baseUrl + withVersion(call, version));
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of Array.isArray(value) ? (value as readonly string[]) : [value])
        url.searchParams.append(name, String(item));
    }
    // A plus sign means a space only in forms; the platform documents `%20`.
    url.search = url.search.replaceAll("+", "%20");
    return url;
  }

  #readClock(response: HttpResponse): void {
    const time = Date.parse(response.headers["date"] ?? "");
    if (Number.isNaN(time)) return;
    const at = this.clock.now();
    const known = this.#serverClock && this.#serverClock.time + (at - this.#serverClock.at);
    // The header has whole seconds. Of two lower bounds, the later one is closer.
    if (known === undefined || time > known) this.#serverClock = { time, at };
  }
}
