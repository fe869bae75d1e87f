import type { Clock } from "../../client/clock";
import { untilInterrupted } from "../../client/interruption";
import { isAtOrBelow, isBelow } from "../../client/uid";
import type { Kind } from "../../schema/kind";
import type { InCollection, ObjectMap } from "./object-map";

/** How long a deletion that must come last waits for others to start, in milliseconds. */
const gatherMs = 100;

/** A deletion in progress. */
export interface Deletion {
  readonly collection: InCollection;
  readonly uid: string;
  /** Uids of the objects that its object refers to. */
  readonly refersTo: readonly string[];
  readonly endsOwnAccess: boolean;
  /** True if it no longer waits for others. */
  hasBegun: boolean;
  readonly done: Promise<void>;
}

/** True if `other` can end only after `one`: a binding goes before its identity and its role, and everything before the groups around it. */
function precedes(one: Deletion, other: Deletion): boolean {
  return isBelow(one.uid, other.uid) || one.refersTo.some((uid) => isAtOrBelow(uid, other.uid));
}

/**
 * Waits until the deletion of `uid`, which ends access of this run, may begin. Deletions in progress go first, since they need that
 * access, except those that it precedes. Deletions of this sort run one at a time, since each may hide the next.
 */
export async function turnOfOwnAccess(
  { collection }: Kind,
  uid: string,
  deletions: ObjectMap<Deletion>,
  clock: Clock,
): Promise<void> {
  let own: Deletion | undefined;
  // Checked repeatedly: the engine requests the deletions of a layer one by one, and each changes who waits for whom.
  do {
    await untilInterrupted(clock.sleep(gatherMs));
    own = deletions.get(collection, uid);
  } while (own !== undefined && mustWait(own, deletions.values()));
  if (own !== undefined) own.hasBegun = true;
}

function mustWait(own: Deletion, all: readonly Deletion[]): boolean {
  const others = all.filter((other) => other !== own);
  const free = others.filter((other) => !precedes(own, other));
  const [ending, ordinary] = [free.filter((other) => other.endsOwnAccess), free.filter((other) => !other.endsOwnAccess)];
  if (ending.some((other) => other.hasBegun || precedes(other, own))) return true;
  // It goes last, but if others wait for it, it must not wait for those that wait for own access to end: that would be a deadlock.
  const isAwaited = free.length < others.length;
  return ordinary.some((other) => !isAwaited || !ending.some((each) => precedes(each, other)));
}
