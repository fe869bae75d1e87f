import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import { unauthenticated } from "../wire/errors";
import { isObject, stringOf } from "../wire/json";
import type { OidcIssuer } from "./oidc-issuer";

const timeoutMs = 5_000;

/** Finds the signing keys of an issuer by OIDC discovery. The keys of the emulator's own issuer are local. */
export class IssuerKeys {
  readonly #known = new Map<string, Promise<JWTVerifyGetKey>>();

  /** @param asksOthers whether the keys of other issuers are fetched. Default: true */
  constructor(
    private readonly own: OidcIssuer,
    private readonly asksOthers = true,
  ) {}

  /**
   * The keys of an issuer. Only a successful discovery is cached.
   * @throws {ApiError} code 16 when they cannot be found.
   */
  async of(issuer: string): Promise<JWTVerifyGetKey> {
    if (issuer === this.own.url) return createLocalJWKSet(this.own.jwks());
    if (!this.asksOthers) throw unauthenticated(`this copy trusts no token of ${issuer}, only the token that it gave out`);
    const found = this.#known.get(issuer) ?? discover(issuer);
    this.#known.set(issuer, found);
    try {
      return await found;
    } catch (error) {
      this.#known.delete(issuer);
      throw error;
    }
  }
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${safeUrl(issuer, "issuer").href.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = await fetchJson(address);
  if (!isObject(document) || document["issuer"] !== issuer) {
    throw unauthenticated(`the discovery document at ${address} belongs to another issuer than ${issuer}`);
  }
  return createRemoteJWKSet(safeUrl(stringOf(document["jwks_uri"]), "jwks_uri"), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 1_000,
  });
}

async function fetchJson(address: string): Promise<unknown> {
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.json();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw unauthenticated(`cannot fetch the issuer's keys from ${address}: ${cause}`);
  }
}

/** A URL from which keys may be fetched, which is https, or http on loopback. */
function safeUrl(text: string, what: string): URL {
  const url = URL.parse(text);
  const isLoopback = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback))) {
    throw unauthenticated(`the ${what} "${text}" must be an https URL, or http on loopback`);
  }
  return url;
}
