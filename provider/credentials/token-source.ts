import { pathOfPing } from "../client/api-version";
import { PlatformError } from "../client/errors";
import { defaultTiming, type Timing } from "../client/retry";
import { SingleFlight } from "../client/single-flight";
import type { Caller, TokenFacts, TokenSource } from "../client/token-source";
import { hasPlatformForm, isUid } from "../client/uid";
import { type ApiToken, statedToken } from "./api-token";
import type { Configuration } from "./configuration";
import { isExchanged } from "./credential-source";
import { type ExchangeOptions, exchangePath, exchangeToken } from "./exchange";
import { audiencesOf, claimsOf } from "./jwt";
import { fetchRegistryToken } from "./registry-token";
import { settingName } from "./settings";
import { TokenClock } from "./token-clock";
import { runTokenCommand } from "./token-command";

/** The parts that tests replace. */
export interface TokenSourceOptions {
  /** The time in milliseconds since 1970. Default `Date.now`. */
  now?: () => number;
  /** Deadlines and delays of the requests for tokens. Default: the values of every program. */
  timing?: Partial<Timing>;
}

/** The methods of a source of credentials for API tokens. */
type ApiTokens = Omit<TokenSource, "advice" | "registryToken">;

/** A token is renewed this many milliseconds before it expires, or in the last fifth of a shorter life. */
const renewalMs = 60_000;

/** The tokens of one configuration, shared by all calls that use it. Fetches nothing before the first call needs it. */
export function createTokenSource(configuration: Configuration, options: TokenSourceOptions = {}): TokenSource {
  const clock = new TokenClock(judgeOf(configuration), options.now);
  const exchange = { clock, timing: { ...defaultTiming, ...options.timing } };
  return {
    advice: adviceOn(configuration),
    ...apiTokens(configuration, exchange),
    registryToken: (request) => fetchRegistryToken(configuration, request, exchange),
  };
}

/** The address of the server that judges the token which the configuration names. */
function judgeOf({ credentials, baseUrl, authUrl }: Configuration): string {
  return isExchanged(credentials) ? `${authUrl}${exchangePath}` : `${baseUrl}${pathOfPing("v2")}`;
}

function apiTokens(configuration: Configuration, exchange: ExchangeOptions): ApiTokens {
  const { credentials } = configuration;
  const { clock } = exchange;
  switch (credentials.kind) {
    case "token": {
      const stated = () => statedToken(credentials.token, credentials.origin, clock);
      return {
        token: async () => (await stated()).token,
        forget: () => false,
        caller: () => Promise.resolve(callerOf(credentials, configuration)),
        facts: async () => factsOf(await stated()),
      };
    }
    case "command":
      return renewedTokens(configuration, clock, () => runTokenCommand(credentials.words, credentials.origin, clock));
    default:
      return renewedTokens(configuration, clock, () => exchangeToken(credentials, configuration, exchange));
  }
}

/** The origin of the tokens, and the remedy when the platform rejects one. */
function adviceOn(configuration: Configuration): string {
  const { credentials, audience, authUrl } = configuration;
  switch (credentials.kind) {
    case "token":
      return `The token came from ${credentials.origin}: set it to a token that has not expired and is for this platform and audience.`;
    case "command":
      return `The token came from the command in ${credentials.origin}: check that it prints a token for this platform and audience.`;
    default:
      return (
        `The token came from ${authUrl} in exchange for the OIDC token of ${credentials.origin}, for the audience ${audience}. ` +
        `Check ${settingName("audience", configuration)} and ${settingName("baseUrl", configuration)}.`
      );
  }
}

/** Uid of the identity of calls, if the configuration names it; undefined if only a token will. */
export function statedCaller(configuration: Configuration): string | undefined {
  const { credentials, identity } = configuration;
  return credentials.kind === "token" ? callerOf(credentials, configuration)?.uid : identity;
}

/** The identity in a token, otherwise the identity to assume. A subject in another form than the platform's uids may be any word. */
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

/** Keeps one token and fetches the next in time, once for all waiting callers. Failures are not kept. */
function renewedTokens(configuration: Configuration, clock: TokenClock, fetch: () => Promise<ApiToken>): ApiTokens {
  const fetching = new SingleFlight<ApiToken>("nothing");
  let current: (ApiToken & { readonly renewAt: number }) | undefined;
  const fetched = async (): Promise<ApiToken> => {
    try {
      const next = await fetch();
      current = { ...next, renewAt: next.expiresAt - Math.min(renewalMs, (next.expiresAt - clock.now()) / 5) };
      return next;
    } catch (error) {
      // Renewal starts before the token expires, so a transient fault costs nothing.
      if (PlatformError.isInstance(error) && current && clock.now() < current.expiresAt) return current;
      throw error;
    }
  };
  const fresh = () => fetching.once("", fetched);
  const valid = async (): Promise<ApiToken> => (current && clock.now() < current.renewAt ? current : fresh());
  return {
    token: async () => (await valid()).token,
    forget(rejected) {
      if (current?.token === rejected) current = undefined;
      return true;
    },
    caller: async () => callerOf(await valid(), configuration),
    facts: async () => factsOf(await valid()),
    async renew() {
      // A token in flight may still have the access from before this call (docs/platform-api.md#token-snapshots).
      await fetching.known("")?.catch(() => undefined);
      await fresh();
    },
  };
}
