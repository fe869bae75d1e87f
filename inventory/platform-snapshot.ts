import type { Snapshot } from "../access/snapshot";
import { kindNamed, kindNames } from "./kinds";
import type { PlatformObject } from "./objects";
import type { PlatformInventory } from "./platform";
import { snapshotOf } from "./snapshot-of";

/**
 * Who may do what by all that was read of the platform.
 *
 * @param now in milliseconds since 1970: invites that have expired by then are left out
 */
export function platformSnapshot(
  { root, objects, around, unreadable }: Pick<PlatformInventory, "root" | "objects" | "around" | "unreadable">,
  now: number,
): Snapshot {
  return snapshotOf(
    [...objects.all, ...around.all].filter((object) => !isExpiredInvite(object, now)),
    unreadable,
    root,
  );
}

/** True for an invite that can no longer be accepted: it gives no access. */
export function isExpiredInvite({ kind, row }: Pick<PlatformObject, "kind" | "row">, now: number): boolean {
  return kind === kindNames.groupInvite && kindNamed(kind).settled({ ...row }, now) === "expired";
}
