import { randomUUID } from "node:crypto";
import type { Database } from "../storage/database";
import type { JsonObject } from "../wire/json";
import type { Addresses } from "../settings/addresses";
import type { Settings } from "../settings/settings";
import { algorithm, loadSigningKey, type SigningKey } from "./signing-key";

const defaultLifetimeSeconds = 3600;

/** The subject of the OIDC token that may assume the seeded identity, and every identity of a copy. */
export const seededSubject = "organization-admin";

/** Claims of an OIDC token to mint. */
export interface OidcClaims {
  readonly subject: string;
  /** Defaults to the host of the token exchange. */
  readonly audience?: string | string[] | undefined;
  /** Defaults to 3600; negative for an expired token. */
  readonly expiresInSeconds?: number | undefined;
  /** Seconds since 1970. Defaults to now. */
  readonly issuedAt?: number | undefined;
  /** Further claims; they override all others. */
  readonly claims?: JsonObject | undefined;
}

/** The emulator's own OIDC issuer, in place of a workload platform. */
export class OidcIssuer {
  private constructor(
    private readonly key: SigningKey,
    private readonly addresses: Addresses,
    private readonly settings: Settings,
  ) {}

  /** Loads or creates the signing key in the database. */
  static async open(database: Database, addresses: Addresses, settings: Settings): Promise<OidcIssuer> {
    return new OidcIssuer(await loadSigningKey(database, "issuer key"), addresses, settings);
  }

  /** Its URL. */
  get url(): string {
    return this.addresses.issuer;
  }

  /** Mints an OIDC token. */
  mint({ subject, audience, expiresInSeconds = defaultLifetimeSeconds, issuedAt, claims }: OidcClaims): Promise<string> {
    const now = issuedAt ?? Math.floor(this.settings.now() / 1000);
    const standard = {
      iss: this.url,
      sub: subject,
      aud: audience ?? new URL(this.addresses.authUrl).host,
      iat: now,
      jti: randomUUID(),
    };
    return this.key.sign({ ...standard, exp: now + expiresInSeconds, ...claims });
  }

  /** The published keys (RFC 7517). */
  jwks(): { keys: SigningKey["publicKey"][] } {
    return { keys: [this.key.publicKey] };
  }

  /** The discovery document (OpenID Connect Discovery 1.0 §3). */
  discovery(): JsonObject {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [algorithm],
    };
  }
}
