import type { PlatformClient } from "../client/client";
import { isAtOrBelow, lineageOf } from "../client/uid";
import { group } from "../kinds/group";
import { isKind, type Kind } from "../schema/kind";

/** The number of other objects requested at once to find a control. */
export const controlCount = 10;

/** The group in which an object is a control. A caller that sees it there sees every object of its kind there and below. */
export function controlPlace(kind: Kind, uid: string): string | undefined {
  // A readable group shows those in it.
  return isKind(kind, group) ? uid : lineageOf(uid)[kind.collection.depth ?? 1];
}

/** True if a caller that sees the object `control` also sees objects of the kind in `place`, because roles are inherited downwards. */
export function covers(kind: Kind, control: string, place: string): boolean {
  const shown = controlPlace(kind, control);
  return shown !== undefined && isAtOrBelow(place, shown);
}

/**
 * True if the List of the kind shows these credentials a control in `place`: another object there or in a group above. The List would
 * then show a new object there too. Objects elsewhere and built-in roles are no controls.
 *
 * The right to list is no evidence here. A token may be older than the role that gives the right, and after an incomplete List, a
 * repeated POST would make a second object.
 */
export async function showsControl(
  kind: Kind,
  place: string,
  client: Pick<PlatformClient, "list" | "listSome">,
): Promise<boolean> {
  const lineage = lineageOf(place);
  if (isKind(kind, group)) return (await client.list(kind.collection, { uids: lineage })).length > 0;
  for (const childrenOf of lineage)
    if ((await client.listSome(kind.collection, { childrenOf }, controlCount)).length > 0) return true;
  return false;
}
