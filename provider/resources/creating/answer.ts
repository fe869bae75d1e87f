import type { WireObject } from "../../client/collection";
import { list } from "../../client/printable";
import { PlatformError } from "../../client/errors";
import { isBelow, organizationOf } from "../../client/uid";
import { describe, differing, type Inputs, type Kind, observedInputs, stateOf } from "../../kinds/kind";
import type { Run } from "../run";
import { remedyFor } from "../remedy";
import { CreatedButFailed } from "./created-but-failed";
import { type Evidence, isMadeBy } from "./ownership";

/**
 * Confirms that the created object is the declared one, and returns it.
 *
 * @throws CreatedButFailed if this create made the object and it differs from the declaration: it goes into state
 * @throws PlatformError `WRONG_OBJECT` if this create cannot have made the object: the next run must not touch it
 */
export async function verifiedAnswer<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  answered: Wire,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<Wire> {
  const { parentInput } = kind;
  const parentUid = String(inputs[parentInput]);
  const isInPlace = kind.parentIn(answered) === parentUid;
  // An answer may omit members, so an object that differs is read again.
  const wire =
    isInPlace && differing(kind, answered, inputs).length > 0
      ? await run.client.get(kind.collection, answered.uid, { signal }).catch(() => answered)
      : answered;
  const isElsewhere = observedInputs(kind, wire)[parentInput] !== parentUid;
  const wrong = differing(kind, wire, inputs).filter((name) => name !== parentInput);
  const isTaken = run.created.has(kind.collection, wire.uid) || isHeld(kind, wire.uid, run);
  if (!isElsewhere && wrong.length === 0 && !isTaken) return wire;
  const what = `create ${describe(kind, inputs)}: the platform`;
  const isOnTheWay = isBelow(parentUid, wire.uid) || (wire.uid === parentUid && kind.placeOf(wire.uid) !== parentUid);
  const isForeign = organizationOf(wire.uid) !== organizationOf(parentUid);
  if (isTaken || isOnTheWay || isForeign || !isMadeBy(kind, wire, [evidence])) {
    throw new PlatformError(
      "WRONG_OBJECT",
      `${what} returned ${wire.uid}, which this create cannot have created. The state does not contain it. Look under ${parentUid}: if the ` +
        "declared object exists there, set `adopt: true` (or PLATFORM_ADOPT=true for one run); otherwise run again.",
    );
  }
  const how = isElsewhere
    ? `which is not under ${parentUid}. It is kept in state; the next up replaces it.`
    : `but ${list(wrong)} ${wrong.length > 1 ? "are" : "is"} not what was sent. It is kept in state; the next up tries to repair it. ` +
      remedyFor(kind, wire, inputs);
  throw new CreatedButFailed(wire.uid, stateOf(kind, wire, inputs), `${what} created ${wire.uid}, ${how}`);
}

/** Whether another resource has the object. If that cannot be read, it counts as this create's: an error would lose what was created. */
function isHeld(kind: Kind, uid: string, run: Run): boolean {
  try {
    return run.holds(kind, uid);
  } catch {
    return false;
  }
}
