import { hasCode, messageOf, PlatformError } from "../client/errors";
import { groups } from "../client/iam";
import { parentOf } from "../client/uid";
import type { Kind } from "../kinds/kind";
import type { Run } from "./run";

/** True when `error` is the platform's own "not found", not some other server's 404. */
export function isNotFound(error: unknown): error is PlatformError {
  return hasCode(error, "NOT_FOUND") && error.fromPlatform && error.status === 404;
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
  const claim = `${noun} ${uid} answers "not found", but that does not prove that it was deleted`;
  try {
    await run.listsWork.once(segment, () => run.client.listOne(kind.collection));
  } catch (error) {
    throw notGone(`${claim}: the List of ${segment} does not work either (${messageOf(error)}).`);
  }
  const unseen = await unseenPlace(run, uid);
  if (unseen !== undefined) throw notGone(`${claim}: ${describeUnseen(unseen)}`);
}

/**
 * Makes sure that the place of `uid` is visible before a delete. Some deletes succeed for a missing object too (API-FACTS §1.4),
 * and a server that is no platform may answer success to anything: at a wrong address state would be emptied.
 *
 * @throws PlatformError `NOT_GONE` when it is not
 */
export async function confirmPlace(run: Run, kind: Kind, uid: string): Promise<void> {
  const unseen = await unseenPlace(run, uid);
  // The platform says 403 of what exists, so the delete itself decides.
  if (unseen === undefined || hasCode(unseen.cause, "PERMISSION_DENIED")) return;
  throw notGone(`${kind.collection.noun} ${uid} was not deleted: ${describeUnseen(unseen)}`);
}

/** A place that these credentials cannot see, and the error where it is not just "not found". */
interface Unseen {
  place: string;
  cause?: unknown;
}

/** Climbs from the parent of `uid`: undefined when the first ancestor that exists answers. */
async function unseenPlace(run: Run, uid: string): Promise<Unseen | undefined> {
  let top = uid;
  for (let place = parentOf(uid); place !== undefined; place = parentOf(place)) {
    const witness = place;
    try {
      if (await run.groupsExist.once(witness, () => groupExists(run, witness))) return undefined;
    } catch (cause) {
      return { place, cause };
    }
    top = place;
  }
  return { place: top };
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

function describeUnseen({ place, cause }: Unseen): string {
  return `cannot see ${place}: wrong address, token or organisation?${cause === undefined ? "" : ` (${messageOf(cause)})`}`;
}

function notGone(why: string): PlatformError {
  return new PlatformError(
    "NOT_GONE",
    `${why} Nothing was changed. Use an identity that can see it; if the object is truly gone, ` +
      "`pulumi state delete <urn>` forgets it (where a replacement has the same URN, in a terminal: it asks which of the two; docs/errors.md has a way without one), " +
      "and `pulumi stack rm --force` the whole stack.",
  );
}
