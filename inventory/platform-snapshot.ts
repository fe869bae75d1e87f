import type { Snapshot } from "../access/snapshot";
import { kindNamed, kindNames } from "./kinds";
import type { PlatformInventory } from "./platform";
import { snapshotOf } from "./snapshot-of";

/**
 * Who may do what by all that was read of the platform.
 *
 * @param now invites that have expired by then are left out: they cannot be accepted. Default: all are kept
 */
export function platformSnapshot(
  { objects, around, unreadable }: Pick<PlatformInventory, "objects" | "around" | "unreadable">,
  now?: number,
): Snapshot {
  const invite = kindNamed(kindNames.groupInvite);
  const isExpired = (row: object) => now !== undefined && invite.settled({ ...row }, now) === "expired";
  const all = [...objects.all, ...around.all];
  return snapshotOf(
    all.filter(({ kind, row }) => kind !== kindNames.groupInvite || !isExpired(row)),
    unreadable,
  );
}
