import { groupText } from "../../client/known-paths";
import { accessKey, keepsOthers, roleUidsIn } from "../../kinds/group-access";
import type { Inputs } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import type { ShownBinding } from "../../kinds/shown-binding";
import type { Run } from "../run/run";
import { compareAccess } from "./comparison";
import { addMembers } from "./add-members";
import { type Losses, removeMembers } from "./remove-members";
import { type Bound, boundIn, pairOf, slotOf, stateWith } from "./members";
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
import { withinReach } from "./scope";

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
  const before = boundIn(olds);
  const { shown, kept, missing, undeclared, roleUids, scope } = await inContext(what, () => compareAccess(news, olds, run));
  const declared = new Set([...kept, ...missing].map(pairOf));
  const dropped = before.filter((member) => !declared.has(pairOf(member)));
  const released = dropped.filter((member) => scope.isExempt(member));
  const leaving = dropped.filter((member) => !released.includes(member));
  const known = new Set(before.map(pairOf));
  const unseen = undeclared.filter((other) => !known.has(pairOf(other)));
  // Beside others, `adopt` takes over what exists for members, and the bindings in the state stay its own.
  const isKept = !keepsOthers(news) && run.ledger.declarations.adopts(accessKey(news) ?? "");
  // No preview has shown the access that belonged to others so far.
  const isNarrowed = keepsOthers(olds) && !keepsOthers(news);
  if (isNarrowed && unseen.length > 0 && !isKept) throw othersHaveAccess(what(), unseen);
  announceReleased(groupUid, released, run);
  takeOver(groupUid, kept, run);
  const { added, failures } = await addMembers(groupUid, missing, run);
  const members = [...kept, ...added];
  const isChanged = added.length > 0 || members.some((member) => !known.has(pairOf(member)));
  const all = [...leaving, ...(isKept ? [] : unseenMembers(unseen))];
  // Beside others, only the state knows which bindings to remove.
  const owned = keepsOthers(news) ? all : leaving;
  const stateNow = (rest: readonly Bound[], inputs = news) =>
    stateWith(inputs, [...members, ...relabelled(rest, members)], new Map([...roleUidsIn(olds), ...roleUids]));
  // Until the update has ended, no preview shows the access of others, so the next run must still know that it keeps it.
  const unfinished = isNarrowed ? { ...news, others: olds["others"] } : news;
  if (failures.length > 0) {
    if (!isChanged) throw plainError(what(), failures);
    throw partlyFailed([groupUid, stateNow(owned, unfinished)], what(), failures, "Nothing was removed.");
  }
  if (isKept) announceUndeclared(groupUid, unseen, run);
  else announceRemoved({ uid: groupUid, news }, unseen, run);
  const losses = await removeMembers(groupUid, all, run, {
    shown: withinReach(news, olds, shown),
    evenIfChanged: false,
    isExclusive: (member) => scope.covers(member),
  }).catch((error: unknown): Losses => {
    // Nothing was removed yet, but what was added must be in the state.
    return { removed: [], failures: all.map((member) => ({ member, error })) };
  });
  const rest = owned.filter((member) => !losses.removed.includes(member));
  if (losses.failures.length > 0) {
    if (!isChanged && losses.removed.length === 0) throw plainError(what(), losses.failures);
    throw partlyFailed([groupUid, stateNow(rest, unfinished)], what(), losses.failures);
  }
  return stateNow(rest);
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
