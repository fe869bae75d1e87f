import { groupText } from "../../client/known-paths";
import { options } from "../../client/printable";
import { isBelow, lineageOf, parentOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { describeExisting, isKind } from "../../schema/kind";
import type { Stated } from "../../schema/operation";
import { go } from "./change";
import type { Guard, Guarded } from "./guard";

/** Records that the platform keeps the object in its group when its resource is deleted, if the state says so. */
export function noteKept({ kind, uid, state }: Stated, run: Pick<Guarded, "ledger">): void {
  if (kind.isKept(state) && isKind({ collection: kind.parents }, group)) run.ledger.kept.push({ kind, uid });
}

/**
 * Warns once for each group that keeps an object whose resource is being deleted, because the platform then refuses to delete the group.
 * The engine does not announce deletions and deletes groups last. So the warning comes at the first deletion in the group, or in a group
 * above that may be deleted too.
 *
 * @param deleted the object about to be deleted
 */
function warnOfKept(deleted: Pick<Stated, "uid">, run: Pick<Guarded, "ledger" | "notify">): void {
  const { ledger } = run;
  // A group that a resource of the program still owns stays. The root of an organisation is not deleted with a department.
  const mayLeave = (place: string) => parentOf(place) !== undefined && !ledger.has(group, place);
  for (const { kind, uid } of ledger.kept) {
    const place = kind.placeOf(uid);
    if (place === undefined || ledger.has(kind, uid) || !mayLeave(place)) continue;
    if (!lineageOf(place).some((above) => mayLeave(above) && isBelow(deleted.uid, above))) continue;
    const { noun } = kind.collection;
    run.notify(
      `warning: group ${groupText(place)} keeps a ${noun} that leaves the program, because its \`deletionPolicy\` is "retain". ` +
        "If this run deletes that group too, it fails there, after it has deleted what else is in it." +
        options([
          "To keep access, interrupt this run now.",
          `To delete the ${noun} too, first run \`pulumi up\` with \`deletionPolicy: "delete"\` on it.`,
          "To keep the group too, first run `pulumi up` with `retainOnDelete` on both.",
        ]),
    );
  }
}

/** Deletes no object that its state says to keep: its resource leaves the state alone. */
export const keptGuard: Guard = {
  inPreviews: false,
  before(change, { run }) {
    if (change.is !== "delete") return Promise.resolve(go);
    noteKept(change, run);
    warnOfKept(change, run);
    return Promise.resolve(change.kind.isKept(change.state) ? { is: "skip", note: keptNote(change) } : go);
  },
};

function keptNote({ kind, uid, state }: Stated): string {
  return (
    `warning: ${describeExisting(kind, uid, state)} is still on the platform: it was removed from the state only, because its ` +
    '`deletionPolicy` is "retain". To delete it, declare it again with `adopt: true` and `deletionPolicy: "delete"`, run ' +
    "`pulumi up`, remove it from the program, and run `pulumi up` again."
  );
}
