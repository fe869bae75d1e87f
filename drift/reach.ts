import type { Snapshot } from "../access/snapshot";
import { type Source, sourcesOf } from "../access/ways";
import { grantingKinds, kindNames as names } from "../inventory/kinds";
import type { InventoryObject, UnreadablePart } from "../inventory/objects";
import { isAtOrBelow } from "../provider/client/uid";

/** Kinds whose objects other objects give access through: it lies where those are. */
const indirect: ReadonlySet<string> = new Set([names.identity, names.role, names.identityProvider]);

/**
 * In which groups somebody has access through an object: an identity has it where it is bound, a role where it is given, an identity provider
 * where its people get roles. A change of the object is a change there, wherever the object itself is.
 */
export class Reach {
  readonly #byLogin: ReadonlyMap<string, Source[]>;
  readonly #byRole: ReadonlyMap<string, Source[]>;
  readonly #byGrant: ReadonlyMap<string, Source[]>;
  /** Identities as which accounts of other services act, and the groups of these accounts. */
  readonly #acting: readonly { readonly uid: string; readonly place: string; readonly identityUid: string }[];
  /** Groups in which access may not have been read. */
  readonly #unread: readonly string[];

  /**
   * @param snapshots who may do what before and after: what is gone had access, too
   * @param unreadable what may be missing in them
   */
  constructor(snapshots: readonly Snapshot[], unreadable: readonly UnreadablePart[]) {
    const sources = snapshots.flatMap((snapshot) => sourcesOf(snapshot, (uid) => uid));
    this.#byLogin = Map.groupBy(sources, ({ loginUid = "" }) => loginUid);
    this.#byRole = Map.groupBy(sources, ({ roleUid }) => roleUid);
    this.#byGrant = Map.groupBy(sources, ({ through }) => grantKey(names[through.kind], through.uid));
    this.#acting = snapshots
      .flatMap(({ accounts = [] }) => accounts)
      .flatMap(({ uid, place, identityUid }) => (identityUid === undefined ? [] : [{ uid, place, identityUid }]));
    // Access above the root is no part of what is compared: those parts name no kind.
    this.#unread = unreadable.flatMap(({ kind = "", place, uid }) =>
      grantingKinds.has(kind) && uid === undefined ? [place] : [],
    );
  }

  /** Uids of the groups, each with everything below; none where nobody has access through the object. */
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
    // A service that acts as an identity has what that has.
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
