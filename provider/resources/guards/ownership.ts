import { groupAccess } from "../../kinds/group-access";
import { isKind, type Kind } from "../../schema/kind";
import { go } from "./change";
import type { Guard } from "./guard";

/**
 * A resource deletes only an object that no other resource of the program owns: after a rename with `adopt`, the engine deletes the old
 * name, whose object the new one has adopted. From then on no other resource may claim the object.
 */
export const ownershipGuard: Guard = {
  inPreviews: false,
  async before(change, { run }) {
    if (change.is !== "delete") return Promise.resolve(go);
    const { kind, uid, path } = change;
    // Several GroupAccess may manage different roles of one group, so none owns the uid of the group.
    const isShared = isKind(kind, groupAccess);
    if (run.ledger.imports.spare(kind.collection, uid, isShared ? path : undefined))
      return Promise.resolve({ is: "skip", note: imported(kind, uid) });
    if (isShared) return Promise.resolve(go);
    return Promise.resolve(run.ledger.leave(kind, uid, path) ? go : { is: "skip" });
  },
};

function imported({ collection: { noun } }: Kind, uid: string): string {
  return (
    `warning: ${noun} ${uid} is kept: this run has imported it by its name, so it is the object of the new resource too. Remove the ` +
    "`import` option of a resource that the state already has, or write the uid there."
  );
}
