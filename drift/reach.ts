import type { Snapshot } from "../access/snapshot";
import { type Source, sourcesOf } from "../access/ways";
import { grantingKinds, kindNames as names } from "../inventory/kinds";
import type { InventoryObject, UnreadablePart } from "../inventory/objects";
import { isAtOrBelow } from "../provider/client/uid";

/** Kinds whose objects receive or carry access through other objects. Their access lies where the other objects are. */
const indirect: ReadonlySet<string> = new Set([names.identity, names.role, names.identityProvider]);

/**
 * The groups in which access depends on an object. They are the groups that bind an identity, grant a role, or give roles to people of an
 * identity provider. A change of the object changes access in these groups, wherever the object itself is.
 */
export class Reach {
  readonly #byLogin: ReadonlyMap<string, Source[]>;
  readonly #byRole: ReadonlyMap<string, Source[]>;
  readonly #byGrant: ReadonlyMap<string, Source[]>;
  /** Identities as which accounts of other services act, with the groups of these accounts. */
  readonly #acting: readonly { readonly uid: string; readonly place: string; readonly identityUid: string }[];
  /** Groups in which access may not have been read. */
  readonly #unread: readonly string[];

  /**
   * @param snapshots who may do what before and after, because a deleted object gave access too
   * @param unreadable parts that may be missing in the snapshots
   */
  constructor(snapshots: readonly Snapshot[], unreadable: readonly UnreadablePart[]) {
    const sources = snapshots.flatMap((snapshot) => sourcesOf(snapshot, (uid) => uid));
    this.#byLogin = Map.groupBy(sources, ({ loginUid = "" }) => loginUid);
    this.#byRole = Map.groupBy(sources, ({ roleUid }) => roleUid);
    this.#byGrant = Map.groupBy(sources, ({ through }) => grantKey(names[through.kind], through.uid));
    this.#acting = snapshots
      .flatMap(({ accounts = [] }) => accounts)
      .flatMap(({ uid, place, identityUid }) => (identityUid === undefined ? [] : [{ uid, place, identityUid }]));
    // Parts without a kind concern access outside of the root. Many readers may not see all of it, but a List of it that fails hides what
    // they see on other days.
    this.#unread = unreadable.flatMap(({ kind, kinds, place, uid, cause }) => {
      const isUnread = kind === undefined ? cause === "failed" : uid === undefined;
      return isUnread && kinds.some((each) => grantingKinds.has(each)) ? [place] : [];
    });
  }

  /** Uids of the groups, each including everything below; empty if nobody has access through the object. */
  of({ kind, uid }: InventoryObject): string[] {
    const found = this.#places(kind, uid);
    const all = [...new Set([...found, ...(indirect.has(kind) ? this.#unread : [])])].sort();
    return all.filter((place) => !all.some((other) => other !== place && isAtOrBelow(place, other)));
  }

  #places(kind: string, uid: string): string[] {
    if (kind === names.identity) {
      const acting = this.#acting.filter(({ identityUid }) => identityUid === uid).map(({ place }) => place);
      return [...placesOf(this.#byLogin.get(uid)), ...acting];
    }
    if (kind === names.identityProvider) return placesOf(this.#byLogin.get(uid));
    if (kind === names.role) return placesOf(this.#byRole.get(uid));
    const own = placesOf(this.#byGrant.get(grantKey(kind, uid)));
    // A service that acts as an identity has the access of the identity.
    const acting = kind === names.accountAssociation ? this.#acting.filter((account) => account.uid === uid) : [];
    return [...own, ...acting.flatMap(({ identityUid }) => placesOf(this.#byLogin.get(identityUid)))];
  }
}

function grantKey(kind: string, uid: string): string {
  return `${kind} ${uid}`;
}

function placesOf(sources: readonly Source[] = []): string[] {
  return sources.map(({ place }) => place);
}
