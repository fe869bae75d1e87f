import { z } from "zod";
import { rememberToken } from "../client/redact";
import { credentialsError, sentence } from "./api-token";
import { getWithBearer } from "./bearer-request";
import { type Configuration, withoutTrailingSlash } from "./configuration";
import type { OidcTokenSource } from "./credential-source";
import { type Claims, claimsOf, expiryOf, isTokenWord, timeText } from "./jwt";
import { readTokenFile } from "./token-file";

/** A token of the workload's own platform, fit to be exchanged (SPEC §5.2). */
export interface OidcToken {
  readonly token: string;
  readonly claims: Claims;
}

const githubAnswer = z.looseObject({ value: z.string().min(1) });

/**
 * The OIDC token that `source` has now, checked as far as can be without its issuer's keys.
 *
 * @throws PlatformError `CREDENTIALS` when there is none, it has expired, or it is for another audience
 */
export async function fetchOidcToken(source: OidcTokenSource, configuration: Configuration, now: number): Promise<OidcToken> {
  const token = await tokenOf(source, configuration.oidcAudience);
  rememberToken(token);
  const fail = (why: string) => credentialsError(`The OIDC token of ${source.origin} ${why}`);
  const claims = isTokenWord(token) ? claimsOf(token) : undefined;
  if (!claims) throw fail("is not a JSON Web Token, so it was not sent. It must be the token and nothing else.");
  const expiresAt = expiryOf(claims);
  if (expiresAt !== undefined && expiresAt <= now) {
    throw fail(`expired at ${timeText(expiresAt)}, so it was not sent. Get a new one from the workload's platform.`);
  }
  const { oidcAudience, oidcAudienceExplicit } = configuration;
  if (oidcAudienceExplicit && !audiencesOf(claims).map(withoutTrailingSlash).includes(oidcAudience)) {
    throw fail(
      `is for the audience ${claimText(claims.aud)}, not for ${JSON.stringify(oidcAudience)}, so it was not sent. ` +
        "Ask its issuer for that audience, or correct platform:oidcAudience (PLATFORM_OIDC_AUDIENCE).",
    );
  }
  return { token, claims };
}

/** A claim for messages: claims are no secret, the token is. */
export function claimText(claim: unknown): string {
  return claim === undefined ? "(none)" : JSON.stringify(claim).slice(0, 300);
}

function audiencesOf({ aud }: Claims): string[] {
  return [aud].flat().filter((audience) => typeof audience === "string");
}

async function tokenOf(source: OidcTokenSource, audience: string): Promise<string> {
  switch (source.kind) {
    case "oidc-token":
      return source.token;
    case "oidc-token-file":
      return readTokenFile(source.path, source.origin);
    case "github-actions":
      return mintAtGithub(source.requestUrl, source.requestToken, audience);
  }
}

async function mintAtGithub(requestUrl: string, requestToken: string, audience: string): Promise<string> {
  const url = new URL(requestUrl);
  url.searchParams.set("audience", audience);
  try {
    return (await getWithBearer(url, requestToken, githubAnswer)).value;
  } catch (error) {
    throw credentialsError(
      `GitHub Actions gave no OIDC token: ${sentence(error)} Check that the job has \`permissions: id-token: write\` and is still running.`,
      error,
    );
  }
}
