import { setTimeout as sleep } from "node:timers/promises";
import type { WireObject } from "../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../client/errors";
import { isBelow } from "../client/uid";
import { confirmGone, confirmPlace, isNotFound } from "./visibility";
import { describe, type Inputs, type Kind } from "../kinds/kind";
import type { Run } from "./run";

/** How long a delete waits, in milliseconds, for deletions of what blocks it that the engine has not asked for yet. */
const graceMs = 2_000;
const pollMs = 200;

/** An object that lies in the way of a delete. */
interface Obstacle {
  uid: string;
  label: string;
}

/**
 * Deletes the object. One that the program still declares, under whatever logical name, is left alone:
 * a renamed resource with `adopt` deletes its old name after the new one took the same object (DESIGN §5).
 *
 * @throws PlatformError that names what blocks it
 */
export async function remove(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  if (run.holds(kind, uid)) return;
  const deletion = deleteWhenEmpty(kind, uid, state, run);
  run.deletions.set(uid, deletion);
  try {
    await deletion;
  } finally {
    run.deletions.delete(uid);
  }
}

async function deleteWhenEmpty(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  const what = `delete ${describe(kind, state)} (${uid})`;
  const start = performance.now();
  await confirmPlace(run, kind, uid);
  for (;;) {
    try {
      await run.client.delete(kind.collection, uid);
      return;
    } catch (error) {
      if (isNotFound(error)) {
        await confirmGone(run, kind, uid);
        return;
      }
      if (!hasCode(error, "FAILED_PRECONDITION")) {
        throw new PlatformError(codeOf(error), `${what}: ${messageOf(error)}`, {
          cause: error,
        });
      }
      const waited = performance.now() - start;
      const obstacles = await obstaclesOf(kind, uid, run);
      const leaving = [...run.deletions]
        .filter(
          ([deleted]) =>
            isBelow(deleted, uid) || obstacles.some(({ uid: place }) => deleted === place || isBelow(deleted, place)),
        )
        .map(([, deletion]) => deletion);
      const { budgetMs, attemptMs } = run.client.timing;
      if (waited > (leaving.length > 0 ? budgetMs : Math.min(graceMs, budgetMs))) throw blocked(what, obstacles, error);
      // What blocks may be deleted by this run at this very moment, or be next in its queue.
      await Promise.race([Promise.allSettled(leaving), sleep(attemptMs, undefined, { ref: false })]);
      await sleep(pollMs);
    }
  }
}

async function obstaclesOf(kind: Kind, uid: string, run: Run): Promise<Obstacle[]> {
  const found = await Promise.all(
    kind.blockers.map(async ({ collection, query }) => {
      try {
        const rows = await run.client.list<WireObject & { name?: unknown }, object>(collection, query(uid));
        return rows.map((row) => ({
          uid: row.uid,
          label: [collection.noun, ...(typeof row.name === "string" ? [JSON.stringify(row.name)] : []), `(${row.uid})`].join(" "),
        }));
      } catch {
        // Naming what blocks is a help; the platform's own words are in the error anyway.
        return [];
      }
    }),
  );
  return found.flat();
}

function blocked(what: string, obstacles: Obstacle[], cause: PlatformError): PlatformError {
  const named = obstacles.slice(0, 10).map((obstacle) => obstacle.label);
  const more = obstacles.length > named.length ? ` and ${obstacles.length - named.length} more` : "";
  const why =
    named.length > 0 ? `it still holds ${named.join(", ")}${more}. Delete these first, or keep it with \`retainOnDelete\`. ` : "";
  return new PlatformError("FAILED_PRECONDITION", `${what}: ${why}${cause.message}`, { cause });
}
