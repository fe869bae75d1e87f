import { groupText } from "../../client/known-paths";
import { platformErrorAs } from "../../client/errors";
import type { Inputs } from "../../schema/kind";
import type { Run } from "../run/run";
import { removeMembers } from "./remove-members";
import { boundIn, shownIn } from "./members";
import { notTakenOver, plainError } from "./messages";

/**
 * Removes all members in the state, except those that a `RoleBinding` of this program has. A declared member is never exempt.
 *
 * @throws PlatformError with the members that remain
 */
export async function removeAccess(groupUid: string, state: Inputs, run: Run): Promise<void> {
  const leaving = boundIn(state);
  // Without a List, the bindings in state are deleted, and their deletion is proven one by one.
  const shown = await shownIn(groupUid, run).catch(platformErrorAs(() => undefined));
  const { awaited, failures } = await removeMembers(groupUid, leaving, run, {
    shown,
    evenIfChanged: true,
    isExclusive: () => false,
    inputs: state,
  });
  if (awaited.length > 0) throw notTakenOver(groupUid, awaited);
  if (failures.length > 0) throw plainError(`delete access of group ${groupText(groupUid)}`, failures);
}
