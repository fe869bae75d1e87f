import { groupText } from "../../client/known-paths";
import { platformErrorAs } from "../../client/errors";
import { roleUidsIn } from "../../kinds/group-access";
import { roleBinding } from "../../kinds/role-binding";
import type { Inputs } from "../../schema/kind";
import type { Run } from "../run/run";
import { removeMembers } from "./remove-members";
import { bindingInputs, boundIn, shownIn } from "./members";
import { notTakenOver, plainError } from "./messages";
import { ManagedScope, withinReach } from "./scope";

/**
 * Removes all members in the state, except those whose role binding belongs to another resource of this program. Members that the
 * program still declares, for which nothing has claimed the binding, stop the removal: the engine is replacing this resource, and would
 * give the same access again only afterwards.
 *
 * @throws PlatformError with the members that remain
 */
export async function removeAccess(groupUid: string, state: Inputs, run: Run): Promise<void> {
  const leaving = boundIn(state);
  const declared = leaving.filter(
    (member) => run.ledger.access.declares(bindingInputs(groupUid, member)) && !run.ledger.has(roleBinding, member.binding),
  );
  if (declared.length > 0) throw notTakenOver(groupUid, declared);
  // Without a List, the bindings in state are deleted, and their deletion is proven one by one.
  const shown = await shownIn(groupUid, run).then(
    (all) => withinReach(state, leaving, all),
    platformErrorAs(() => undefined),
  );
  const scope = new ManagedScope(state, roleUidsIn(state));
  const { failures } = await removeMembers(groupUid, leaving, run, {
    shown,
    isStillOwn: (changed) => !scope.isExempt(changed),
    isExclusive: () => false,
  });
  if (failures.length > 0) throw plainError(`delete access of group ${groupText(groupUid)}`, failures);
}
