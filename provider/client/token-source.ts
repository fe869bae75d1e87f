/** The identity as which the platform sees this client. */
export interface Caller {
  /** Uid of the identity. */
  readonly uid: string;
  /** Claims of the OIDC token that was exchanged, if one was. */
  readonly login?: { readonly issuer: unknown; readonly subject: unknown };
}

/** What is known of an API token besides the token itself. None of it is verified: the platform does that. */
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
  /** Host of the registry: the audience of the token (docs/platform-api.md#registry-tokens). */
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

/** Where the client takes its API tokens from. Shared by all concurrent calls. */
export interface TokenSource {
  /** Where the tokens come from and what to do when the platform rejects one: sentences for the message of a 401. */
  readonly advice?: string;
  /** An API token that is valid now. Concurrent callers share one fetch. */
  token(): Promise<string>;
  /**
   * Drops `rejected`, which the platform answered with 401.
   *
   * @returns true when {@link token} may return another one next, false when the source has only this one
   */
  forget(rejected: string): boolean;
  /** Replaces the token in use by a fresh one. Keeps it where the source has none. */
  renew?(): Promise<void>;
  /** Whose token {@link token} returns; undefined where that is unknown. */
  caller?(): Promise<Caller | undefined>;
  /** What is known of the token that {@link token} returns. */
  facts?(): Promise<TokenFacts>;
  /** A new token for a registry. Default: the source has none. */
  registryToken?(request: RegistryTokenRequest): Promise<RegistryToken>;
}
