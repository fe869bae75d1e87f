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
  /** The group above in which the role is granted; absent if it is granted in `at` itself. */
  readonly inheritedFrom?: Located;
  /** What grants it. */
  readonly through: GrantSource;
}

/** A role that someone has. */
export interface HeldRole {
  /** Its uid; `account association` for what the platform lets an account do, of which it names no role. */
  readonly uid: string;
  /** Its name; absent if the role cannot be read. */
  readonly name?: string;
  /** What it allows, `CAP_…`; absent if the role cannot be read. */
  readonly capabilities?: readonly string[];
}

/** What grants a role. */
export interface GrantSource {
  /** `roleBinding`, `externalGroupRoleMapping`, `identityProvider` (its default role), `groupInvite` or `accountAssociation`. */
  readonly kind: GrantKind;
  /** Its uid. */
  readonly uid: string;
}

/** Who can do what, and why. */
export interface EffectiveAccess {
  /** Every role that someone has there, or can take up. */
  readonly grants: EffectiveGrant[];
  /** What could not be read: grants that depend on it are missing. Empty: `grants` is complete. */
  readonly unreadable: Unreadable[];
}

/** The grants as a result, with what the snapshot lacks. */
export function resultOf(grants: EffectiveGrant[], { unreadable }: Snapshot): EffectiveAccess {
  return { grants, unreadable: unreadable.map(({ what, reason }) => ({ what, reason })) };
}

/** Every role that holds in the group `at`, whoever has it: granted there or in a group above. */
export function accessIn(snapshot: Snapshot, at: string): EffectiveGrant[] {
  return sources(snapshot)
    .filter(({ place }) => isAtOrBelow(at, place))
    .sort((one, other) => one.place.length - other.place.length || compareTexts(one.through.uid, other.through.uid))
    .map((source) => grant(snapshot, source, at));
}

/**
 * Every role that is granted in the group `at` and below, in the group in which it is granted; and those that are granted above and
 * hold in `at`. Groups below inherit them all.
 */
export function accessFrom(snapshot: Snapshot, at: string): EffectiveGrant[] {
  const below = sources(snapshot)
    .filter(({ place }) => place !== at && isAtOrBelow(place, at))
    .sort((one, other) => compareTexts(one.place, other.place) || compareTexts(one.through.uid, other.through.uid));
  return [...accessIn(snapshot, at), ...below.map((source) => grant(snapshot, source, source.place))];
}

/** Every role that the identity has, in each group in which it holds: where it is bound, and all known groups below. */
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

/** A holder that is no identity: uid and path are those of its identity provider, and say so. */
function outsider({ uid, path, ...holder }: Holder): Holder {
  return uid === undefined || path === undefined ? holder : { ...holder, identityProviderPath: path };
}
