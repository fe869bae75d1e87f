import { z } from "zod";
import { hasCode, type PlatformError } from "../client/errors";
import { rememberToken } from "../client/redact";
import type { Timing } from "../client/retry";
import { type ApiToken, credentialsError, sentence } from "./api-token";
import { getWithBearer } from "./bearer-request";
import type { Configuration } from "./configuration";
import type { OidcTokenSource } from "./credential-source";
import { claimsOf, expiryOf, isTokenWord } from "./jwt";
import { claimText, fetchOidcToken, type OidcToken } from "./oidc-token";

/** Life of an exchanged token that does not state its own, in milliseconds (SPEC §8). */
const defaultLifetime = 3_600_000;

const exchangeAnswer = z.looseObject({ token: z.string().refine(isTokenWord), expiry: z.string().nullish() });

/**
 * Exchanges the OIDC token that `source` has now for an API token (SPEC §5.3, API-FACTS §6).
 *
 * @throws PlatformError `CREDENTIALS`
 */
export async function exchangeToken(
  source: OidcTokenSource,
  configuration: Configuration,
  now: () => number,
  timing: Timing,
): Promise<ApiToken> {
  const oidc = await fetchOidcToken(source, configuration, now());
  const url = new URL(`${configuration.authUrl}/sts/exchange`);
  url.searchParams.set("aud", configuration.audience);
  if (configuration.identity) url.searchParams.set("identity", configuration.identity);
  try {
    const { token, expiry } = await getWithBearer(url, oidc.token, exchangeAnswer, timing);
    rememberToken(token);
    // A stated end that has passed is a zero value or a clock that is wrong: a new exchange would not help.
    const stated = [Date.parse(expiry ?? ""), expiryOf(claimsOf(token))].find((end) => end !== undefined && end > now());
    const login = { issuer: oidc.claims.iss, subject: oidc.claims.sub };
    return { token, expiresAt: stated ?? now() + defaultLifetime, login };
  } catch (error) {
    throw credentialsError(`No API token: ${sentence(error)} ${advice(error, oidc, source, configuration)}`, error);
  }
}

function advice(error: unknown, { claims }: OidcToken, source: OidcTokenSource, { authUrl, identity }: Configuration): string {
  if (hasCode(error, "RESOURCE_EXHAUSTED", "UNAVAILABLE", "DEADLINE_EXCEEDED")) return "Try again later.";
  const address = `Is ${authUrl} the token-issuing address? Set it in platform:authUrl (PLATFORM_AUTH_URL).`;
  if (!isRefusal(error)) return address;
  return [
    `The OIDC token of ${source.origin} has issuer ${claimText(claims.iss)}, subject ${claimText(claims.sub)}`,
    `and audience ${claimText(claims.aud)}; the identity to assume is ${identity ?? "left to the platform (platform:identity is not set)"}.`,
    "Check that this identity exists, that its claimMatch fits these claims, and that platform:audience is right.",
    ...(hasCode(error, "NOT_FOUND", "UNIMPLEMENTED") ? [address] : []),
  ].join(" ");
}

/** The platform itself said no; anything else came from a wrong address or from something in between. */
function isRefusal(error: unknown): boolean {
  return (error as Partial<PlatformError>).fromPlatform === true;
}
