import { causeOf, PlatformError } from "../../client/errors";
import { isWorthRetrying } from "../../client/retry";
import type { Kind } from "../../schema/kind";
import type { RightToList } from "../guards/own-access";
import type { Sighting } from "./roll-calls";
import type { Seen } from "./seen";
import { describeUnseen, type Look } from "./visibility";

/** What a witness says of an object that may be gone. */
export type Verdict =
  | { readonly is: "gone" }
  | {
      readonly is: "exists" | "unknown";
      readonly why: string;
      /** The place, which answers, if the one sign that is missing is another object that would show that the List works. */
      readonly lacksControlIn?: string;
    };

/** What witnesses may know of an object that may be gone. A function sends requests. */
export interface Evidence {
  readonly kind: Kind;
  readonly uid: string;
  /** The outcome of its DELETE by this run. `none`: not sent, or it deleted nothing. `in doubt`: it may have been applied. */
  readonly ownDelete: "none" | "in doubt" | "succeeded";
  /** What the List of its kind shows of it, or the error of that List. */
  readonly list: Sighting | PlatformError;
  /** What the List has shown since before the first DELETE; undefined if this run has deleted no such object. */
  readonly seen: Seen | undefined;
  readonly place: () => Promise<Look>;
  /** The same, looked at after the List. */
  readonly placeAfterList: () => Promise<Look>;
  /** Whether the List shows another object in the same place or above. */
  readonly showsAnother: () => Promise<boolean>;
  readonly rightToList: () => Promise<RightToList | PlatformError>;
  /** True if the caller saw a role binding of its own before the first DELETE that this run left alone, and sees none now. */
  readonly hasLostOwnBindings: () => Promise<boolean>;
}

/** @returns undefined if it has nothing to say of such an object */
type Witness = (evidence: Evidence) => Promise<Verdict | undefined> | Verdict | undefined;

/** In the order of docs/decisions/0020-gone-is-proven-afterwards.md. */
const witnesses: readonly Witness[] = [
  theListShowsItOrAControl,
  thePlaceOrAGroupAboveHasAControl,
  theRolesAreThoseOfControlsElsewhere,
  theListMayBeEmpty,
  theListFails,
  theListShowedItLast,
];

/** What the first witness says that decides; if none does, the first doubt. @throws transient faults */
export async function judge(evidence: Evidence): Promise<Verdict> {
  let doubt: Verdict | undefined;
  for (const witness of witnesses) {
    const verdict = await witness(evidence);
    if (verdict !== undefined && verdict.is !== "unknown") return verdict;
    doubt ??= verdict;
  }
  return doubt ?? unknown("nothing shows that it is gone.");
}

function theListShowsItOrAControl({ list }: Evidence): Verdict | undefined {
  if (list === "shown") return { is: "exists", why: "the List of its kind still shows it." };
  return list === "absent" ? gone : undefined;
}

async function thePlaceOrAGroupAboveHasAControl(evidence: Evidence): Promise<Verdict | undefined> {
  const { kind, uid, list } = evidence;
  if (kind.calls.list !== "shows" || PlatformError.isInstance(list)) return undefined;
  const place = await evidence.place();
  if (!place.isSeen) return unknown(describeUnseen(place), place.cause);
  if (await evidence.showsAnother()) return gone;
  const { segment, noun } = kind.collection;
  const where = `${kind.placeOf(uid) ?? uid} or above`;
  const why = `the List of ${segment} shows these credentials no other ${noun} in ${where}, so it may hide this one too.`;
  return { is: "unknown", why, lacksControlIn: place.place };
}

async function theRolesAreThoseOfControlsElsewhere(evidence: Evidence): Promise<Verdict | undefined> {
  const { uid, list, ownDelete, seen } = evidence;
  if (list !== "alike" || !(await evidence.place()).isSeen) return undefined;
  // Vanished without a DELETE of ours, or not visible before it: it may be hidden.
  const isOdd = seen?.before(uid) === (ownDelete === "succeeded" ? "not shown" : "shown");
  return isOdd ? undefined : gone;
}

async function theListMayBeEmpty(evidence: Evidence): Promise<Verdict | undefined> {
  const { kind, uid, list, ownDelete, seen } = evidence;
  if (kind.calls.list === "shows" || PlatformError.isInstance(list)) return undefined;
  const { segment } = kind.collection;
  const right = await evidence.rightToList();
  if (PlatformError.isInstance(right)) {
    const what = `it cannot be read whether a role of these credentials allows listing ${segment} there`;
    return unknown(`${what} (${causeOf(right)}).`, right);
  }
  if (right === "missing") return unknown(`no role of these credentials allows listing ${segment} there.`);
  if (right === "held" || right === "unknown caller" || !givesAccess(kind)) return gone;
  // A caller that sees no role binding of its own may have lost the one that showed it the List before its DELETE.
  const wasVisible = ownDelete !== "none" && seen?.before(uid) !== "not shown";
  if (wasVisible && !(await evidence.hasLostOwnBindings())) return gone;
  return unknown(`these credentials see no role binding of their own, so the List of ${segment} may hide this one too.`);
}

async function theListFails(evidence: Evidence): Promise<Verdict | undefined> {
  const { kind, list, ownDelete } = evidence;
  if (!PlatformError.isInstance(list)) return undefined;
  const isUnreliable = kind.calls.list === "unreliable";
  // Nothing else could prove it.
  if (isUnreliable && ownDelete === "succeeded") return gone;
  const doubt = unknown(`the List of ${kind.collection.segment} does not work (${causeOf(list)}).`, list);
  // Without a List, only a role that allows reading the object shows that "not found" hides nothing.
  const right = isUnreliable ? await evidence.rightToList() : "missing";
  if (PlatformError.isInstance(right))
    return unknown(`it cannot be read what these credentials may list (${causeOf(right)}).`, right);
  if (right !== "held") return doubt;
  const place = await evidence.place();
  return place.isSeen ? gone : unknown(describeUnseen(place), place.cause);
}

async function theListShowedItLast(evidence: Evidence): Promise<Verdict | undefined> {
  const { uid, ownDelete, seen } = evidence;
  if (ownDelete === "none" || seen?.wasLast(uid) !== true) return undefined;
  return (await evidence.placeAfterList()).isSeen && !(await evidence.hasLostOwnBindings()) ? gone : undefined;
}

/** True for kinds whose DELETE also succeeds if it deletes nothing: their objects give access, which must not be forgotten. */
export function givesAccess({ calls }: Kind): boolean {
  return calls.delete === "ignores missing";
}

const gone: Verdict = { is: "gone" };

/** @throws `cause` if it is transient: it says nothing about the object */
function unknown(why: string, cause?: unknown): Verdict {
  if (isWorthRetrying(cause, "repeatable")) throw cause;
  return { is: "unknown", why };
}
