import { groupText } from "../../client/known-paths";
import { hasCode, type PlatformError, withAdvice } from "../../client/errors";
import { list } from "../../client/printable";
import { pollUntil } from "../../client/wait";
import { type Inputs, naturalKeyOf } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { ShownBinding } from "../../kinds/shown-binding";
import { remove } from "../object/delete";
import type { Run } from "../run/run";
import type { Permit } from "../guards/self-lockout";
import { batchesOf, type MemberFailure } from "./add-members";
import { bindingInputs, type Bound, pairOf } from "./members";
import { declaredTwice } from "./messages";

/** How long a removal waits, in milliseconds, for other resources of the program to take over the bindings that they declare. */
const graceMs = 2_000;

/** The same while other resources of the program were not checked yet: the process of their provider may have to start. */
const companionsMs = 15_000;
const pollMs = 100;

/** What became of the members to remove. */
export interface Losses {
  /** Those whose binding is deleted, or is now managed by another resource. */
  readonly removed: readonly Bound[];
  /** Those whose binding another resource declares and does not manage yet. */
  readonly awaited: readonly Bound[];
  readonly failures: readonly MemberFailure<Bound>[];
}

/** How to remove members. */
export interface RemoveOptions {
  /** The bindings in the group; undefined if they cannot be listed. */
  readonly shown: readonly ShownBinding[] | undefined;
  /** Whether a binding that was changed by hand, and is for somebody else by now, is deleted too. */
  readonly evenIfChanged: boolean;
  /** True for a member that no other resource of the program may declare. */
  readonly isExclusive: (member: Bound) => boolean;
  /** The inputs of the `GroupAccess`, or its state. */
  readonly inputs: Inputs;
}

/** A role binding, and who has which role by it now: it may have been changed by hand. */
type Held = Pick<Bound, "binding" | "identityUid" | "roleUid" | "createTime">;

/** A member to remove, and its bindings. */
interface Target {
  readonly member: Bound;
  readonly bindings: readonly Held[];
}

/**
 * Deletes the role bindings of `members`. One that another resource of the stack manages stays; one that it declares and does not
 * manage yet is neither deleted nor forgotten. If a removal would end access that this run needs, nothing is removed; otherwise the
 * bindings of the caller go last.
 *
 * @throws PlatformError before anything is removed: the run was cancelled, or what other resources have cannot be read
 */
