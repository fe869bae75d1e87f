import { isAtOrBelow } from "../provider/client/uid";
import { compareTexts } from "./compare";
import { type Holder, located, type Located } from "./holders";
import type { Snapshot, Unreadable } from "./snapshot";
import { accountRole, type GrantKind, type Source, sourcesOf } from "./ways";

/** A role that someone has in a group. */
export interface EffectiveGrant {
  /** Who holds it. */
  readonly identity: Holder;
  /** The role; `capabilities` is absent if the role cannot be read. */
  readonly role: HeldRole;
  /** The group. */
  readonly at: Located;
  /** The group above that grants the role; absent if `at` itself grants it. */
  readonly inheritedFrom?: Located;
  /** The object that grants the role. */
  readonly through: GrantSource;
}

/** A role that someone has. */
export interface HeldRole {
  /** Its uid, or `account association` for the rights of an account, whose role the platform does not name. */
  readonly uid: string;
  /** Its name; absent if the role cannot be read. */
  readonly name?: string;
  /** Its capabilities, `CAP_…`; absent if the role cannot be read. */
  readonly capabilities?: readonly string[];
}

/** The object that grants a role. */
export interface GrantSource {
  /** `roleBinding`, `externalGroupRoleMapping`, `identityProvider` (its default role), `groupInvite` or `accountAssociation`. */
  readonly kind: GrantKind;
  /** Its uid. */
  readonly uid: string;
}

/** Who can do what, and why. */
export interface EffectiveAccess {
  /** Every role that somebody holds there or can take up. */
  readonly grants: EffectiveGrant[];
  /** Parts that could not be read. Their dependent grants are missing. If empty, `grants` is complete. */
  readonly unreadable: Unreadable[];
}

/** The grants as a result, with the gaps of the snapshot. */
export function resultOf(grants: EffectiveGrant[], { unreadable }: Snapshot): EffectiveAccess {
  return { grants, unreadable: unreadable.map(({ what, reason }) => ({ what, reason })) };
}

/** Every role that anybody holds in the group `at`, granted there or in a group above. */
export function accessIn(snapshot: Snapshot, at: string): EffectiveGrant[] {
  return sources(snapshot)
    .filter(({ place }) => isAtOrBelow(at, place))
    .sort((one, other) => one.place.length - other.place.length || compareTexts(one.through.uid, other.through.uid))
    .map((source) => grant(snapshot, source, at));
}

/**
 * Every role granted in the group `at` or below, each in the group that grants it, and the roles granted above that hold in `at`. Groups
 * below inherit them all.
 */
export function accessFrom(snapshot: Snapshot, at: string): EffectiveGrant[] {
  const below = sources(snapshot)
    .filter(({ place }) => place !== at && isAtOrBelow(place, at))
    .sort((one, other) => compareTexts(one.place, other.place) || compareTexts(one.through.uid, other.through.uid));
  return [...accessIn(snapshot, at), ...below.map((source) => grant(snapshot, source, source.place))];
}

/** Every role of the identity, in each group in which it holds. These are the groups that bind it and all known groups below. */
export function accessOf(snapshot: Snapshot, identityUid: string): EffectiveGrant[] {
  return sources(snapshot)
    .filter(({ through, loginUid }) => through.kind === "roleBinding" && loginUid === identityUid)
    .flatMap((source) => {
      const below = [...snapshot.groups.keys()].filter((uid) => uid !== source.place && isAtOrBelow(uid, source.place));
      return [source.place, ...below].map((at) => grant(snapshot, source, at));
    })
    .sort((one, other) => compareTexts(one.at.uid, other.at.uid) || compareTexts(one.through.uid, other.through.uid));
}

function sources(snapshot: Snapshot): Source[] {
  return sourcesOf(snapshot, (uid) => uid);
}

function grant(snapshot: Snapshot, { holder, through, roleUid, place }: Source, at: string): EffectiveGrant {
  return {
    identity: through.kind === "roleBinding" ? holder : outsider(holder),
    role: { uid: roleUid, ...(roleUid === accountRole ? { name: accountRole } : snapshot.roles.get(roleUid)) },
    at: located(snapshot, at),
    ...(place !== at && { inheritedFrom: located(snapshot, place) }),
    through,
  };
}

/** A holder that is no identity. Its uid and path belong to its identity provider and are renamed to say so. */
function outsider({ uid, path, ...holder }: Holder): Holder {
  return uid === undefined || path === undefined ? holder : { ...holder, identityProviderPath: path };
}
