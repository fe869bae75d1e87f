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
}
