import type { Snapshot } from "../access/snapshot";
import { kindNamed, kindNames } from "./kinds";
import type { PlatformObject } from "./objects";
import type { PlatformInventory } from "./platform";
import { snapshotOf } from "./snapshot-of";

/**
 * Who may do what, by everything read of the platform.
 *
 * @param now in milliseconds since 1970; invites expired by then are excluded
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

/** True for an invite that can no longer be accepted and so gives no access. */
export function isExpiredInvite({ kind, row }: Pick<PlatformObject, "kind" | "row">, now: number): boolean {
  return kind === kindNames.groupInvite && kindNamed(kind).settled({ ...row }, now) === "expired";
}
