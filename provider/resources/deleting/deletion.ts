import { isAtOrBelow, isBelow } from "../../client/uid";
import type { InCollection } from "../object-map";

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
export function precedes(one: Pick<Deletion, "uid" | "refersTo">, other: Pick<Deletion, "uid">): boolean {
  return isBelow(one.uid, other.uid) || one.refersTo.some((uid) => isAtOrBelow(uid, other.uid));
}