export async function removeMembers(
  groupUid: string,
  members: readonly Bound[],
  run: Run,
  options: RemoveOptions,
): Promise<Losses> {
  const { isExclusive, inputs } = options;
  if (members.length === 0) return { removed: [], awaited: [], failures: [] };
  const targets = members.map((member) => ({ member, bindings: bindingsOf(member, options) }));
  await takenOver(groupUid, targets, inputs, run);
  const contested = targets.filter((target) => isExclusive(target.member) && isOthers(groupUid, target, run));
  const failures: MemberFailure<Bound>[] = contested.map(({ member }) => ({ member, error: declaredTwice(member.binding) }));
  const rest = targets.filter((target) => !contested.includes(target));
  const released = rest.filter((target) => isManaged(target, run));
  const awaited = rest.filter((target) => !released.includes(target) && isDeclaredElsewhere(groupUid, target.member, run));
  const leaving = rest.filter((target) => !released.includes(target) && !awaited.includes(target));
  const caller = await run.client.caller();
  const own = leaving.filter(({ bindings }) => bindings.some(({ identityUid }) => identityUid === caller?.uid));
  const removed = released.map(({ member }) => member);
  const losses = { removed, awaited: awaited.map(({ member }) => member), failures };
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
function bindingsOf(member: Bound, { shown = [], evenIfChanged }: Pick<RemoveOptions, "shown" | "evenIfChanged">): Held[] {
  const now = shown.find(({ binding }) => binding === member.binding) ?? member;
  const isChanged = pairOf(now) !== pairOf(member);
  const others = shown.filter((other) => other.binding !== member.binding && pairOf(other) === pairOf(member));
  return [...(isChanged && !evenIfChanged ? [] : [now]), ...others];
}

/** Waits until the resources that declare some of `targets` manage them: the engine works on several resources at once. */
async function takenOver(groupUid: string, targets: readonly Target[], inputs: Inputs, run: Run): Promise<void> {
  const isAwaited = (target: Target) => isDeclaredElsewhere(groupUid, target.member, run) && !isManaged(target, run);
  const timeoutMs = run.ledger.companions.unchecked(inputs).length === 0 ? graceMs : companionsMs;
  await pollUntil({ timeoutMs, delayMs: pollMs, clock: run.client.clock }, ({ count }) => {
    const unchecked = run.ledger.companions.unchecked(inputs);
    if (count * pollMs === graceMs && unchecked.length > 0) run.notify(waiting(groupUid, unchecked));
    // Not at the first probe: the engine may be about to check another resource.
    const isDone = count > 1 && unchecked.length === 0 && !targets.some(isAwaited);
    return Promise.resolve({ state: isDone ? "target" : "pending", value: unchecked });
  });
}

function waiting(groupUid: string, unchecked: readonly string[]): string {
  return (
    `GroupAccess of ${groupText(groupUid)}: before it removes access, it waits up to ${companionsMs / 1_000} s until the engine has checked ` +
    `${list(unchecked)}, which may take over what is removed. With --target, target ${unchecked.length > 1 ? "them" : "it"}, too: ` +
    "the engine checks nothing else."
  );
}

/** True if another resource of the stack has a binding of the member, and so decides about it. */
function isManaged({ bindings }: Target, run: Run): boolean {
  return bindings.some(
    ({ binding }) => run.ledger.has(roleBinding, binding) || run.ledger.inState.has(roleBinding.collection, binding),
  );
}

/** True if a `RoleBinding` of the program, of any provider, declares or has the binding. */
function isOthers(groupUid: string, { member, bindings }: Target, run: Run): boolean {
  return isDeclaredElsewhere(groupUid, member, run) || bindings.some(({ binding }) => run.ledger.has(roleBinding, binding));
}

/** True if another resource of the program declares the member's binding. */
function isDeclaredElsewhere(groupUid: string, member: Bound, run: Run): boolean {
  const { roleUid: _, ...inputs } = bindingInputs(groupUid, member);
  const [key, ...named] = [{ roleUid: member.roleUid }, { roleName: member.role }].map((role) =>
    naturalKeyOf(roleBinding, { ...inputs, ...role }),
  );
  if (key === undefined) return false;
  return (
    run.ledger.declarations.has(key) ||
    [key, ...named].some((each) => each !== undefined && run.ledger.facts.isKnown(["declares", each]))
  );
}

/** The removals among `own` that this run must not make. */
async function lockoutBy(groupUid: string, own: readonly Target[], run: Run): Promise<MemberFailure<Bound>[]> {
  const permits: Permit[] = [];
  const failures: MemberFailure<Bound>[] = [];
  // All permits at once: two bindings that replace each other must not both go.
  for (const { member, bindings } of own) {
    try {
      for (const held of bindings)
        permits.push(await run.selfLockout.beforeDelete(roleBinding, held.binding, bindingInputs(groupUid, held)));
    } catch (error) {
      failures.push({ member, error: withWaysOut(error) });
    }
  }
  // Each removal asks again, right before it is sent.
  for (const permit of permits) permit.withdraw();
  return failures;
}

/** The error of a removal, with what to do in a `GroupAccess`. */
export function withWaysOut<Thrown>(error: Thrown): Thrown | PlatformError {
  if (!hasCode(error, "SELF_LOCKOUT")) return error;
  return withAdvice(error, "In a GroupAccess: list this member in `access`, or name its identity in `exempt`.");
}
