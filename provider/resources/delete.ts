import { setTimeout as sleep } from "node:timers/promises";
import type { WireObject } from "../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../client/errors";
import { isBelow } from "../client/uid";
import { describe, type Inputs, type Kind } from "../kinds/kind";
import { notDeleted } from "./deletion-proof";
import type { InCollection } from "./object-map";
import type { Run } from "./run";
import { isNotFound } from "./visibility";

/** How long a delete waits, in milliseconds, for deletions of what blocks it that the engine has not asked for yet. */
const graceMs = 2_000;
const pollMs = 200;

/** How long a deletion that must come last waits for others to begin, in milliseconds. */
const gatherMs = 100;

/** A deletion that is under way. */
export interface Deletion {
  readonly collection: InCollection;
  readonly uid: string;
  readonly endsOwnAccess: boolean;
  readonly done: Promise<void>;
}

/** An object that blocks a delete. */
interface Obstacle {
  collection: InCollection;
  uid: string;
  label: string;
}

/**
 * Deletes the object. Leaves it alone where the program still declares it, under whatever logical name:
 * a renamed resource with `adopt` deletes its old name after the new one took the same object.
 *
 * @throws PlatformError that names what blocks it; `SELF_LOCKOUT`, `NOT_GONE`
 */
export async function remove(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  if (run.holds(kind, uid)) return;
  const { collection } = kind;
  const permit = await run.selfLockout.beforeDelete(kind, uid, state);
  const { endsOwnAccess } = permit;
  const done = endsOwnAccess ? deleteOwnAccess(kind, uid, state, run) : deleteProven(kind, uid, state, run);
  run.deletions.set(collection, uid, { collection, uid, endsOwnAccess, done });
  try {
    await done;
  } catch (error) {
    permit.failed();
    throw error;
  } finally {
    run.deletions.delete(collection, uid);
  }
}

async function deleteProven(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  const unseen = await run.visibility.unseenOrganization(kind, uid);
  if (unseen !== undefined) throw notDeleted(kind, uid, unseen);
  const stays = await run.proof.beforeDelete(kind, uid);
  try {
    if (await deleteWhenEmpty(kind, uid, state, run)) await run.proof.confirmDeleted(kind, uid);
  } catch (error) {
    stays();
    throw error;
  }
}

/**
 * Deletes what the access of this run depends on. No proof can follow, so the object is read right before. The deletions under way go
 * first, since they lose their access with it; deletions of this sort go one after the other, since each may hide the next.
 */
async function deleteOwnAccess(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  const start = performance.now();
  await run.selfLockout.oneAtATime(async () => {
    for (;;) {
      // The engine asks for the deletions of a layer one by one.
      await sleep(gatherMs);
      const others = run.deletions
        .values()
        .filter((other) => !other.endsOwnAccess && !isBelow(uid, other.uid) && other.uid !== state["identityUid"]);
      if (others.length === 0 || performance.now() - start > run.client.timing.budgetMs) break;
      await Promise.allSettled(others.map(({ done }) => done));
    }
    try {
      await run.client.get(kind.collection, uid);
    } catch (error) {
      if (!isNotFound(error)) throw refused(kind, uid, state, error);
      await run.proof.confirmGone(kind, uid);
      return;
    }
    await deleteWhenEmpty(kind, uid, state, run);
  });
}

/** @returns false when the object was missing, and is proven to be gone */
async function deleteWhenEmpty(kind: Kind, uid: string, state: Inputs, run: Run): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    try {
      await run.client.delete(kind.collection, uid);
      return true;
    } catch (error) {
      if (isNotFound(error)) {
        await run.proof.confirmGone(kind, uid);
        return false;
      }
      if (!hasCode(error, "FAILED_PRECONDITION")) throw refused(kind, uid, state, error);
      const waited = performance.now() - start;
      const obstacles = await obstaclesOf(kind, uid, run);
      const leaving = run.deletions.values().filter((other) => isInTheWay(other, uid, obstacles));
      const { budgetMs, attemptMs } = run.client.timing;
      if (waited > (leaving.length > 0 ? budgetMs : Math.min(graceMs, budgetMs)))
        throw blocked(kind, uid, state, obstacles, error);
      // What blocks may be deleted by this run at this very moment, or be next in its queue.
      await Promise.race([Promise.allSettled(leaving.map(({ done }) => done)), sleep(attemptMs, undefined, { ref: false })]);
      await sleep(pollMs);
    }
  }
}

/** True for an object that must be gone before `uid` can be deleted. */
function isInTheWay(other: Deletion, uid: string, obstacles: readonly Obstacle[]): boolean {
  if (isBelow(other.uid, uid)) return true;
  return obstacles.some(
    (obstacle) =>
      isBelow(other.uid, obstacle.uid) ||
      (other.uid === obstacle.uid && other.collection.segment === obstacle.collection.segment),
  );
}

async function obstaclesOf(kind: Kind, uid: string, run: Run): Promise<Obstacle[]> {
  const found = await Promise.all(
    kind.blockers.map(async ({ collection, query }) => {
      try {
        const rows = await run.client.list<WireObject & { name?: unknown }, object>(collection, query(uid));
        return rows.map((row) => ({
          collection,
          uid: row.uid,
          label: [collection.noun, ...(typeof row.name === "string" ? [JSON.stringify(row.name)] : []), `(${row.uid})`].join(" "),
        }));
      } catch {
        // The names of what blocks are only a help; the platform's own message is in the error anyway.
        return [];
      }
    }),
  );
  return found.flat();
}

function refused(kind: Kind, uid: string, state: Inputs, cause: unknown): PlatformError {
  return new PlatformError(codeOf(cause), `${subject(kind, uid, state)}: ${messageOf(cause)}`, { cause });
}

function blocked(kind: Kind, uid: string, state: Inputs, obstacles: Obstacle[], cause: PlatformError): PlatformError {
  const named = obstacles.slice(0, 10).map((obstacle) => obstacle.label);
  const more = obstacles.length > named.length ? ` and ${obstacles.length - named.length} more` : "";
  const why =
    named.length > 0 ? `it still holds ${named.join(", ")}${more}. Delete these first, or keep it with \`retainOnDelete\`. ` : "";
  return new PlatformError("FAILED_PRECONDITION", `${subject(kind, uid, state)}: ${why}${cause.message}`, { cause });
}

function subject(kind: Kind, uid: string, state: Inputs): string {
  return `delete ${describe(kind, state)} (${uid})`;
}
