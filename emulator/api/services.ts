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

/** A copy, and its way to the platform that it was made of. */
export interface Copied {
  /** Absent if the platform cannot be asked, as after a restart without its credentials. */
  readonly original?: OriginalPlatform;
}

/** The platform that a copy was made of, for what no List shows. Nothing is changed there. */
export interface OriginalPlatform {
  /** True if the copy was made with this object. */
  holds(uid: string): boolean;
  /** False if the copy hides people, and so must not store their logins. */
  readonly showsPeople: boolean;
  /** The uid of the identity with this login, even before its first login. @throws {ApiError} if the platform does not say */
  lookUpIdentity(issuer: string, subject: string): Promise<string>;
  /** The README of a repository. @throws {ApiError} if the platform does not say */
  readme(uid: string): Promise<string>;
  /** Notes an answer that the copy makes up. */
  note(what: string, reason: string): void;
}
