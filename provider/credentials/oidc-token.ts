import { z } from "zod";
import { PlatformError, withAdvice } from "../client/errors";
import { rememberToken } from "../client/redact";
import type { Timing } from "../client/retry";
import { credentialsError, sentence } from "./api-token";
import { getWithBearer } from "./bearer-request";
import { type Configuration, withoutTrailingSlash } from "./configuration";
import type { OidcTokenSource } from "./credential-source";
import { audiencesOf, type Claims, claimsOf, expiryOf, isTokenWord, timeText } from "./jwt";
import { readTokenFile } from "./token-file";
import { settingName } from "./settings";

/** A token of the workload's own platform, ready to be exchanged. */
export interface OidcToken {
  readonly token: string;
  readonly claims: Claims;
}

const githubAnswer = z.looseObject({ value: z.string().min(1) });

/**
 * The current OIDC token of `source`, checked as far as possible without its issuer's keys.
 *
 * @throws PlatformError `CREDENTIALS` when there is none, it has expired, or it is for another audience
 */
export async function fetchOidcToken(
  source: OidcTokenSource,
  configuration: Configuration,
  { now, timing }: { readonly now: () => number; readonly timing: Timing },
): Promise<OidcToken> {
  const token = await tokenOf(source, configuration.oidcAudience, timing);
  rememberToken(token);
  const fail = (why: string) => credentialsError(`The OIDC token of ${source.origin} ${why}`);
  const claims = isTokenWord(token) ? claimsOf(token) : undefined;
  if (!claims) throw fail("is not a JSON Web Token. Nothing was sent. Set it to the token only.");
  const expiresAt = expiryOf(claims);
  if (expiresAt !== undefined && expiresAt <= now()) {
    throw withAdvice(fail(`expired at ${timeText(expiresAt)}. Nothing was sent.`), "Get a new one from the workload's platform.");
  }
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
    return (await getWithBearer(url, requestToken, githubAnswer, timing)).value;
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw credentialsError(
      `GitHub Actions returned no OIDC token: ${sentence(error)} Check that the job has \`permissions: id-token: write\` and is still running.`,
      error,
    );
  }
}
