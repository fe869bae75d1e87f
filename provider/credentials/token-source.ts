import { PlatformError } from "../client/errors";
import { defaultTiming, type Timing } from "../client/retry";
import { SingleFlight } from "../client/single-flight";
import type { Caller, TokenFacts, TokenSource } from "../client/token-source";
import { hasPlatformForm, isUid } from "../client/uid";
import { type ApiToken, statedToken } from "./api-token";
import type { Configuration } from "./configuration";
import type { CredentialSource } from "./credential-source";
import { exchangeToken } from "./exchange";
import { audiencesOf, claimsOf } from "./jwt";
import { nameOf } from "./settings";
import { runTokenCommand } from "./token-command";

/** What tests replace. */
export interface TokenSourceOptions {
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
  /** Deadlines and delays of the requests for tokens. Default: those of every program. */
  timing?: Partial<Timing>;
}

/** A token is renewed this long before it expires, in milliseconds, or in the last fifth of a life too short for that. */
const renewalMs = 60_000;

/** The tokens of one configuration, shared by all calls that use it. Fetches nothing before the first call needs it. */
export function createTokenSource(configuration: Configuration, options: TokenSourceOptions = {}): TokenSource {
  const { credentials } = configuration;
  const { now = Date.now } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const advice = adviceOn(credentials, configuration);
  switch (credentials.kind) {
    case "token":
      return {
        advice,
        token: async () => Promise.resolve(statedToken(credentials.token, credentials.origin, now()).token),
        forget: () => false,
        caller: () => Promise.resolve(callerOf(credentials, configuration)),
        facts: async () => Promise.resolve(factsOf(statedToken(credentials.token, credentials.origin, now()))),
      };
    case "command":
      return new RenewedTokens(advice, () => runTokenCommand(credentials.words, credentials.origin, now), configuration, now);
    default:
      return new RenewedTokens(advice, () => exchangeToken(credentials, configuration, now, timing), configuration, now);
  }
}

/** Where the tokens come from and what to check when the platform rejects one. */
function adviceOn(credentials: CredentialSource, { audience, authUrl, hasStack }: Configuration): string {
  switch (credentials.kind) {
    case "token":
      return `The token came from ${credentials.origin}: set it to a token that has not expired and is for this platform and audience.`;
    case "command":
      return `The token came from the command in ${credentials.origin}: check that it prints a token for this platform and audience.`;
    default:
      return (
        `The token came from ${authUrl} in exchange for the OIDC token of ${credentials.origin}, for the audience ${audience}. ` +
        `Check ${nameOf("audience", hasStack)} and ${nameOf("baseUrl", hasStack)}.`
      );
  }
}

/** Uid of the identity that calls will be made as, as far as the configuration says so; undefined if only a token will. */
export function statedCaller(configuration: Configuration): string | undefined {
  const { credentials, identity } = configuration;
  return credentials.kind === "token" ? callerOf(credentials, configuration)?.uid : identity;
}

/** The identity that a token names, else the one to assume. A subject in another form than the platform's uids may be any word. */
function callerOf({ token, login }: Pick<ApiToken, "token" | "login">, { identity }: Configuration): Caller | undefined {
  const { sub } = claimsOf(token) ?? {};
  const named = typeof sub === "string" && isUid(sub) ? sub : undefined;
  const uid = named !== undefined && hasPlatformForm(named) ? named : (identity ?? named);
  return uid === undefined ? undefined : { uid, ...(login && { login }) };
}

function factsOf({ token, expiresAt }: ApiToken): TokenFacts {
  const claims = claimsOf(token) ?? {};
  return {
    audience: audiencesOf(claims),
    ...(expiresAt !== Infinity && { expiresAt }),
    ...(typeof claims.sub === "string" && { subject: claims.sub }),
  };
}

/** Caches one token and fetches the next in time, once for all waiting callers. Failures are not cached. */
class RenewedTokens implements TokenSource {
  #current: (ApiToken & { readonly renewAt: number }) | undefined;
  readonly #fetching = new SingleFlight<ApiToken>("nothing");

  constructor(
    readonly advice: string,
    private readonly fetch: () => Promise<ApiToken>,
    private readonly configuration: Configuration,
    private readonly now: () => number,
  ) {}

  async token(): Promise<string> {
    return (await this.#valid()).token;
  }

  forget(rejected: string): boolean {
    if (this.#current?.token === rejected) this.#current = undefined;
    return true;
  }

  async caller(): Promise<Caller | undefined> {
    return callerOf(await this.#valid(), this.configuration);
  }

  async facts(): Promise<TokenFacts> {
    return factsOf(await this.#valid());
  }

  async renew(): Promise<void> {
    // A token on its way may be a snapshot of access from before this call (docs/platform-api.md#token-snapshots).
    await this.#fetching.known("")?.catch(() => undefined);
    await this.#fetchOnce();
  }

  async #valid(): Promise<ApiToken> {
    return this.#current && this.now() < this.#current.renewAt ? this.#current : this.#fetchOnce();
  }

  #fetchOnce(): Promise<ApiToken> {
    return this.#fetching.once("", () => this.#fetchNext());
  }

  async #fetchNext(): Promise<ApiToken> {
    try {
      const start = this.now();
      const next = await this.fetch();
      this.#current = { ...next, renewAt: next.expiresAt - Math.min(renewalMs, (next.expiresAt - start) / 5) };
      return next;
    } catch (error) {
      // Renewal starts before the token expires, so a transient fault costs nothing.
      if (PlatformError.isInstance(error) && this.#current && this.now() < this.#current.expiresAt) return this.#current;
      throw error;
    }
  }
}
