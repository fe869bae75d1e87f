import { groupText } from "../../client/known-paths";
import { keepsOthers, type Member, roleUidsIn } from "../../kinds/group-access";
import { roleBinding } from "../../kinds/role-binding";
import type { Inputs } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import type { ShownBinding } from "../../kinds/shown-binding";
import type { Run } from "../run/run";
import { compareAccess, type Comparison } from "./comparison";
import { addMembers, type MemberFailure } from "./add-members";
import { type Losses, removeMembers } from "./remove-members";
import { adopts, type Bound, boundIn, hasOthersKept, pairOf, slotOf, stateWith, withOthersKept } from "./members";
import {
  announceReleased,
  announceRemoved,
  announceUndeclared,
  inContext,
  othersHaveAccess,
  partlyFailed,
  plainError,
} from "./messages";
import { takeOver } from "./take-over";
import { ManagedScope, withinReach } from "./scope";

/**
 * Adds and removes members: first all gains, then the losses. Access that somebody else has given since the last run, which no preview
 * has shown, is removed too, with a warning; with `adopt` it is kept until a refresh shows it.
 *
 * @returns the outputs for state
 * @throws PlatformError `CHANGED_MEANWHILE` if somebody else has changed a role binding of a declared member; `KEY_TAKEN` if others have
 *   access that this resource has kept so far and would remove; nothing was sent
 * @throws CreatedButFailed with what was done, if not all of it was
 */
export async function updateAccess({ uid: groupUid, olds, news }: Operation, run: Run): Promise<Inputs> {
  const what = () => `update access of group ${groupText(groupUid)}`;
  const comparison = await inContext(what, () => compareAccess(news, olds, run));
  const { shown, kept, missing, roleUids, scope } = comparison;
  const losses = lossesOf(comparison, { olds, news }, run);
  if (losses.unshown.length > 0) throw othersHaveAccess(what(), losses.unshown);
  announceReleased(groupUid, losses.released, run);
  takeOver(groupUid, kept, run);
  const { added, failures } = await addMembers(groupUid, missing, run);
  const members = [...kept, ...added];
  const stateNow = (rest: readonly Bound[], inputs = news) => {
    const state = stateWith(inputs, [...members, ...relabelled(rest, members)], new Map([...roleUidsIn(olds), ...roleUids]));
    return withOthersKept(state, losses.keepsUnseen && losses.unseen.length > 0);
  };
  const failed = (failures: readonly MemberFailure<Member>[], removed: readonly Bound[], then?: string) => {
    // The next run may update this resource before it sees the one that has taken a member over.
    const rest = losses.owned.filter((member) => !removed.includes(member) && run.ledger.retain(roleBinding, member.binding));
    const isUnchanged = added.length + removed.length === 0 && rest.length === losses.owned.length;
    if (isUnchanged && kept.every((member) => losses.known.has(pairOf(member)))) return plainError(what(), failures);
    // Until the update has ended, no preview shows the access of others, so the next run must still know that it keeps it.
    const state = stateNow(rest, keepsOthers(olds) ? { ...news, others: olds["others"] } : news);
    return partlyFailed([groupUid, state], what(), failures, then);
  };
  if (failures.length > 0) throw failed(failures, [], "Nothing was removed.");
  if (losses.keepsUnseen) announceUndeclared(groupUid, losses.unseen, run);
  else announceRemoved({ uid: groupUid, news }, losses.unseen, run);
  const done = await removeMembers(groupUid, losses.members, run, {
    shown: withinReach(news, losses.before, shown),
    isStillOwn: () => false,
    isExclusive: (member) => scope.covers(member),
  }).catch((error: unknown): Losses => {
    // Nothing was removed yet, but what was added must be in the state.
    return { removed: [], failures: losses.members.map((member) => ({ member, error })) };
  });
  if (done.failures.length > 0) throw failed(done.failures, done.removed);
  return stateNow(losses.owned.filter((member) => !done.removed.includes(member)));
}

/** The losses of an update, decided before anything is sent. */
function lossesOf({ kept, missing, undeclared, scope }: Comparison, { olds, news }: Pick<Operation, "olds" | "news">, run: Run) {
  const declared = new Set([...kept, ...missing].map(pairOf));
  const before = boundIn(olds);
  const known = new Set(before.map(pairOf));
  const dropped = before.filter((member) => !declared.has(pairOf(member)));
  const leaving = dropped.filter((member) => !scope.isExempt(member));
  const unseen = undeclared.filter((other) => !known.has(pairOf(other)));
  // Beside others, `adopt` takes over what exists for members, and the bindings in the state stay its own.
  const keepsUnseen = !keepsOthers(news) && adopts(news, run);
  const scopeBefore = new ManagedScope(olds, roleUidsIn(olds));
  const isShown = (other: ShownBinding) => !hasOthersKept(olds) && scopeBefore.covers(other);
  const members = [...leaving, ...(keepsUnseen ? [] : unseenMembers(unseen))];
  return {
    /** The members in state, and their pairs. */
    before,
    known,
    /** Members that keep their access, because they are exempt now. */
    released: dropped.filter((member) => scope.isExempt(member)),
    /** Access that others have given, and whether they keep it. */
    unseen,
    keepsUnseen,
    /** Members to remove. */
    members,
    /** Members to remove that must stay in the state until then: beside others, only the state knows which bindings to remove. */
    owned: keepsOthers(news) ? members : leaving,
    /** Access that this resource has left to others so far, and would remove: no refresh and no preview has shown it. */
    unshown: keepsOthers(news) || keepsUnseen ? [] : unseen.filter((other) => !isShown(other)),
  };
}

/** Role bindings that the state does not know, as members to remove: one per pair, since all bindings of a pair are removed together. */
function unseenMembers(unseen: readonly ShownBinding[]): Bound[] {
  const byPair = new Map(unseen.map((each) => [pairOf(each), each]));
  return [...byPair.values()].map(({ binding, identityUid, roleUid, identityName, roleName }) => ({
    ...{ binding, identityUid, roleUid },
    role: roleName || roleUid,
    label: identityName || identityUid,
  }));
}

/** Members to remove, under labels that no declared member has. */
function relabelled(rest: readonly Bound[], members: readonly Bound[]): Bound[] {
  const used = new Set(members.map(slotOf));
  return rest.map((member) =>
    used.has(slotOf(member)) ? { ...member, label: `${member.label} (${member.identityUid})` } : member,
  );
}
