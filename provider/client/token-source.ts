/** Whom the platform takes the client for. */
export interface Caller {
  /** Uid of the identity. */
  readonly uid: string;
  /** What the identity logged in with, where an OIDC token was exchanged. */
  readonly login?: { readonly issuer: unknown; readonly subject: unknown };
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
  /** Replaces the token in use by a fresh one. Keeps it where none can be had. */
  renew?(): Promise<void>;
  /** Whose token {@link token} returns; undefined where that is unknown. */
  caller?(): Promise<Caller | undefined>;
}
