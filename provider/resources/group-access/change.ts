import { withContext, platformErrorAs } from "../../client/errors";
import { accessKey } from "../../kinds/group-access";
import { type Inputs, naturalKeyOf } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Operation } from "../../schema/operation";
import { beingRemoved } from "../creating/create-errors";
import type { Created } from "../creating/create";
import { CreatedButFailed } from "../creating/created-but-failed";
import { verifyParent } from "../creating/look-up";
import type { Run } from "../run/run";
import { compare } from "./comparison";
import { addMembers } from "./gains";
import { type Losses, removeMembers } from "./losses";
import { bindingInputs, type Bound, boundIn, claim, pairOf, slotOf, roleUidsIn, type Shown, shownIn, stateWith } from "./members";
import {
  announceReleased,
  announceRemoved,
  announceUndeclared,
  memberNames,
  messageFor,
  notTakenOver,
  othersHaveAccess,
  plainError,
} from "./messages";
import { confirmSight } from "./read";

/**
 * Gives the declared identities their roles. Role bindings that exist already are taken over. Nothing is removed: no preview has shown
 * it.
 *
 * @throws PlatformError `KEY_TAKEN` if somebody else has access and `adopt` is not set; nothing was sent
 * @throws CreatedButFailed if only some members could be added
 */
export async function create(inputs: Inputs, run: Run): Promise<Created> {
  const groupUid = String(inputs["parentUid"]);
  const what = `create access of group ${groupUid}`;
  const key = accessKey(inputs);
  const compared = await explained(what, async () => {
    await verifyParent(roleBinding, inputs, run);
    const comparison = await compare(inputs, {}, run);
    if (comparison.shown.length === 0) await confirmSight(groupUid, run);
    return comparison;
  });
  const { kept, missing, undeclared, roleUids } = compared;
  if (undeclared.length > 0 && (key === undefined || !run.ledger.adopts(key))) throw othersHaveAccess(what, undeclared);
  takeOver(groupUid, kept, run);
  const { added, failures } = await addMembers(groupUid, missing, run);
  const members = [...kept, ...added];
  const state = stateWith(inputs, members, roleUids);
  if (failures.length > 0) {
    // What was taken over must be in the state: a RoleBinding that had it before may be dropped from there.
    if (members.length === 0) throw plainError(what, failures);
    throw new CreatedButFailed(groupUid, state, messageFor(what, failures));
  }
  announceUndeclared(groupUid, undeclared, run);
  return { id: groupUid, outs: state };
}

/**
 * Adds and removes members: first all gains, then those losses that the state shows, and therefore the preview. What somebody else has
 * given since the last run goes too, and is named; with `adopt` it is kept until a refresh shows it.
 *
 * @returns the outputs for state
 * @throws PlatformError `CHANGED_MEANWHILE` if somebody else has changed a role binding of a declared member; nothing was sent
 * @throws CreatedButFailed with what was done, if not all of it was
 */
export async function update({ uid: groupUid, olds, news }: Operation, run: Run): Promise<Inputs> {
  const what = `update access of group ${groupUid}`;
  const before = boundIn(olds);
  const { shown, kept, missing, undeclared, roleUids, scope } = await explained(what, () => compare(news, olds, run));
  const declared = new Set([...kept, ...missing].map(pairOf));
  const [released, leaving] = partition(
    before.filter((member) => !declared.has(pairOf(member))),
    (member) => scope.isExempt(member),
  );
  const known = new Set(before.map(pairOf));
  const unseen = undeclared.filter((other) => !known.has(pairOf(other)));
  const isKept = run.ledger.adopts(accessKey(news) ?? "");
  announceReleased(groupUid, released, run);
  takeOver(groupUid, kept, run);
  const { added, failures } = await addMembers(groupUid, missing, run);
  const members = [...kept, ...added];
  const isChanged = members.some((member) => !known.has(pairOf(member)));
  const stateNow = (rest: readonly Bound[]) =>
    stateWith(news, [...members, ...relabelled(rest, members)], new Map([...roleUidsIn(olds), ...roleUids]));
  if (failures.length > 0) {
    if (!isChanged) throw plainError(what, failures);
    throw new CreatedButFailed(groupUid, stateNow(leaving), messageFor(what, failures, "Nothing was removed."));
  }
  if (isKept) announceUndeclared(groupUid, unseen, run);
  else announceRemoved(groupUid, unseen, run);
  const all = [...leaving, ...(isKept ? [] : unseenMembers(unseen))];
  const losses = await removeMembers(groupUid, all, run, {
    shown,
    evenIfChanged: false,
    isExclusive: (member) => scope.covers(member),
    inputs: news,
  }).catch((error: unknown): Pick<Losses, "removed" | "failures"> => {
    // Nothing was removed yet, but what was added must be in the state.
    return { removed: [], failures: all.map((member) => ({ member, error })) };
  });
  const rest = leaving.filter((member) => !losses.removed.includes(member));
  if (losses.failures.length > 0) {
    if (!isChanged && losses.removed.length === 0) throw plainError(what, losses.failures);
    throw new CreatedButFailed(groupUid, stateNow(rest), messageFor(what, losses.failures));
  }
  return stateNow(rest);
}

/**
 * Removes all members in the state, except those that a `RoleBinding` of this program has. A declared member is never exempt.
 *
 * @throws PlatformError with the members that remain
 */
export async function remove(groupUid: string, state: Inputs, run: Run): Promise<void> {
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
  if (failures.length > 0) throw plainError(`delete access of group ${groupUid}`, failures);
}

/**
 * Claims role bindings that this resource did not create, also for other processes of the run.
 *
 * @throws PlatformError `FAILED_PRECONDITION` if another resource has begun to delete one
 */
function takeOver(groupUid: string, kept: readonly Bound[], run: Run): void {
  for (const member of kept) {
    const key = naturalKeyOf(roleBinding, bindingInputs(groupUid, member));
    if (key !== undefined) run.ledger.open(key);
  }
  claim(groupUid, kept, run);
  const leaving = kept.filter(({ binding }) => run.ledger.facts.isKnown(["leaves", binding]));
  if (leaving.length > 0) throw beingRemoved(`access of group ${groupUid}`, memberNames(leaving));
}

/** Role bindings that the state does not know, as members to remove: each pair once, since all its bindings go. */
function unseenMembers(unseen: readonly Shown[]): Bound[] {
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

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

async function explained<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withContext(what, error);
  }
}
