/** Addresses of the emulator, without a trailing slash. */
export interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Of the tokens for its API. */
  readonly audience: string;
  /** The emulator's own OIDC issuer. */
  readonly issuer: string;
  readonly adminUrl: string;
}
