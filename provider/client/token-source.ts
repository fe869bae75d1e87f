/** The identity as which the platform sees this client. */
export interface Caller {
  /** Uid of the identity. */
  readonly uid: string;
  /** Claims of the OIDC token that was exchanged, if one was. */
  readonly login?: { readonly issuer: unknown; readonly subject: unknown };
}

/** Unverified facts about an API token. Only the platform verifies them. */
export interface TokenFacts {
  /** Milliseconds since 1970; absent when unknown. */
  readonly expiresAt?: number;
  /** Its claim `aud`; empty when it has none. */
  readonly audience: readonly string[];
  /** Its claim `sub`. */
  readonly subject?: string;
}

/** A token that a registry accepts, to fetch. */
export interface RegistryTokenRequest {
  /** Host of the registry, which is the audience of the token (docs/platform-api.md#registry-tokens). */
  readonly registry: string;
  /** Uid of the identity to assume. Default: the configured one; without one the platform looks it up. */
  readonly identity?: string;
}

/** A token that a registry accepts. */
export interface RegistryToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiry: string;
}

/** The origin of the client's API tokens. Shared by all concurrent calls. */
export interface TokenSource {
  /** The origin of the tokens, and the remedy when the platform rejects one, as sentences for the message of a 401. */
  readonly advice?: string;
  /** A currently valid API token. Concurrent callers share one fetch. */
  token(): Promise<string>;
  /**
   * Drops `rejected`, which the platform answered with 401.
   *
   * @returns true when {@link token} may return another one next, false when the source has only this one
   */
  forget(rejected: string): boolean;
  /** Replaces the token in use by a new one. Keeps it if the source has no other. */
  renew?(): Promise<void>;
  /** The identity of the token from {@link token}; undefined if it is unknown. */
  caller?(): Promise<Caller | undefined>;
  /** Facts about the token from {@link token}. */
  facts?(): Promise<TokenFacts>;
  /** A new token for a registry. Absent if the source has none. */
  registryToken?(request: RegistryTokenRequest): Promise<RegistryToken>;
}
