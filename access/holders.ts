import { hasPlatformForm, parentOf } from "../provider/client/uid";
import { pathOf } from "./places";
import type { Snapshot } from "./snapshot";

/** An object by its uid and, where every name on the way is known, its path. */
export interface Located {
  /** Its uid. */
  readonly uid: string;
  /** `acme/engineering/ci`. */
  readonly path?: string;
}

/**
 * The holder of a role. It is an identity, the people of an identity provider, anybody who accepts an invite, or an account with another
 * service.
 */
export interface Holder extends Partial<Located> {
  /**
   * How they log in, in the platform's names. An identity has `claimMatch` with `issuer` and `subject`, an identity provider has `oidc`
   * with `issuer` and `clientId`.
   */
  readonly login?: Readonly<Record<string, unknown>>;
  /** The group at the identity provider, if a mapping grants the role. */
  readonly externalGroupId?: string;
  /** Uid of the identity provider where the people sign in. */
  readonly identityProviderUid?: string;
  /** Its path: `acme/sso`. */
  readonly identityProviderPath?: string;
  /** A person's address, if the platform has verified it. */
  readonly verifiedEmail?: string;
  /** True for a person who has not signed up or whom these credentials cannot see. Only the uid is known. */
  readonly isUnseen?: true;
  /** The only person who can accept an invite. */
  readonly email?: string;
  /** An account with another service, or a service of the platform, that acts for a group: `AWS account 123456789012`. */
  readonly account?: string;
}

/** The identity as a holder. */
export function holder(snapshot: Snapshot, uid: string): Located & Holder {
  const { login, verifiedEmail } = snapshot.identities.get(uid) ?? {};
  return {
    ...located(snapshot, uid),
    ...(login && { login }),
    ...(verifiedEmail !== undefined && { verifiedEmail }),
    ...(login === undefined && isPersonUid(uid) && { isUnseen: true }),
  };
}

/** A group or an object in one, with its path. */
export function located({ groups, identities, roles, providers }: Snapshot, uid: string): Located {
  const nameOf = (each: string) => (groups.get(each) ?? identities.get(each) ?? roles.get(each) ?? providers?.get(each))?.name;
  // People choose their own names, so a name that looks like a path is not used as one.
  const path = identities.has(uid) && isPersonUid(uid) ? undefined : pathOf(uid, nameOf);
  return { uid, ...(path !== undefined && { path }) };
}

/** True for the uid of a person, who is in no group. The uid of a root group has the same form. */
export function isPersonUid(uid: string): boolean {
  return hasPlatformForm(uid) && parentOf(uid) === undefined;
}
