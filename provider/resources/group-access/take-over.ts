import { groupText } from "../../client/known-paths";
import { roleBinding } from "../../kinds/role-binding";
import { naturalKeyOf } from "../../schema/kind";
import { beingRemoved } from "../creating/create-errors";
import type { Run } from "../run/run";
import { bindingInputs, type Bound, claimMembers } from "./members";
import { memberNames } from "./messages";

/**
 * Claims role bindings that exist already, and tells the other processes of the run.
 *
 * @throws PlatformError `FAILED_PRECONDITION` if another resource has begun to delete one
 */
export function takeOver(groupUid: string, kept: readonly Bound[], run: Run): void {
  for (const member of kept) {
    const key = naturalKeyOf(roleBinding, bindingInputs(groupUid, member));
    if (key !== undefined) run.ledger.open(key);
  }
  claimMembers(groupUid, kept, run);
  const leaving = kept.filter(({ binding }) => run.ledger.facts.isKnown(["leaves", binding]));
  if (leaving.length > 0) throw beingRemoved(`access of group ${groupText(groupUid)}`, memberNames(leaving));
}
