import { z } from "zod";
import { hasCode, isLoginAtProxy, PlatformError } from "../client/errors";
import { rememberToken } from "../client/redact";
import type { Timing } from "../client/retry";
import { type ApiToken, credentialsError, sentence } from "./api-token";
import { getWithBearer, isServerFault } from "./bearer-request";
import type { Configuration } from "./configuration";
import type { OidcTokenSource } from "./credential-source";
import { claimsOf, expiryOf, isTokenWord } from "./jwt";
import { claimText, fetchOidcToken, type OidcToken } from "./oidc-token";
import { settingName } from "./settings";
import type { TokenClock } from "./token-clock";

/** Path of the exchange at the token-issuing address. */
export const exchangePath = "/sts/exchange";

/** Life of an exchanged token without an expiry, in milliseconds (docs/platform-api.md#token-exchange). */
const defaultLifetime = 3_600_000;

const exchangeAnswer = z.looseObject({ token: z.string().refine(isTokenWord), expiry: z.string().nullish() });

/** The parts that tests replace. */
export interface ExchangeOptions {
  readonly clock: TokenClock;
  /** Deadlines and delays of the requests. */
  readonly timing: Timing;
}

/**
 * Exchanges the current OIDC token of `source` for an API token (docs/platform-api.md#token-exchange).
 *
 * @throws PlatformError `CREDENTIALS`
 */
export async function exchangeToken(
  source: OidcTokenSource,
  configuration: Configuration,
  { clock, timing }: ExchangeOptions,
): Promise<ApiToken> {
  const oidc = await fetchOidcToken(source, configuration, { clock, timing });
  const url = new URL(`${configuration.authUrl}${exchangePath}`);
  url.searchParams.set("aud", configuration.audience);
  if (configuration.identity) url.searchParams.set("identity", configuration.identity);
  try {
    const { token, expiry } = await getWithBearer(url, oidc.token, { schema: exchangeAnswer, timing });
    rememberToken(token);
    // An expiry in the past is a zero value or a wrong clock; another exchange would not help.
    const stated = [Date.parse(expiry ?? ""), expiryOf(claimsOf(token))].find((end) => end !== undefined && end > clock.now());
    const login = { issuer: oidc.claims.iss, subject: oidc.claims.sub };
    return { token, expiresAt: stated ?? clock.now() + defaultLifetime, login };
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw credentialsError(`No API token: ${sentence(error)}\n${advice(error, oidc, source, configuration)}`.trimEnd(), error);
  }
}

function advice(error: PlatformError, { claims }: OidcToken, source: OidcTokenSource, configuration: Configuration): string {
  const { fromPlatform } = error;
  if (isServerFault(error) || hasCode(error, "RESOURCE_EXHAUSTED", "UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED"))
    return "Try again later.";
  // The error already names the setting.
  if (hasCode(error, "CONFIGURATION") || isLoginAtProxy(error)) return "";
  // Other errors come from a wrong address or a proxy.
  if (!fromPlatform) return checkAddress(configuration);
  const assumed = configuration.identity ?? `left to the platform (${settingName("identity", configuration)} is not set)`;
  return [
    `The OIDC token of ${source.origin} has issuer ${claimText(claims.iss)}, subject ${claimText(claims.sub)}`,
    `and audience ${claimText(claims.aud)}; the identity to assume is ${assumed}.`,
    `Check that this identity exists, that its claimMatch matches these claims, and that ${settingName("audience", configuration)} is right.`,
    ...(hasCode(error, "NOT_FOUND", "UNIMPLEMENTED") ? [checkAddress(configuration)] : []),
  ].join(" ");
}

/** Without `authUrl` the API address issues the tokens, so that address is probably wrong. */
function checkAddress(configuration: Configuration): string {
  const { baseUrl, authUrl } = configuration;
  const [base, auth] = [settingName("baseUrl", configuration), settingName("authUrl", configuration)];
  return authUrl === baseUrl
    ? `Check ${base}: ${baseUrl} is the API address and the token-issuing address. If another address issues the tokens, set ${auth}.`
    : `Check ${auth}: is ${authUrl} the token-issuing address?`;
}
