/** The claims of a JSON Web Token (RFC 7519), unverified: each may have any type. */
export interface Claims {
  readonly iss?: unknown;
  readonly sub?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
}

/** True when `token` can stand in a header: one word of printable ASCII. */
export function isTokenWord(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The claims of a JSON Web Token, unverified; undefined when `token` is no such token (an opaque token, for example). */
export function claimsOf(token: string): Claims | undefined {
  const [, payload, signature, ...more] = token.split(".");
  if (!payload || signature === undefined || more.length > 0 || !/^[\w-]+$/.test(payload)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(payload, "base64url"));
    const claims: unknown = JSON.parse(text);
    return typeof claims === "object" && claims !== null && !Array.isArray(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** The audiences in the claims of a token. */
export function audiencesOf({ aud }: Claims): string[] {
  return [aud].flat().filter((audience) => typeof audience === "string");
}

/** When a token expires, in milliseconds since 1970; undefined when its claims do not say. */
export function expiryOf(claims: Claims | undefined): number | undefined {
  const seconds = claims?.exp;
  const time = new Date(typeof seconds === "number" ? seconds * 1000 : NaN).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** `milliseconds` since 1970 in the form of messages. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
