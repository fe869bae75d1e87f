/** Whom the platform takes the client for. */
export interface Caller {
  /** Uid of the identity. */
  readonly uid: string;
  /** What the identity logged in with, where an OIDC token was exchanged. */
  readonly login?: { readonly issuer: unknown; readonly subject: unknown };
}

/** Where the client takes its API tokens from. Shared by all concurrent calls. */
export interface TokenSource {
  /** An API token that is valid now. Concurrent callers share one fetch. */
  token(): Promise<string>;
  /**
   * Tells that the platform refused `rejected` with 401.
   *
   * @returns true when {@link token} may now give another one, false when the source has only this one
   */
  forget(rejected: string): boolean;
  /** Puts a fresh token in the place of the one in use, where one can be had; the one in use is kept otherwise. */
  renew?(): Promise<void>;
  /** Whose token {@link token} returns; undefined where that is unknown. */
  caller?(): Promise<Caller | undefined>;
}
