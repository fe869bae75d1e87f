import type { ApiTokens } from "../auth/api-tokens";
import type { OidcIssuer } from "../auth/oidc-issuer";
import type { Addresses } from "../settings/addresses";
import type { PageTokens } from "../wire/page-token";
import type { Settings } from "../settings/settings";
import type { Store } from "../storage/store";

/** The parts of a running emulator for code that answers requests. */
export interface Services {
  readonly addresses: Addresses;
  readonly settings: Settings;
  readonly store: Store;
  readonly pageTokens: PageTokens;
  readonly apiTokens: ApiTokens;
  readonly issuer: OidcIssuer;
  /** Uid of the identity that the OIDC token file may assume. */
  readonly seededIdentity: string;
  /** Present in a copy of an organisation. */
  readonly copied?: Copied;
}

/** The platform that a copy was made of. */
export interface Copied {
  /** The uid that the platform knows a person by, even before the first login. @throws {ApiError} if the platform cannot be asked */
  lookUpIdentity(issuer: string, subject: string): Promise<string>;
}
