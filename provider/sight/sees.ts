import type { PlatformClient } from "../client/client";
import { platformErrorAs } from "../client/errors";
import { isWorthRetrying } from "../client/retry";
import { isAtOrBelow, lineageOf, organizationOf } from "../client/uid";
import { group } from "../kinds/group";
import { isKind, type Kind } from "../schema/kind";
import { callerRights, rightIn } from "./rights";

/** How many other objects are requested at once to find a control. */
export const controlCount = 10;

/** The group in which an object shows what a List shows: whoever sees it there sees everything of its kind there and below. */
export function controlPlace(kind: Kind, uid: string): string | undefined {
  // A readable group shows those in it.
  return isKind(kind, group) ? uid : lineageOf(uid)[kind.collection.depth ?? 1];
}

/** True if whoever sees the object `control` also sees objects of the kind in `place`: roles are inherited downwards. */
export function covers(kind: Kind, control: string, place: string): boolean {
  const shown = controlPlace(kind, control);
  return shown !== undefined && isAtOrBelow(place, shown);
}

/**
 * True if the List of the kind would show these credentials an object in `place`. One of two witnesses says so, each requested after
 * the call:
 *
 * - *control*: the List shows another object there or in a group above. Objects elsewhere and built-in roles are none.
 * - *right*: a role of these credentials, bound there or above, has the List capability of the kind. A token may be older than the role
 *   (docs/platform-api.md#token-snapshots), so a List that is never empty must also show something in the organisation.
 *
 * @throws PlatformError if the List fails, or on a transient fault
 */
// See docs/decisions/0020-gone-is-proven-afterwards.md.
export async function sees(
  kind: Kind,
  place: string,
  client: Pick<PlatformClient, "caller" | "list" | "listSome">,
): Promise<boolean> {
  return (await showsControl(kind, place, client)) || (await hasRight(kind, place, client));
}

async function showsControl(kind: Kind, place: string, client: Pick<PlatformClient, "list" | "listSome">): Promise<boolean> {
  const lineage = lineageOf(place);
  if (isKind(kind, group)) return (await client.list(kind.collection, { uids: lineage })).length > 0;
  for (const childrenOf of lineage)
    if ((await client.listSome(kind.collection, { childrenOf }, controlCount)).length > 0) return true;
  return false;
}

async function hasRight(
  kind: Kind,
  place: string,
  client: Pick<PlatformClient, "caller" | "list" | "listSome">,
): Promise<boolean> {
  const unlessTransient = platformErrorAs((error) => {
    if (isWorthRetrying(error, "repeatable")) throw error;
    return undefined;
  });
  if (rightIn(kind, place, await callerRights(client).catch(unlessTransient)) !== "held") return false;
  if (kind.calls.list === "may be empty") return true;
  return (await client.listSome(kind.collection, { descendantsOf: organizationOf(place) }, controlCount)).length > 0;
}
