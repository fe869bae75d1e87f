import type { ApiTokens } from "./auth/api-tokens";
import type { OidcIssuer } from "./auth/oidc-issuer";
import type { Addresses } from "./addresses";
import type { PageTokens } from "./wire/page-token";
import type { Settings } from "./settings";
import type { Store } from "./storage/store";

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
