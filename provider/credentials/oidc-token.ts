import { z } from "zod";
import { hasCode, PlatformError } from "../client/errors";
import { rememberToken } from "../client/redact";
import type { Timing } from "../client/retry";
import { withoutTrailingSlash } from "./addresses";
import { credentialsError, expired, sentence } from "./api-token";
import { getWithBearer, isServerFault } from "./bearer-request";
import type { Configuration } from "./configuration";
import type { OidcTokenSource } from "./credential-source";
import { audiencesOf, type Claims, claimsOf, expiryOf, isTokenWord } from "./jwt";
import { settingName } from "./settings";
import type { TokenClock } from "./token-clock";
import { readTokenFile } from "./token-file";

/** A token of the workload's own platform, ready to be exchanged. */
export interface OidcToken {
  readonly token: string;
  readonly claims: Claims;
}

const githubAnswer = z.looseObject({ value: z.string().min(1) });

/**
 * True for the errors of a job that has just started, before GitHub's token service knows the job. They are a 403, and a success without
 * a token, the only error without a status.
 */
const isPending = (error: PlatformError) =>
  error.status === 403 || (error.code === "UNEXPECTED_ANSWER" && error.status === undefined);

/**
 * The current OIDC token of `source`, checked as far as possible without its issuer's keys.
 *
 * @throws PlatformError `CREDENTIALS` when there is none, it has expired, or it is for another audience
 */
export async function fetchOidcToken(
  source: OidcTokenSource,
  configuration: Configuration,
  { clock, timing }: { readonly clock: TokenClock; readonly timing: Timing },
): Promise<OidcToken> {
  const token = await tokenOf(source, configuration.oidcAudience, timing);
  rememberToken(token);
  const fail = (why: string) => credentialsError(`The OIDC token of ${source.origin} ${why}`);
  const claims = isTokenWord(token) ? claimsOf(token) : undefined;
  if (!claims) throw fail("is not a JSON Web Token. Nothing was sent. Set it to the token only.");
  const expiresAt = expiryOf(claims);
  if (expiresAt !== undefined && (await clock.hasPassed(expiresAt)))
    throw expired(`The OIDC token of ${source.origin}`, expiresAt, "Get a new one from the workload's platform.");
  const { oidcAudience, oidcAudienceExplicit } = configuration;
  if (oidcAudienceExplicit && !audiencesOf(claims).map(withoutTrailingSlash).includes(oidcAudience)) {
    throw fail(
      `is for the audience ${claimText(claims.aud)}, not for ${JSON.stringify(oidcAudience)}. Nothing was sent. ` +
        `Request that audience from its issuer, or correct ${settingName("oidcAudience", configuration)}.`,
    );
  }
  return { token, claims };
}

/** A claim for messages. A claim is not secret, but the token is. */
export function claimText(claim: unknown): string {
  return claim === undefined ? "(none)" : JSON.stringify(claim).slice(0, 300);
}

async function tokenOf(source: OidcTokenSource, audience: string, timing: Timing): Promise<string> {
  switch (source.kind) {
    case "oidc-token":
      return source.token;
    case "oidc-token-file":
      return readTokenFile(source.path, source.origin);
    case "github-actions":
      return mintAtGithub(source, audience, timing);
  }
}

async function mintAtGithub(
  { requestUrl, requestToken }: Extract<OidcTokenSource, { kind: "github-actions" }>,
  audience: string,
  timing: Timing,
): Promise<string> {
  const url = new URL(requestUrl);
  url.searchParams.set("audience", audience);
  try {
    return (await getWithBearer(url, requestToken, { schema: githubAnswer, timing, passes: isPending })).value;
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw credentialsError(`GitHub Actions returned no OIDC token: ${sentence(error)}\n${adviceAtGithub(error)}`, error);
  }
}

function adviceAtGithub(error: PlatformError): string {
  const isRefusal = hasCode(error, "UNAUTHENTICATED", "PERMISSION_DENIED", "UNEXPECTED_ANSWER", "NOT_FOUND", "INVALID_ARGUMENT");
  return isRefusal && !isServerFault(error)
    ? "Check that the job has `permissions: id-token: write` and is still running."
    : "Run the job again. If it persists, see https://www.githubstatus.com.";
}
