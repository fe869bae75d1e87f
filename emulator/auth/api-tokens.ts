import { createLocalJWKSet, jwtVerify, errors as joseErrors } from "jose";
import { randomUUID } from "node:crypto";
import { accessOf, type Access } from "./authorization";
import type { Store } from "../storage/store";
import type { Database } from "../storage/database";
import { unauthenticated } from "../wire/errors";
import type { Addresses } from "../settings/addresses";
import type { Settings } from "../settings/settings";
import { loadSigningKey, type SigningKey } from "./signing-key";

const rememberedTokens = 10_000;

/** The content of a valid API token. */
export interface Bearer {
  readonly tokenId: string;
  readonly identity: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly generation: unknown;
}

/** An API token and its expiry. */
export interface IssuedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiry: string;
}

/** Issues API tokens and finds the rights of their bearer (docs/platform-api.md#token-exchange). */
export class ApiTokens {
  readonly #verified = new Map<string, Bearer>();
  /** Access by token id, for tokens issued under `tokenGrants: "snapshot"` (docs/platform-api.md#token-snapshots). */
  readonly #snapshots = new Map<string, Access>();
  readonly #keys: ReturnType<typeof createLocalJWKSet>;

  private constructor(
    private readonly key: SigningKey,
    private readonly database: Database,
    private readonly addresses: Addresses,
    private readonly settings: Settings,
    private readonly store: Store,
  ) {
    this.#keys = createLocalJWKSet({ keys: [key.publicKey] });
  }

  /** Loads or creates the signing key in the database. */
  static async open(database: Database, addresses: Addresses, settings: Settings, store: Store): Promise<ApiTokens> {
    return new ApiTokens(await loadSigningKey(database, "api token key"), database, addresses, settings, store);
  }

  /** Issues a token. `lifetimeSeconds` defaults to the setting; a negative one makes an expired token. */
  async issue(identity: string, audience: readonly string[], lifetimeSeconds?: number): Promise<IssuedToken> {
    const issuedAt = Math.floor(this.settings.now() / 1000);
    const id = randomUUID();
    if (this.settings.values.tokenGrants === "snapshot") this.#snapshots.set(id, accessOf(identity, this.store, this.settings));
    const expiresAt = issuedAt + Math.round(lifetimeSeconds ?? this.settings.values.apiTokenLifetimeSeconds);
    const token = await this.key.sign({
      iss: this.addresses.authUrl,
      sub: identity,
      aud: [...audience],
      iat: issuedAt,
      exp: expiresAt,
      jti: id,
      generation: this.#generation(),
    });
    return { token, expiry: new Date(expiresAt * 1000).toISOString() };
  }

  /**
   * The current rights of a bearer. A snapshot outlives its identity.
   * @throws {ApiError} code 16 for a revoked token, or for a token whose identity does not exist.
   */
  accessOf({ tokenId, identity, generation }: Bearer): Access {
    if (generation !== this.#generation()) throw unauthenticated("the API token has been revoked");
    return this.#snapshots.get(tokenId) ?? accessOf(identity, this.store, this.settings);
  }

  /** Revokes every token issued so far. */
  revokeAll(): void {
    this.database.setFact("api token generation", String(this.#generation() + 1));
    this.#snapshots.clear();
  }

  /**
   * The bearer of the token in an Authorization header.
   * @throws {ApiError} code 16 for a missing, invalid or expired token.
   */
  async bearerOf(authorization: string | undefined): Promise<Bearer> {
    const token = bearerToken(authorization);
    const known = this.#verified.get(token);
    if (known !== undefined && known.expiresAt > this.settings.now()) return known;
    const verified = await this.#verify(token);
    if (this.#verified.size >= rememberedTokens) this.#verified.clear();
    this.#verified.set(token, verified);
    return verified;
  }

  async #verify(token: string): Promise<Bearer> {
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer: this.addresses.authUrl,
        audience: [this.addresses.audience, this.addresses.audience.replace("127.0.0.1", "localhost")],
        currentDate: new Date(this.settings.now()),
        requiredClaims: ["sub", "exp"],
      });
      const { jti: tokenId = "", sub: identity = "", exp, generation } = payload;
      return { tokenId, identity, expiresAt: Number(exp) * 1000, generation };
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired)
        throw unauthenticated("the API token has expired; exchange an OIDC token for a new one");
      if (error instanceof joseErrors.JOSEError) throw unauthenticated(`the API token is not valid: ${error.message}`);
      throw error;
    }
  }

  #generation(): number {
    return Number(this.database.fact("api token generation") ?? 0);
  }
}

/**
 * The token in an Authorization header.
 * @throws {ApiError} code 16 when there is none.
 */
export function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) throw unauthenticated('the request carries no token; send the header "Authorization: Bearer <token>"');
  return token;
}
