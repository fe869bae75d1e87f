import { causeOf, PlatformError } from "../client/errors";
import { isWorthRetrying } from "../client/retry";
import type { Kind } from "../schema/kind";
import type { Right } from "./rights";
import type { Sighting } from "./roll-calls";
import type { Seen } from "./seen";
import { describeUnseen, type Look } from "./visibility";

/** The conclusion about an object that may be gone. */
export type Verdict =
  | { readonly is: "gone" }
  | {
      readonly is: "exists" | "unknown";
      readonly why: string;
      /** The place, which answers, if the only missing sign is another object to show that the List works. */
      readonly lacksControlIn?: string;
    };

/** The evidence about an object that may be gone. A function sends requests. */
export interface Evidence {
  readonly kind: Kind;
  readonly uid: string;
  /** The outcome of its DELETE by this run. `none`: not sent, or it deleted nothing. `in doubt`: it may have been applied. */
  readonly ownDelete: "none" | "in doubt" | "succeeded";
  /** The sighting in the List of its kind, or the error of that List. */
  readonly list: Sighting | PlatformError;
  /** The objects that the List has shown since before the first DELETE; undefined if this run has deleted no such object. */
  readonly seen: Seen | undefined;
  readonly place: () => Promise<Look>;
  /** The same, looked at after the List. */
  readonly placeAfterList: () => Promise<Look>;
  /** The right to list the kind there, read after the List. */
  readonly right: () => Promise<Right | PlatformError>;
  /** True if the caller has lost all its bindings since the first DELETE, although this run kept at least one. */
  readonly hasLostOwnBindings: () => Promise<boolean>;
}

/**
 * Concludes from the List. A List without the object hides nothing in its place if one of two witnesses says so: *control*, another object
 * there or above in the same answer, or *right*, a role of these credentials there or above with the List capability of the kind. Without
 * a witness, an object is gone if the List showed it last.
 *
 * @throws transient faults
 */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { kind, list } = evidence;
  if (list === "shown") return { is: "exists", why: "the List of its kind still shows it." };
  if (list === "control") return gone;
  const byRight = kind.calls.list === "shows" ? whereOthersAre : whereNothingMayBe;
  const verdict = await (PlatformError.isInstance(list) ? withoutList(evidence, list) : byRight(evidence));
  return verdict.is === "gone" || !(await showedItLast(evidence)) ? verdict : gone;
}

/** By *right*, for a kind whose List is never empty for a caller with the right, so an empty List contradicts the right. */
async function whereOthersAre(evidence: Evidence): Promise<Verdict> {
  const { kind, uid, list, ownDelete, seen } = evidence;
  const place = await evidence.place();
  if (!place.isSeen) return unknown(describeUnseen(place), place.cause);
  const { segment, noun } = kind.collection;
  const where = `${kind.placeOf(uid) ?? uid} or above`;
  const why = `the List of ${segment} shows these credentials no other ${noun} in ${where}, so it may hide this one too.`;
  const doubt = { is: "unknown", why, lacksControlIn: place.place } as const;
  // A List that did not show the object before its DELETE contradicts the right too.
  if (list !== "elsewhere" || (ownDelete === "succeeded" && seen?.lacked(uid) === true)) return doubt;
  const right = await evidence.right();
  if (PlatformError.isInstance(right)) return unreadableRight(right);
  return right === "held" ? gone : doubt;
}

/** By *right*, for a kind that may have no object at all. */
async function whereNothingMayBe(evidence: Evidence): Promise<Verdict> {
  const { kind, uid, ownDelete, seen } = evidence;
  const { segment } = kind.collection;
  const right = await evidence.right();
  if (PlatformError.isInstance(right)) return unreadableRight(right);
  if (right === "missing") return unknown(`no role of these credentials is known to allow listing ${segment} there.`);
  if (right === "held" || right === "unknown caller" || !givesAccess(kind)) return gone;
  // A caller without a visible role binding of its own may have lost the one that showed it the List before its DELETE.
  const wasVisible = ownDelete !== "none" && seen?.lacked(uid) !== true;
  if (wasVisible && !(await evidence.hasLostOwnBindings())) return gone;
  return unknown(`these credentials see no role binding of their own, so the List of ${segment} may hide this one too.`);
}

/** By *right* alone, for a kind whose List is known to fail, because no other witness could show that "not found" hides nothing. */
async function withoutList(evidence: Evidence, error: PlatformError): Promise<Verdict> {
  const { kind, ownDelete } = evidence;
  const isUnreliable = kind.calls.list === "unreliable";
  if (isUnreliable && ownDelete === "succeeded") return gone;
  const doubt = unknown(`the List of ${kind.collection.segment} does not work (${causeOf(error)}).`, error);
  const right = isUnreliable ? await evidence.right() : "missing";
  if (PlatformError.isInstance(right)) return unreadableRight(right);
  if (right !== "held") return doubt;
  const place = await evidence.place();
  return place.isSeen ? gone : unknown(describeUnseen(place), place.cause);
}

/** True if the object was the last that the List showed, until this run deleted it. */
async function showedItLast(evidence: Evidence): Promise<boolean> {
  const { uid, ownDelete, seen } = evidence;
  if (ownDelete === "none" || seen?.wasLast(uid) !== true) return false;
  return (await evidence.placeAfterList()).isSeen && !(await evidence.hasLostOwnBindings());
}

/** True for kinds whose DELETE also succeeds if it deletes nothing. Their objects give access, which must not be forgotten. */
export function givesAccess({ calls }: Kind): boolean {
  return calls.delete === "ignores missing";
}

const gone: Verdict = { is: "gone" };

function unreadableRight(error: PlatformError): Verdict {
  return unknown(`it cannot be read what these credentials may list (${causeOf(error)}).`, error);
}

/** @throws `cause` if it is transient, because a transient fault says nothing about the object */
function unknown(why: string, cause?: unknown): Verdict {
  if (isWorthRetrying(cause, "repeatable")) throw cause;
  return { is: "unknown", why };
}
