import { hasCode, PlatformError } from "../client/errors";
import { groups } from "../client/iam";
import { parentOf } from "../client/uid";
import type { Kind } from "./kind";
import type { Run } from "./run";

/** True when `error` is the platform's own "not found", not some other server's 404. */
export function isNotFound(error: unknown): error is PlatformError {
  return hasCode(error, "NOT_FOUND") && error.fromPlatform;
}

/**
 * Makes sure that an object which answered 404 is really gone, and not merely invisible: a wrong address,
 * token or organisation answers 404 to everything (DESIGN §5). The List of its kind must work, and the
 * nearest ancestor that exists must be visible to these credentials.
 *
 * @throws PlatformError `NOT_GONE` when that cannot be shown
 */
export async function confirmGone(run: Run, kind: Kind, uid: string): Promise<void> {
  const { noun, segment } = kind.collection;
  try {
    await run.once(`list works: ${segment}`, () => run.client.listOne(kind.collection));
  } catch (error) {
    throw notGone(noun, uid, `the List of ${segment} does not work either`, error);
  }
  for (let place = parentOf(uid); ; place = parentOf(place)) {
    if (place === undefined)
      throw notGone(noun, uid, `cannot see ${uid.split("/", 1).join("")}: wrong address, token or organisation?`);
    const witness = place;
    try {
      if (await run.once(`exists: ${witness}`, () => groupExists(run, witness))) return;
    } catch (error) {
      throw notGone(noun, uid, `cannot see ${witness}: wrong address, token or organisation?`, error);
    }
  }
}

async function groupExists(run: Run, uid: string): Promise<boolean> {
  try {
    await run.client.get(groups, uid);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function notGone(noun: string, uid: string, why: string, cause?: unknown): PlatformError {
  const detail = cause instanceof Error ? ` (${cause.message})` : "";
  return new PlatformError(
    "NOT_GONE",
    `${noun} ${uid} answers "not found", but that does not prove that it was deleted: ${why}${detail} Nothing was changed. ` +
      "Use an identity that can see it; if the object is truly gone, `pulumi state delete <urn>` forgets it, and `pulumi stack rm --force` the whole stack.",
    { cause },
  );
}
