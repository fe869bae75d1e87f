import type { Snapshot } from "../access/snapshot";
import type { PlatformInventory } from "./platform";
import { snapshotOf } from "./snapshot-of";

/** Who may do what by all that was read of the platform. */
export function platformSnapshot({
  objects,
  around,
  unreadable,
}: Pick<PlatformInventory, "objects" | "around" | "unreadable">): Snapshot {
  return snapshotOf([...objects.all, ...around.all], unreadable);
}
