import { hasCode, isNotFound, PlatformError, platformErrorAs, withContext } from "../../client/errors";
import { unlessAborted, untilInterrupted } from "../../client/interruption";
import { pollUntil } from "../../client/wait";
import { identity } from "../../kinds/identity";
import { describeExisting, type Inputs, isKind, type Kind, naturalKeyOf } from "../../schema/kind";
import type { Stated } from "../../schema/operation";
import { roleBinding } from "../../kinds/role-binding";
import { type Deletion, turnOfOwnAccess } from "../ledger/deletions";
import { emptyOut } from "../deleting/force-destroy";
import { blocked, type Blocked } from "../deleting/blocked";
import { isInTheWay, type Obstacle, obstaclesOf } from "../deleting/obstacles";
import { deletionOf } from "../guards/change";
import { outcomeOf } from "../guards/guards";
import { guardArguments } from "../guards/protection";
import type { Run } from "../run/run";
import { onceOldEnough } from "../../sight/old-enough";

/**
 * How long a rejected delete waits, in milliseconds, for the engine to request the deletions of what blocks it: within a layer they come in
 * any order (docs/contributing/engine.md#deletes-in-layers).
 */
const graceMs = 2_000;
const pollMs = 200;

/** A deletion of one object. */
interface Removal extends Stated {
  readonly run: Run;
}

/**
 * Deletes the object, unless a guard stops that or there is nothing to delete (`provider/resources/guards/guards.ts`).
 *
 * @param path of the resource. Default: the host does not tell it
 * @throws PlatformError `FAILED_PRECONDITION` with what blocks it; `NOT_GONE`, or a code of a guard
 */
export function remove(kind: Kind, uid: string, state: Inputs, run: Run, path?: string): Promise<void> {
  return run.proof.pace.deleting(() => removeAtPace(kind, uid, state, run, path));
}

async function removeAtPace(kind: Kind, uid: string, state: Inputs, run: Run, path: string | undefined): Promise<void> {
  const passage = await run.guards.pass(deletionOf({ kind, uid, state, path }), run);
  if (!passage.isOpen) return;
  const removal = { kind, uid, state, run };
  const { collection } = kind;
  const { endsOwnAccess } = passage;
  const done = endsOwnAccess ? deleteOwnAccess(removal) : deleteProven(removal);
  const refersTo = [state["identityUid"], state["roleUid"]].filter((each) => typeof each === "string");
  run.ledger.deletions.set(collection, uid, { collection, uid, refersTo, endsOwnAccess, hasBegun: false, done });
  try {
    await done;
    passage.end("applied");
    if (kind.sharesUid) run.ledger.left(kind, uid);
    const key = naturalKeyOf(kind, state);
    if (key !== undefined) run.ledger.declarations.freed(key);
    run.ledger.deleted.push({ uid, label: describeExisting(kind, uid, state) });
  } catch (error) {
    passage.end(outcomeOf(error));
    throw error;
  } finally {
    run.ledger.deletions.delete(collection, uid);
  }
}

async function deleteProven(removal: Removal): Promise<void> {
  const { kind, uid, state, run } = removal;
  if (guardArguments.forceDestroy in kind.fields && state[guardArguments.forceDestroy] === true)
    await emptyOut(removal, run, remove);
  const seen = await run.proof.before(removal);
  try {
    if (await deleteWhenEmpty(removal)) await run.proof.confirmDeleted(removal, seen);
  } catch (error) {
    seen?.leaving.delete(uid);
    throw error;
  }
}

/**
 * Deletes an object that the access of this run depends on. Nothing can be proven afterwards, so the object is read right before.
 */
async function deleteOwnAccess(removal: Removal): Promise<void> {
  const { kind, uid, run } = removal;
  await turnOfOwnAccess(kind, uid, run.ledger.deletions, run.client.clock);
  if (!(await isThere(removal)) || !(await deleteWhenEmpty(removal))) return;
  // Without that access the caller cannot see the object either. If it still sees it, the object was not deleted.
  const shown = await run.client.get(kind.collection, uid).catch(platformErrorAs(() => undefined));
  if (shown === undefined) return;
  const why = new PlatformError(
    "WRONG_OBJECT",
    "its DELETE succeeded, but it still exists. It stays in state. Delete it with another identity.",
  );
  throw rejected(removal, why);
}

