import type { Clock } from "../../client/clock";
import { hasCode, isNotFound, PlatformError, withContext } from "../../client/errors";
import { untilInterrupted } from "../../client/interruption";
import { shortList } from "../../client/printable";
import { isBelow } from "../../client/uid";
import { pollUntil } from "../../client/wait";
import { identity } from "../../kinds/identity";
import { describe, type Inputs, isKind, type Kind } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import { type Deletion, turnOfOwnAccess } from "../ledger/deletions";
import { emptyOut } from "../deleting/force-destroy";
import { isInTheWay, type Obstacle, obstaclesOf } from "../deleting/obstacles";
import { followsIdentity, markLeaving } from "../ledger/following";
import { guards, noteProtection, requireUnprotected } from "../guards/protection";
import type { Run } from "../run/run";
import { onceOldEnough } from "../proof/young";

/** How long a delete waits, in milliseconds, for the engine to request the deletions of what blocks it. */
const graceMs = 2_000;
const pollMs = 200;

/** Most objects that an error names. */
const mostNamed = 10;

/** An attempt that the platform rejected because of what is in the object. */
interface Blocked {
  obstacles: Obstacle[];
  error: PlatformError;
}

/**
 * Deletes the object, unless its state says that the platform keeps it, or the program still declares it under any logical name:
 * after a rename with `adopt`, the engine deletes the old name, whose object the new one has adopted.
 *
 * @throws PlatformError `FAILED_PRECONDITION` with what blocks it; `PROTECTED`, `SELF_LOCKOUT`, `NOT_GONE`
 */
export async function remove(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  if (run.holds(kind, uid)) return;
  if (isKind(kind, roleBinding)) {
    markLeaving(uid, run);
    // Another process claimed it at the same time. It may have seen the mark, and then does not have the binding.
    if (run.holds(kind, uid)) throw beingTakenOver(kind, uid, state);
  }
  noteProtection(kind, uid, state, run);
  requireUnprotected("delete", kind, uid, state);
  if (kind.isKept(state)) {
    run.notify(kept(kind, uid, state));
    return;
  }
  const { collection } = kind;
  const permit = await run.selfLockout.beforeDelete(kind, uid, state);
  const { endsOwnAccess } = permit;
  const done = endsOwnAccess ? deleteOwnAccess(kind, uid, state, run) : deleteProven(kind, uid, state, run);
  const refersTo = [state["identityUid"], state["roleUid"]].filter((each) => typeof each === "string");
  run.deletions.set(collection, uid, { collection, uid, refersTo, endsOwnAccess, hasBegun: false, done });
  try {
    await done;
    run.deleted.push({ uid, label: `${describe(kind, state)} (${uid})` });
  } catch (error) {
    permit.withdraw(error);
    throw error;
  } finally {
    run.deletions.delete(collection, uid);
  }
}

async function deleteProven(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  if (guards.forceDestroy in kind.fields && state[guards.forceDestroy] === true) await emptyOut(kind, uid, state, run, remove);
  const stays = await run.proof.beforeDelete(kind, uid);
  try {
    if (await deleteWhenEmpty(kind, uid, state, run)) await run.proof.confirmDeleted(kind, uid);
  } catch (error) {
    stays();
    throw error;
  }
}

/**
 * Deletes an object that the access of this run depends on. Nothing can be proven afterwards, so the object is read right before.
 */
async function deleteOwnAccess(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  await turnOfOwnAccess(kind, uid, run.deletions, run.client.clock);
  if (!(await isThere(kind, uid, state, run)) || !(await deleteWhenEmpty(kind, uid, state, run))) return;
  // Without that access the caller cannot see the object either. If it still sees it, the object was not deleted.
  const isStillThere = await run.client.get(kind.collection, uid).then(
    () => true,
    () => false,
  );
  if (!isStillThere) return;
  const why = new PlatformError(
    "WRONG_OBJECT",
    "its DELETE succeeded, but it still exists. It stays in state. Delete it with another identity.",
  );
  throw rejected(kind, uid, state, why);
}

/** @returns false if the object is missing and is proven gone */
async function isThere(kind: Kind, uid: string, state: Inputs, run: Run): Promise<boolean> {
  try {
    await onceOldEnough(state, run.client, () => run.client.get(kind.collection, uid));
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw rejected(kind, uid, state, error);
    await run.proof.confirmGone(kind, uid);
    return false;
  }
}

