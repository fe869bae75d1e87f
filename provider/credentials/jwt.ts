import type { JWTPayload } from "jose";
import { decodeJwt } from "jose/jwt/decode";

/** True when `token` can stand in a header: one word of printable ASCII. */
export function isTokenWord(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The claims of a JSON Web Token, unverified; undefined when `token` is none (an opaque token, for example). */
export function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** When a token expires, in milliseconds since 1970; undefined when its claims do not say. */
export function expiryOf(claims: JWTPayload | undefined): number | undefined {
  const seconds: unknown = claims?.exp;
  const time = new Date(typeof seconds === "number" ? seconds * 1000 : NaN).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** `milliseconds` since 1970 as messages say it. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
