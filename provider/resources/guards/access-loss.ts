import { isAtOrBelow } from "../../client/uid";
import type { Grant } from "../../sight/rights";

/** A change of what a caller may do. */
export type AccessChange =
  /** A binding of the caller is deleted, replaced or updated. `gives`: what it, or its replacement, grants the caller afterwards. */
  | { readonly is: "binding"; readonly uid: string; readonly gave: Grant; readonly gives: readonly Grant[] }
  /** A role gets these capabilities. */
  | { readonly is: "role"; readonly uid: string; readonly capabilities: readonly string[] };

/** The access of a caller right before a change. */
export interface AccessFacts {
  /** The bindings of the caller, as a List shows them now. */
  readonly shown: readonly Grant[];
  /** The changes that this run has begun, in flight or done. */
  readonly earlier: readonly AccessChange[];
  /** The capabilities of a role on the platform. */
  readonly capabilitiesOf: (role: string) => Promise<readonly string[]>;
}

/** Capabilities lost in one place. */
export interface Loss {
  readonly place: string;
  readonly capabilities: readonly string[];
}

/**
 * The first loss by a change: capabilities that no other binding of the caller grants, in the same place or above. A binding or a role
 * that this run changes grants nothing, because a List may be stale, unless the List shows the binding as this run has made it.
 */
// See docs/decisions/0059-guards-are-one-list.md.
export async function lossOf(change: AccessChange, { shown, earlier, capabilitiesOf }: AccessFacts): Promise<Loss | undefined> {
  const changedRoles = new Set([...earlier, change].flatMap(({ is, uid }) => (is === "role" ? [uid] : [])));
  const isSure = (grant: Grant) => !changedRoles.has(grant.role) && isAsMade(grant, earlier);
  const others = shown.filter((grant) => grant.binding !== change.uid && isSure(grant));
  const gives = change.is === "role" ? [] : change.gives.filter(({ role }) => !changedRoles.has(role));
  // A List that shows others in its place or above would show this one, so it is already gone.
  const isGone =
    change.is === "binding" &&
    !shown.some(({ binding }) => binding === change.uid) &&
    others.some(({ place }) => isAtOrBelow(change.gave.place, place));
  if (isGone) return undefined;
  for (const { place, role } of takenBy(change, shown, earlier)) {
    const covering = [...others, ...gives].filter((other) => isAtOrBelow(place, other.place));
    if (covering.some((other) => other.role === role)) continue;
    const kept = await Promise.all(covering.map((other) => capabilitiesOf(other.role)));
    const own = change.is === "role" ? change.capabilities : [];
    const left = new Set([...own, ...kept.flat()]);
    const capabilities = (await capabilitiesOf(role)).filter((capability) => !left.has(capability));
    if (capabilities.length > 0) return { place, capabilities };
  }
  return undefined;
}

/** The grants that `change` takes or alters. */
function takenBy(change: AccessChange, shown: readonly Grant[], earlier: readonly AccessChange[]): readonly Grant[] {
  if (change.is === "binding") return [shown.find(({ binding }) => binding === change.uid) ?? change.gave];
  const given = earlier.flatMap((other) => (other.is === "binding" ? other.gives : []));
  return [...shown, ...given].filter(({ role }) => role === change.uid);
}

/** True for a binding that this run does not change, or has made as it is. */
function isAsMade({ binding, role }: Grant, earlier: readonly AccessChange[]): boolean {
  const isMade = (given: Grant) => given.binding === binding && given.role === role;
  return earlier.every((change) => change.is === "role" || change.uid !== binding || change.gives.some(isMade));
}