/** @returns false if the object is missing and is proven gone */
async function isThere(removal: Removal): Promise<boolean> {
  const { kind, uid, state, run } = removal;
  try {
    await onceOldEnough(state, run.client, () => run.client.get(kind.collection, uid));
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw await run.proof.explained(removal, rejected(removal, error));
    await run.proof.confirmGone(removal);
    return false;
  }
}

/** @returns false if the object was missing and is proven gone */
async function deleteWhenEmpty(removal: Removal): Promise<boolean> {
  const { kind, uid, state, run } = removal;
  const { clock, timing } = run.client;
  let maybeApplied = 0;
  const send = async () => {
    try {
      await run.proof.deleting(kind, uid, () => run.client.delete(kind.collection, uid, { onSend: () => maybeApplied++ }));
    } catch (error) {
      if (isNotFound(error) || hasCode(error, "FAILED_PRECONDITION")) maybeApplied--;
      throw error;
    }
  };
  let leaving: Deletion[] = [];
  let isFreed = false;
  const end = await pollUntil<boolean, Blocked>(
    {
      timeoutMs: timing.budgetMs,
      clock,
      // This run may be deleting what blocks it, or be about to.
      delayMs: (_reason, { elapsedMs }) => (isFreed || leaving.length > 0 || elapsedMs <= graceMs ? pollMs : Infinity),
    },
    async () => {
      if (leaving.length > 0) await ended(leaving, clock.deadline(timing.attemptMs));
      try {
        await onceOldEnough(state, run.client, send);
        return { state: "target", value: true };
      } catch (error) {
        if (isNotFound(error)) {
          // If the answer to an earlier DELETE was lost, this 404 may be its effect.
          await run.proof.confirmGone(removal, maybeApplied > 0 ? "in doubt" : "none");
          return { state: "target", value: false };
        }
        if (!hasCode(error, "FAILED_PRECONDITION")) throw await run.proof.explained(removal, rejected(removal, error));
        const obstacles = await obstaclesOf(kind, uid, run);
        isFreed = await removeFollowing(removal, obstacles);
        leaving = run.ledger.deletions.values().filter((other) => isInTheWay(other, uid, obstacles));
        return { state: "pending", value: { obstacles, error } };
      }
    },
  );
  const isForceable = guardArguments.forceDestroy in kind.fields && state[guardArguments.forceDestroy] !== true;
  if (end.state === "pending") throw await blocked(removal, end.value, isForceable, run);
  return end.value;
}

/** Waits until `deletions` have ended, or `deadline` aborts. */
async function ended(deletions: readonly Deletion[], deadline: AbortSignal): Promise<void> {
  const all = Promise.allSettled(deletions.map(({ done }) => done));
  const untilDeadline = unlessAborted(all, deadline, (why) => why).catch(platformErrorAs(() => []));
  await untilInterrupted(untilDeadline);
}

/**
 * Deletes the role bindings of an identity that is replaced, if nothing else blocks its deletion: the `GroupAccess` that has them gives
 * the new identity the same roles (docs/decisions/0026-another-form-is-a-new-identity.md).
 *
 * @returns false if something else blocks it; nothing was deleted then
 */
async function removeFollowing({ kind, uid, run }: Removal, obstacles: readonly Obstacle[]): Promise<boolean> {
  if (!isKind(kind, identity) || obstacles.length === 0) return false;
  const follows = (binding: string) =>
    run.ledger.following.has(roleBinding.collection, binding) && !run.ledger.has(roleBinding, binding);
  if (!obstacles.every((binding) => follows(binding.uid))) return false;
  const gone = obstacles.map((binding) =>
    deleteProven({ kind: roleBinding, uid: binding.uid, state: { identityUid: uid }, run }),
  );
  const failed = (await Promise.allSettled(gone)).find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return true;
}

function rejected(removal: Removal, cause: unknown): PlatformError {
  return withContext(subject(removal), cause);
}

function subject({ kind, uid, state }: Removal): string {
  return `delete ${describeExisting(kind, uid, state)}`;
}
