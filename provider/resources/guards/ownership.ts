import { groupAccess } from "../../kinds/group-access";
import { isKind } from "../../schema/kind";
import { go } from "./change";
import type { Guard } from "./guard";

/**
 * A resource deletes only an object that no other resource of the program owns: after a rename with `adopt`, the engine deletes the old
 * name, whose object the new one has adopted. From then on no other resource may claim the object.
 */
export const ownershipGuard: Guard = {
  inPreviews: false,
  async before(change, { run }) {
    // Several GroupAccess may manage different roles of one group, so none owns the uid of the group.
    if (change.is !== "delete" || isKind(change.kind, groupAccess)) return Promise.resolve(go);
    const { kind, uid, path } = change;
    return Promise.resolve(run.ledger.leave(kind, uid, path) ? go : { is: "skip" });
  },
};
