/** Where the emulator is reached; none of the addresses ends in a slash. */
export interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** The emulator's own OIDC issuer. */
  readonly issuer: string;
  readonly adminUrl: string;
}
