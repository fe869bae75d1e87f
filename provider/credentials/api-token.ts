import { messageOf, PlatformError } from "../client/errors";
import { rememberToken } from "../client/redact";
import type { Caller } from "../client/token-source";
import { claimsOf, expiryOf, timeText } from "./jwt";

/** An API token and when it ends. */
export interface ApiToken {
  readonly token: string;
  /** Milliseconds since 1970; infinite when nobody knows. */
  readonly expiresAt: number;
  /** The OIDC token that was exchanged for it. */
  readonly login?: Caller["login"];
}

/** The error for everything that stands between a caller and a token. Nothing was sent to the API. */
export function credentialsError(message: string, cause?: unknown): PlatformError {
  return new PlatformError("CREDENTIALS", message, { cause });
}

/** The message of `error` as a sentence that another can follow. */
export function sentence(error: unknown): string {
  return messageOf(error).replace(/(?<![.?!])$/, ".");
}

/**
 * `token` with the expiry that it states itself; an opaque one lasts until it is refused.
 *
 * @param origin what messages call the place that it came from
 * @throws PlatformError `CREDENTIALS` when it has expired
 */
export function statedToken(token: string, origin: string, now: number): ApiToken {
  rememberToken(token);
  const expiresAt = expiryOf(claimsOf(token)) ?? Infinity;
  if (expiresAt <= now) {
    throw credentialsError(`The API token of ${origin} expired at ${timeText(expiresAt)}, so nothing was sent. Get a new one.`);
  }
  return { token, expiresAt };
}
