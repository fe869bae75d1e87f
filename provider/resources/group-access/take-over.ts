import { roleBinding } from "../../kinds/role-binding";
import { naturalKeyOf } from "../../schema/kind";
import type { Run } from "../run/run";
import { bindingInputs, type Bound, claimMembers } from "./members";

/**
 * Claims role bindings that exist already, and tells the other processes of the run.
 *
 * @throws PlatformError `FAILED_PRECONDITION` if another resource is deleting one
 */
export function takeOver(groupUid: string, kept: readonly Bound[], run: Run): void {
  for (const member of kept)
    run.ledger.open({ key: naturalKeyOf(roleBinding, bindingInputs(groupUid, member)), path: undefined });
  // The comparison has recorded already whether a create may adopt.
  claimMembers(groupUid, kept, run, false);
}
