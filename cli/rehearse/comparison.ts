import { compare } from "../../access/compare";
import { type Guarded, idleMarks } from "../../access/guarded";
import { idleMarkText } from "../../access/prose/guarded-text";
import { renames } from "../../access/renames";
import type { Hidden } from "../../access/snapshot";
import { kindNamed, kindNames } from "../../inventory/kinds";
import { type InventoryObject, objectKey, type PlatformObject } from "../../inventory/objects";
import { isExpiredInvite } from "../../inventory/platform-snapshot";
import { snapshotOf } from "../../inventory/snapshot-of";
import { readStates } from "../../inventory/state";
import { newUids } from "../review/new-uids";
import type { Review } from "../review/review";
import { reviewedChanges } from "../review/reviewed-changes";
import { changedSinks } from "../review/sinks";
import { guardedWithoutRoles, loginsWithoutRoles, rolesWithoutHolders } from "../review/unseen";

/** A copy before and after a rehearsal, and the states of both times. */
export interface Compared {
  readonly before: readonly PlatformObject[];
  readonly after: readonly PlatformObject[];
  /** Parts that may be missing in the copy. */
  readonly hidden: readonly Hidden[];
  readonly guarded: Guarded;
  /** The texts of the states. */
  readonly stateBefore: string;
  readonly stateAfter: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Who gains and who loses access between two times of a copy. */
export function comparisonOf(compared: Compared): Pick<Review, "changes" | "renames" | "warnings" | "made"> {
  const { guarded, hidden } = compared;
  const old = new Set(compared.before.map(({ uid }) => uid));
  // An invite of the update gives access until it expires, which may be before the update ends.
  const current = (objects: readonly PlatformObject[]): InventoryObject[] =>
    objects.filter((object) => !old.has(object.uid) || !isExpiredInvite(object, compared.now));
  const [objectsBefore, objectsAfter] = [current(compared.before), current(compared.after)];
  const [before, after] = [snapshotOf(objectsBefore, hidden), snapshotOf(objectsAfter, hidden)];
  const { urns, moved } = managed(compared, old);
  const sides = { moved, before: objectsBefore, after: objectsAfter };
  const isSeen = hidden.length === 0;
  const changes = [
    ...compare(before, after, moved, guarded),
    ...guardedWithoutRoles(before, after, moved, guarded),
    ...loginsWithoutRoles(before, after, sides, isSeen),
    ...rolesWithoutHolders(before, after, sides, isSeen),
    ...changedSinks(before, after, sides),
  ];
  return {
    changes: reviewedChanges(changes, urns),
    renames: renames(before, after, moved),
    warnings: [...idleMarks(guarded, before).map((uid) => ({ message: idleMarkText(uid) })), ...newUids(before, after, moved)],
    // Uids that the copy gave mean nothing on the platform.
    made: new Set(compared.after.flatMap(({ uid }) => (old.has(uid) ? [] : [uid]))),
  };
}

/**
 * The resources of the objects, and the uid of each replaced object by its replacement's uid. An object that stays is not replaced, and one
 * that was there before replaces none.
 *
 * @param old uids of the objects before
 */
function managed({ after: objects, stateBefore, stateAfter }: Compared, old: ReadonlySet<string>) {
  const [before, after] = [stateBefore, stateAfter].map((text) =>
    readStates(new Map([["the state", text]])).managed.flatMap(({ uid, kind, urn, pending }) =>
      uid === undefined || pending !== undefined ? [] : [{ uid, kind, urn }],
    ),
  ) as [Managed[], Managed[]];
  // A `GroupAccess` manages several bindings, and a binding that is replaced is another one.
  const was = new Map(before.flatMap(({ uid, kind, urn }) => (kind === kindNames.roleBinding ? [] : [[urn, uid] as const])));
  const left = new Set(objects.map(({ uid }) => uid));
  const moved = after.flatMap(({ uid, urn, kind }) => {
    const former = was.get(urn);
    const isReplaced = former !== undefined && former !== uid && !left.has(former) && !old.has(uid);
    // An object with the uid of its group stands for no other group.
    return isReplaced && !kindNamed(kind).sharesUid ? [[uid, former] as const] : [];
  });
  return { urns: new Map([...before, ...after].map((each) => [objectKey(each), each.urn])), moved: new Map(moved) };
}

interface Managed {
  readonly uid: string;
  readonly kind: string;
  readonly urn: string;
}