/** @returns false if the object was missing and is proven gone */
async function deleteWhenEmpty(kind: Kind, uid: string, state: Inputs, run: Run): Promise<boolean> {
  const { clock, timing } = run.client;
  /** DELETEs that may have been applied. */
  let unanswered = 0;
  const send = async () => {
    try {
      await run.proof.deleting(kind, uid, () => run.client.delete(kind.collection, uid, { onSend: () => unanswered++ }));
    } catch (error) {
      if (isNotFound(error) || hasCode(error, "FAILED_PRECONDITION")) unanswered--;
      throw error;
    }
  };
  let leaving: Deletion[] = [];
  let isFreed = false;
  const end = await pollUntil<boolean, Blocked>(
    {
      timeoutMs: timing.budgetMs,
      clock,
      // This run may be deleting what blocks, or do so next.
      delayMs: (_reason, { elapsedMs }) => (isFreed || leaving.length > 0 || elapsedMs <= graceMs ? pollMs : Infinity),
    },
    async () => {
      if (leaving.length > 0) await ended(leaving, clock, timing.attemptMs);
      try {
        await onceOldEnough(state, run.client, send);
        return { state: "target", value: true };
      } catch (error) {
        if (isNotFound(error)) {
          // After an answer that was lost, a 404 may be the effect of the first attempt.
          await run.proof.confirmGone(kind, uid, { mayBeOwn: unanswered > 0 });
          return { state: "target", value: false };
        }
        if (!hasCode(error, "FAILED_PRECONDITION")) throw rejected(kind, uid, state, error);
        const obstacles = await obstaclesOf(kind, uid, run);
        isFreed = await removeFollowing(kind, uid, obstacles, run);
        leaving = run.deletions.values().filter((other) => isInTheWay(other, uid, obstacles));
        return { state: "pending", reason: { obstacles, error } };
      }
    },
  );
  if (end.state === "timeout") throw blocked(kind, uid, state, { ...end.reason, deleted: run.deleted });
  return end.value;
}

/** Waits until `deletions` have ended, at most `longestMs` milliseconds. */
async function ended(deletions: readonly Deletion[], clock: Clock, longestMs: number): Promise<void> {
  const over = new AbortController();
  try {
    const all = Promise.allSettled(deletions.map(({ done }) => done));
    await untilInterrupted(Promise.race([all, clock.sleep(longestMs, over.signal)]));
  } finally {
    over.abort();
  }
}

/**
 * Deletes the role bindings of an identity that is replaced, if nothing else blocks its deletion: the `GroupAccess` that has them gives
 * the new identity the same roles (docs/decisions/0026-another-form-is-a-new-identity.md).
 *
 * @returns false if something else blocks it; nothing was deleted then
 */
async function removeFollowing(kind: Kind, uid: string, obstacles: readonly Obstacle[], run: Run): Promise<boolean> {
  if (!isKind(kind, identity) || obstacles.length === 0) return false;
  if (!obstacles.every((binding) => followsIdentity(binding.uid, run) && !run.holds(roleBinding, binding.uid))) return false;
  const gone = obstacles.map((binding) => deleteProven(roleBinding, binding.uid, { identityUid: uid }, run));
  const failed = (await Promise.allSettled(gone)).find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return true;
}

/** The error for an object of which two resources each leave it to the other: out of both states, its access would be forgotten. */
function beingTakenOver(kind: Kind, uid: string, state: Inputs): PlatformError {
  const why = "another resource of this program is taking it over. Nothing was sent. It stays in state. Run again.";
  return new PlatformError("FAILED_PRECONDITION", `${subject(kind, uid, state)}: ${why}`);
}

/** What to tell when the resource goes and the object stays. */
function kept(kind: Kind, uid: string, state: Inputs): string {
  return (
    `warning: ${describe(kind, state)} (${uid}) is still on the platform: it was removed from the state only, because its ` +
    '`deletionPolicy` is "retain". To delete it, declare it again with `adopt: true` and `deletionPolicy: "delete"`, run ' +
    "`pulumi up`, remove it from the program, and run `pulumi up` again."
  );
}

function rejected(kind: Kind, uid: string, state: Inputs, cause: unknown): PlatformError {
  return withContext(subject(kind, uid, state), cause);
}

/** @param deleted what this run has deleted already */
function blocked(
  kind: Kind,
  uid: string,
  state: Inputs,
  { obstacles, error: cause, deleted }: Blocked & Pick<Run, "deleted">,
): PlatformError {
  const named = obstacles.slice(0, mostNamed).map((obstacle) => obstacle.label);
  const more = obstacles.length > named.length ? ` and ${obstacles.length - named.length} more` : "";
  const force = guards.forceDestroy in kind.fields ? ", set `forceDestroy: true` in an `up` before" : "";
  const hints = [...new Set(obstacles.flatMap(({ hint }) => (hint === undefined ? [] : `${hint} `)))].join("");
  const why =
    named.length > 0
      ? `blocked by ${named.join(", ")}${more}. Delete these first${force}, or keep it with \`retainOnDelete\`. ${hints}`
      : "";
  const gone = deleted.filter((other) => isBelow(other.uid, uid)).map(({ label }) => label);
  const already = gone.length === 0 ? "" : ` This run has already deleted, in it, ${shortList(gone, mostNamed)}.`;
  return new PlatformError("FAILED_PRECONDITION", `${subject(kind, uid, state)}: ${why}${cause.message}${already}`, { cause });
}

function subject(kind: Kind, uid: string, state: Inputs): string {
  return `delete ${describe(kind, state)} (${uid})`;
}
