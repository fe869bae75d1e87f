import { messageOf, PlatformError, withAdvice } from "../client/errors";
import { asSentence } from "../client/printable";
import { rememberToken } from "../client/redact";
import type { Caller } from "../client/token-source";
import { claimsOf, expiryOf, timeText } from "./jwt";

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
 * `token` with the expiry in its claims; an opaque token lasts until the platform rejects it.
 *
 * @param origin names the source of the token in messages
 * @throws PlatformError `CREDENTIALS` when it has expired
 */
export function statedToken(token: string, origin: string, now: number): ApiToken {
  rememberToken(token);
  const expiresAt = expiryOf(claimsOf(token)) ?? Infinity;
  if (expiresAt <= now) {
    const why = `The API token of ${origin} expired at ${timeText(expiresAt)}. Nothing was sent.`;
    throw withAdvice(credentialsError(why), "Get a new one.");
  }
  return { token, expiresAt };
}
