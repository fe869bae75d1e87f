import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, PlatformError } from "../../client/errors";
import { keyOf } from "../../kinds/kind";
import { roleBinding } from "../../kinds/role-binding";
import { remove } from "../delete";
import type { Run } from "../run";
import type { Permit } from "../self-lockout";
import { batchesOf, type Failure } from "./gains";
import { bindingInputs, type Bound, pairOf, type Shown } from "./members";

/** How long a removal waits, in milliseconds, for the engine to check and claim what other resources declare. */
const gatherMs = 100;

/** What became of the members to remove. */
export interface Losses {
  /** Those that have lost their access here, or whose binding another resource of the program has. */
  readonly removed: Bound[];
  readonly failures: Failure<Bound>[];
}

/** How to remove members. */
export interface RemoveOptions {
  /** The bindings in the group; undefined if they cannot be listed. */
  readonly shown: readonly Shown[] | undefined;
  /** Whether a binding that has changed by hand, and now is for somebody else, goes too. */
  readonly evenIfChanged: boolean;
  /** True for a member that another resource of the program must not have. */
  readonly isExclusive: (member: Bound) => boolean;
}

/**
 * Deletes the role bindings of `members`. One that a `RoleBinding` of this program has stays. If a removal would end access that this
 * run needs, nothing is removed; otherwise those of the caller go last.
 */
export async function removeMembers(
  run: Run,
  groupUid: string,
  members: readonly Bound[],
  { shown, evenIfChanged, isExclusive }: RemoveOptions,
): Promise<Losses> {
  if (members.length === 0) return { removed: [], failures: [] };
  await sleep(gatherMs);
  const removed: Bound[] = [];
  const failures: Failure<Bound>[] = [];
  const targets: { member: Bound; bindings: string[] }[] = [];
  for (const member of members) {
    const bindings = bindingsOf(member, shown, evenIfChanged);
    const other = bindings.find((uid) => isOfAnother(run, groupUid, member, uid));
    if (other === undefined) targets.push({ member, bindings });
    else if (isExclusive(member) && isDeclared(run, groupUid, member, other)) failures.push({ member, error: declaredTwice(other) });
    else removed.push(member);
  }
  const caller = (await run.client.caller())?.uid;
  const [own, others] = [
    targets.filter(({ member }) => member.identityUid === caller),
    targets.filter(({ member }) => member.identityUid !== caller),
  ];
  const lockout = await lockoutBy(run, groupUid, own);
  if (lockout.length > 0) return { removed, failures: [...failures, ...lockout] };
  for (const batch of [...batchesOf(others), ...batchesOf(own)]) {
    await Promise.all(
      batch.map(async ({ member, bindings }) => {
        try {
          await Promise.all(bindings.map((uid) => remove(roleBinding, uid, bindingInputs(groupUid, member), run)));
          removed.push(member);
        } catch (error) {
          failures.push({ member, error: explained(error) });
        }
      }),
    );
    // The caller's own access goes last, and only if nothing is left that needs it.
    if (failures.length > 0) break;
  }
  return { removed, failures };
}

/** The bindings to delete: the one in state, unless it now is for somebody else, and one that was made in its place. */
function bindingsOf(member: Bound, shown: readonly Shown[] | undefined, evenIfChanged: boolean): string[] {
  const now = shown?.find(({ binding }) => binding === member.binding);
  const isChanged = now !== undefined && pairOf(now) !== pairOf(member);
  const same = (shown ?? []).filter((other) => pairOf(other) === pairOf(member)).map(({ binding }) => binding);
  return [...new Set([...(isChanged && !evenIfChanged ? [] : [member.binding]), ...same])];
}

/** True if a `RoleBinding` of this stack has the binding: the engine deletes that one itself if the program drops it. */
function isOfAnother(run: Run, groupUid: string, member: Bound, uid: string): boolean {
  return isDeclared(run, groupUid, member, uid) || run.inState.has(roleBinding.collection, uid);
}

function isDeclared(run: Run, groupUid: string, member: Bound, uid: string): boolean {
  const key = keyOf(roleBinding, bindingInputs(groupUid, member));
  return run.holds(roleBinding, uid) || (key !== undefined && run.declarations.has(key));
}

/** The removals among `own` that this run must not make. */
async function lockoutBy(
  run: Run,
  groupUid: string,
  own: readonly { member: Bound; bindings: string[] }[],
): Promise<Failure<Bound>[]> {
  const permits: Permit[] = [];
  const failures: Failure<Bound>[] = [];
  for (const { member, bindings } of own) {
    try {
      for (const uid of bindings)
        permits.push(await run.selfLockout.beforeDelete(roleBinding, uid, bindingInputs(groupUid, member)));
    } catch (error) {
      failures.push({ member, error: explained(error) });
    }
  }
  if (failures.length > 0) for (const permit of permits) permit.failed();
  return failures;
}

function explained(error: unknown): unknown {
  return hasCode(error, "SELF_LOCKOUT")
    ? error.with("In a GroupAccess, list this member in `access`, or name its identity in `exempt`.")
    : error;
}

function declaredTwice(uid: string): PlatformError {
  const ways = "List it in `access`, name the identity in `exempt`, or remove the RoleBinding.";
  return new PlatformError("KEY_TAKEN", `a RoleBinding of this program declares role binding ${uid}. It was not removed. ${ways}`);
}
