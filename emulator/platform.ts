import type { ApiTokens } from "./api-tokens";
import type { OidcIssuer } from "./oidc-issuer";
import type { PageTokens } from "./page-token";
import type { Settings } from "./settings";
import type { Store } from "./store";

/** Where the emulator is reached; none of the addresses ends in a slash. */
export interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** The emulator's own OIDC issuer. */
  readonly issuer: string;
  readonly adminUrl: string;
}

/** Everything that answering a request needs. */
export interface Platform {
  readonly addresses: Addresses;
  readonly settings: Settings;
  readonly store: Store;
  readonly pageTokens: PageTokens;
  readonly apiTokens: ApiTokens;
  readonly issuer: OidcIssuer;
  /** The identity that the emulator's own OIDC token may assume. */
  readonly seededIdentity: string;
}
