import { groupText } from "../../client/known-paths";
import { places } from "../../kinds/group";
import { roleBinding } from "../../kinds/role-binding";
import type { Inputs } from "../../schema/kind";
import type { Created } from "../creating/create";
import { verifyParent } from "../creating/look-up";
import type { Run } from "../run/run";
import { compareAccess } from "./comparison";
import { addMembers } from "./add-members";
import { adopts, stateWith, withOthersKept } from "./members";
import { announceUndeclared, inContext, othersHaveAccess, partlyFailed, plainError } from "./messages";
import { confirmSight } from "./read";
import { takeOver } from "./take-over";

/**
 * Gives the declared identities their roles. Role bindings that exist already are taken over. Nothing is removed: no preview has shown
 * it.
 *
 * @throws PlatformError `KEY_TAKEN` if somebody else has access and `adopt` is not set; nothing was sent
 * @throws CreatedButFailed if only some members could be added
 */
export async function createAccess(inputs: Inputs, run: Run): Promise<Created> {
  const groupUid = String(inputs["parentUid"]);
  const what = () => `create access of group ${groupText(groupUid)}`;
  const { kept, missing, undeclared, roleUids } = await inContext(what, async () => {
    if (!run.ledger.created.has(places, groupUid)) await verifyParent(roleBinding, inputs, run);
    const comparison = await compareAccess(inputs, {}, run);
    if (comparison.shown.length === 0) await confirmSight(groupUid, run);
    return comparison;
  });
  if (undeclared.length > 0 && !adopts(inputs, run)) throw othersHaveAccess(what(), undeclared);
  takeOver(groupUid, kept, run);
  const { added, failures } = await addMembers(groupUid, missing, run);
  const members = [...kept, ...added];
  const state = withOthersKept(stateWith(inputs, members, roleUids), undeclared.length > 0);
  if (failures.length > 0) {
    // The state must have the adopted bindings, because the RoleBinding that owned one may have left the program.
    if (members.length === 0) throw plainError(what(), failures);
    throw partlyFailed([groupUid, state], what(), failures);
  }
  announceUndeclared(groupUid, undeclared, run);
  return { id: groupUid, outs: state };
}
