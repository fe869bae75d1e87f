import { isAtOrBelow } from "../provider/client/uid";
import { ancestorsOf, pathOf } from "./places";
import type { Snapshot, SnapshotBinding, SnapshotMapping, Unreadable } from "./snapshot";

/** An object by its uid and, where every name on the way is known, its path. */
export interface Located {
  /** Its uid. */
  readonly uid: string;
  /** `acme/engineering/ci`. */
  readonly path?: string;
}

/** Who holds a role: an identity, or the members of a group of an identity provider. */
export interface Holder extends Partial<Located> {
  /** How the identity logs in, by the platform's names: `{ claimMatch: { issuer, subject } }`. */
  readonly login?: Readonly<Record<string, unknown>>;
  /** The group at the identity provider, for a role that a mapping grants. */
  readonly externalGroupId?: string;
  /** Uid of that identity provider. */
  readonly identityProviderUid?: string;
  /** The only person who can accept an invite. */
  readonly email?: string;
  /** An account with another service, or a service of the platform, that acts for a group: `AWS account 123456789012`. */
  readonly account?: string;
}

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
  /** Its uid. */
  readonly uid: string;
  /** Its name; absent if the role cannot be read. */
  readonly name?: string;
  /** What it allows, `CAP_…`; absent if the role cannot be read. */
  readonly capabilities?: readonly string[];
}

/** What grants a role. */
export interface GrantSource {
  /** `roleBinding` or `externalGroupRoleMapping`. */
  readonly kind: "roleBinding" | "externalGroupRoleMapping";
  /** Its uid. */
  readonly uid: string;
}

/** Who can do what, and why. */
export interface EffectiveAccess {
  /** Every role that someone has there. */
  readonly grants: EffectiveGrant[];
  /** What could not be read: grants that depend on it are missing. Empty: `grants` is complete. */
  readonly unreadable: Unreadable[];
}

/** Every role that holds in the group `at`, whoever has it: granted there or in a group above. */
export function accessIn(snapshot: Snapshot, at: string): EffectiveGrant[] {
  return [...snapshot.bindings, ...snapshot.mappings]
    .filter(({ place }) => isAtOrBelow(at, place))
    .sort((one, other) => one.place.length - other.place.length || compare(one.uid, other.uid))
    .map((source) => grant(snapshot, source, at));
}

/**
 * Every role that is granted in the group `at` and below, in the group in which it is granted; and those that are granted above and
 * hold in `at`. Groups below inherit them all.
 */
export function accessFrom(snapshot: Snapshot, at: string): EffectiveGrant[] {
  const below = [...snapshot.bindings, ...snapshot.mappings]
    .filter(({ place }) => place !== at && isAtOrBelow(place, at))
    .sort((one, other) => compare(one.place, other.place) || compare(one.uid, other.uid));
  return [...accessIn(snapshot, at), ...below.map((source) => grant(snapshot, source, source.place))];
}

/** Every role that the identity has, in each group in which it holds: where it is bound, and all known groups below. */
export function accessOf(snapshot: Snapshot, identityUid: string): EffectiveGrant[] {
  return snapshot.bindings
    .filter((binding) => binding.identityUid === identityUid)
    .flatMap((binding) => {
      const below = [...snapshot.groups.keys()].filter((uid) => uid !== binding.place && isAtOrBelow(uid, binding.place));
      return [binding.place, ...below].map((at) => grant(snapshot, binding, at));
    })
    .sort((one, other) => compare(one.at.uid, other.at.uid) || compare(one.through.uid, other.through.uid));
}

/**
 * The places on the way to `at` in which role bindings may exist that nothing shows. Whoever may read the bindings of a place has
 * that right from a binding there or above, which is then visible too. So a visible binding proves that all bindings in its place
 * and below it are visible; where there is none, an empty List proves nothing.
 */
export function unprovenPlaces(bindings: readonly Pick<SnapshotBinding, "place">[], at: string): string[] {
  return [...ancestorsOf(at), at].filter((place) => !bindings.some((binding) => isAtOrBelow(place, binding.place)));
}

function grant(snapshot: Snapshot, source: SnapshotBinding | SnapshotMapping, at: string): EffectiveGrant {
  const role = snapshot.roles.get(source.roleUid);
  const isMapping = "externalGroupId" in source;
  return {
    identity: isMapping
      ? { externalGroupId: source.externalGroupId, identityProviderUid: source.identityProviderUid }
      : holder(snapshot, source.identityUid),
    role: { uid: source.roleUid, ...role },
    at: located(snapshot, at),
    ...(source.place !== at && { inheritedFrom: located(snapshot, source.place) }),
    through: { kind: isMapping ? "externalGroupRoleMapping" : "roleBinding", uid: source.uid },
  };
}

/** The identity as a holder. */
export function holder(snapshot: Snapshot, uid: string): Holder {
  const login = snapshot.identities.get(uid)?.login;
  return { ...located(snapshot, uid), ...(login && { login }) };
}

/** A group or an object in one, with its path. */
export function located({ groups, identities, roles, providers }: Snapshot, uid: string): Located {
  const path = pathOf(uid, (each) => (groups.get(each) ?? identities.get(each) ?? roles.get(each) ?? providers?.get(each))?.name);
  return { uid, ...(path !== undefined && { path }) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
