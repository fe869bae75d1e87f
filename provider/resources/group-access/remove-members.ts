import { hasCode, type PlatformError, withAdvice } from "../../client/errors";
import type { Inputs } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { ShownBinding } from "../../kinds/shown-binding";
import { remove } from "../object/delete";
import type { Run } from "../run/run";
import { deletionOf, type Removal } from "../guards/change";
import { batchesOf, type MemberFailure } from "./add-members";
import { bindingInputs, type Bound, pairOf } from "./members";
import { declaredTwice } from "./messages";

/** The result of removing members. */
export interface Losses {
  /** The members whose binding is deleted, or belongs to another resource. */
  readonly removed: readonly Bound[];
  readonly failures: readonly MemberFailure<Bound>[];
}

/** How to remove members. */
export interface RemoveOptions {
  /** The bindings in the group; undefined if they cannot be listed. */
  readonly shown: readonly ShownBinding[] | undefined;
  /** True for a binding that is deleted although its identity or role was changed by hand. */
  readonly isStillOwn: (changed: Held) => boolean;
  /** True for a member whose binding no `RoleBinding` of the program may own. */
  readonly isExclusive: (member: Bound) => boolean;
}

/** A role binding, and who has which role by it now: it may have been changed by hand. */
type Held = Pick<Bound, "binding" | "identityUid" | "roleUid" | "createTime">;

/** A member to remove, and its bindings. */
interface Target {
  readonly member: Bound;
  readonly bindings: readonly Held[];
}

/**
 * Deletes the role bindings of `members`, except those that belong to another resource of the stack. If a removal would end access that
 * this run needs, nothing is removed; otherwise the bindings of the caller go last.
 *
 * @throws PlatformError before anything is removed: the run was cancelled, or the claims of other processes cannot be read
 */
export async function removeMembers(
  groupUid: string,
  members: readonly Bound[],
  run: Run,
  options: RemoveOptions,
): Promise<Losses> {
  const targets = members.map((member) => ({ member, bindings: bindingsOf(member, options) }));
  const owned = targets.filter((target) => isOwned(target, run));
  const contested = owned.filter(({ member, bindings }) => options.isExclusive(member) && bindings.some(isClaimed(run)));
  const failures: MemberFailure<Bound>[] = contested.map(({ member }) => ({ member, error: declaredTwice(member.binding) }));
  const removed = owned.filter((target) => !contested.includes(target)).map(({ member }) => member);
  const losses = { removed, failures };
  const leaving = targets.filter((target) => !owned.includes(target));
  if (leaving.length === 0) return losses;
  const caller = await run.client.caller();
  const own = leaving.filter(({ bindings }) => bindings.some(({ identityUid }) => identityUid === caller?.uid));
  failures.push(...(await lockoutBy(groupUid, own, run)));
  if (failures.length > 0) return losses;
  const others = leaving.filter((target) => !own.includes(target));
  for (const batch of [...batchesOf(others), ...batchesOf(own)]) {
    await Promise.all(
      batch.map(async ({ member, bindings }) => {
        try {
          await Promise.all(bindings.map((held) => remove(roleBinding, held.binding, stateOfHeld(groupUid, held), run)));
          removed.push(member);
        } catch (error) {
          failures.push({ member, error: withWaysOut(error) });
        }
      }),
    );
    // The caller's own access goes last, and only if nothing is left that needs it.
    if (failures.length > 0) break;
  }
  return losses;
}

/** The binding, as the state of a `RoleBinding`. */
function stateOfHeld(groupUid: string, held: Held): Inputs {
  return { ...bindingInputs(groupUid, held), createTime: held.createTime };
}

/** The bindings to delete: the one in state, unless it is for somebody else by now, and others for the same pair, made in its place. */
function bindingsOf(member: Bound, { shown = [], isStillOwn }: Pick<RemoveOptions, "shown" | "isStillOwn">): Held[] {
  const now = shown.find(({ binding }) => binding === member.binding) ?? member;
  const isChanged = pairOf(now) !== pairOf(member);
  const others = shown.filter((other) => other.binding !== member.binding && pairOf(other) === pairOf(member));
  return [...(isChanged && !isStillOwn(now) ? [] : [now]), ...others];
}

/** True if another resource of the stack owns a binding of the member, and so decides about it. */
function isOwned({ bindings }: Target, run: Run): boolean {
  return bindings.some((held) => isClaimed(run)(held) || run.ledger.inState.has(roleBinding.collection, held.binding));
}

/** True for a binding that a resource of the program has claimed, in this process or another one of the run. */
function isClaimed({ ledger }: Run): (held: Held) => boolean {
  return ({ binding }) => ledger.has(roleBinding, binding);
}

/** The removals among `own` that this run must not make. Each asks again, right before it is sent. */
async function lockoutBy(groupUid: string, own: readonly Target[], run: Run): Promise<MemberFailure<Bound>[]> {
  const deletions = own.flatMap(({ member, bindings }) =>
    bindings.map((held) => ({ member, change: memberDeletion(groupUid, held) })),
  );
  const verdicts = await run.guards.ownAccess.onAll(deletions.map(({ change }) => change));
  return own.flatMap(({ member }) => {
    const stop = verdicts.find((verdict, index) => verdict.is === "stop" && deletions[index]?.member === member);
    return stop?.is === "stop" ? [{ member, error: withWaysOut(stop.error) }] : [];
  });
}

/** The deletion of the role binding of a member. */
export function memberDeletion(groupUid: string, held: Pick<Held, "binding" | "identityUid" | "roleUid">): Removal {
  return deletionOf({ kind: roleBinding, uid: held.binding, state: bindingInputs(groupUid, held) });
}

/** The error of a removal, with what to do in a `GroupAccess`. */
export function withWaysOut<Thrown>(error: Thrown): Thrown | PlatformError {
  if (!hasCode(error, "SELF_LOCKOUT")) return error;
  return withAdvice(
    error,
    'In a GroupAccess: list this member in `access`, or, without `others: "keep"`, name its identity in `exempt`.',
  );
}
