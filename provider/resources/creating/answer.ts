import { list } from "../../client/printable";
import { PlatformError, platformErrorAs } from "../../client/errors";
import { isBelow, organizationOf } from "../../client/uid";
import { describe, differing, type Kind, type Observed, stateOf } from "../../schema/kind";
import type { Run } from "../run/run";
import { remedyFor } from "../checking/remedy";
import { CreatedButFailed } from "./created-but-failed";
import type { Creation } from "./creation";
import { isMadeBy } from "./ownership";
import type { Sends } from "./sends";

/**
 * Confirms that the created object is the declared one, and returns it.
 *
 * @throws CreatedButFailed if this create made the object and it differs from the declaration: it goes into state
 * @throws PlatformError `WRONG_OBJECT` if this create cannot have made the object: the next run must not touch it
 */
export async function verifiedAnswer(
  { kind, inputs, run, limit: { signal } }: Creation,
  answered: Observed,
  sends: Pick<Sends, "sinceFirst">,
): Promise<Observed> {
  const { parentInput } = kind;
  const parentUid = String(inputs[parentInput]);
  const wrongIn = (each: Observed) => differing(kind, each, inputs).filter((name) => name !== parentInput);
  let [object, wrong] = [answered, wrongIn(answered)];
  // An answer may omit members, so an object that differs is read again.
  if (wrong.length > 0 && answered.inputs[parentInput] === parentUid) {
    object = await run.client.get(kind.collection, answered.uid, { signal }).then(
      (wire) => kind.observe(wire),
      () => answered,
    );
    wrong = wrongIn(object);
  }
  const { uid } = object;
  const isElsewhere = object.inputs[parentInput] !== parentUid;
  const isTaken = isHeld(kind, uid, run) || run.ledger.created.has(kind.collection, uid);
  if (!isElsewhere && wrong.length === 0 && !isTaken) return object;
  const what = `create ${describe(kind, inputs)}: the platform`;
  if (isTaken || !mayBeMadeUnder(kind, uid, parentUid) || !isMadeBy(object, [sends.sinceFirst])) {
    throw new PlatformError(
      "WRONG_OBJECT",
      `${what} returned ${uid}, which this create cannot have created. The state does not contain it. Look under ${parentUid}: if the ` +
        "declared object exists there, set `adopt: true` (or PLATFORM_ADOPT=true for one run); otherwise run again.",
    );
  }
  const how = isElsewhere
    ? `which is not under ${parentUid}. It is kept in state; the next up replaces it.`
    : `but ${list(wrong)} ${wrong.length > 1 ? "are" : "is"} not what was sent. It is kept in state; the next up tries to repair it. ` +
      remedyFor(kind, object, inputs);
  throw new CreatedButFailed(uid, stateOf(kind, object, inputs), `${what} created ${uid}, ${how}`);
}

/** False for an ancestor of the parent, and for an object of another organisation. */
function mayBeMadeUnder(kind: Kind, uid: string, parentUid: string): boolean {
  const isAncestor = isBelow(parentUid, uid) || (uid === parentUid && kind.placeOf(uid) !== parentUid);
  return !isAncestor && organizationOf(uid) === organizationOf(parentUid);
}

/** Whether another resource owns the object. False if that cannot be read, because the error would lose the created object. */
function isHeld(kind: Kind, uid: string, run: Run): boolean {
  try {
    return run.ledger.has(kind, uid);
  } catch (error) {
    return platformErrorAs(() => false)(error);
  }
}
