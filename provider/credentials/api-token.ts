import { messageOf, PlatformError, withAdvice } from "../client/errors";
import { asSentence } from "../client/printable";
import { rememberToken } from "../client/redact";
import type { Caller } from "../client/token-source";
import { claimsOf, expiryOf, timeText } from "./jwt";
import type { TokenClock } from "./token-clock";

/** An API token and its expiry. */
export interface ApiToken {
  readonly token: string;
  /** Milliseconds since 1970; Infinity when unknown. */
  readonly expiresAt: number;
  /** The OIDC token that was exchanged for it. */
  readonly login?: Caller["login"];
}

/** The error for any obstacle to a token. Nothing was sent to the API. */
export function credentialsError(message: string, cause?: unknown): PlatformError {
  return new PlatformError("CREDENTIALS", message, { cause });
}

/** The message of `error` as a sentence that another one can follow. */
export function sentence(error: unknown): string {
  return asSentence(messageOf(error));
}

/**
 * `token` with the expiry in its claims. An opaque token lasts until the platform rejects it, and so does a token that has expired only by
 * a clock other than the platform's.
 *
 * @param origin names the source of the token in messages
 * @throws PlatformError `CREDENTIALS` when it has expired
 */
export async function statedToken(token: string, origin: string, clock: TokenClock): Promise<ApiToken> {
  rememberToken(token);
  const expiresAt = expiryOf(claimsOf(token)) ?? Infinity;
  if (await clock.hasPassed(expiresAt)) throw expired(`The API token of ${origin}`, expiresAt, "Get a new one.");
  return { token, expiresAt: expiresAt > clock.now() ? expiresAt : Infinity };
}

/** The error for a token that has expired, `advice` being the way to another one. */
export function expired(token: string, expiresAt: number, advice: string): PlatformError {
  const why = `${token} expired at ${timeText(expiresAt)} by the platform's clock, so it was not sent.`;
  return withAdvice(credentialsError(why), advice);
}
