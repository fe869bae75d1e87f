import { setTimeout as sleep } from "node:timers/promises";
import type { WireObject } from "../../client/collection";
import { hasCode, messageOf, PlatformError } from "../../client/errors";
import { describe, differing, type Inputs, type Kind } from "../../kinds/kind";
import type { Run } from "../run";
import { currentHolders } from "./natural-key";

/** One attempt of a POST on its way out. */
export interface Send {
  /** `performance.now()` of this process. */
  at: number;
  /** What the platform's own clock had reached by then, in milliseconds since 1970. */
  serverTime: number | undefined;
}

/** True when the POST may have been applied although no answer says so. */
export function isOutcomeUnknown(error: unknown): error is PlatformError {
  if (hasCode(error, "UNEXPECTED_ANSWER")) return error.status === undefined || error.status < 300 || error.status >= 500;
  return hasCode(
    error,
    "CONNECTION_LOST",
    "TIMEOUT",
    "CALLER_ABORTED",
    "CANCELLED",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
    "UNKNOWN",
    "DATA_LOSS",
  );
}

/**
 * Looks for the object of a POST whose outcome is unknown.
 *
 * @returns the object when it is provably ours; undefined when it provably was not made and may be sent again
 * @throws PlatformError `OUTCOME_UNKNOWN` in every other case
 */
export async function findOwn<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  cause: PlatformError,
  sends: Send[],
  giveUp: number,
): Promise<Wire | undefined> {
  const lookUp = async () => {
    try {
      return await currentHolders(run, kind, inputs);
    } catch (error) {
      throw outcomeUnknown(kind, inputs, cause, `looking it up failed too: ${messageOf(error)}`);
    }
  };
  const early = await lookUp();
  if (early.length > 0) return provenOwn(kind, inputs, run, cause, sends, early);
  // The request may still be on its way: only after its own deadline does "not found" count.
  const deadline = (sends.at(-1)?.at ?? performance.now()) + run.client.timing.attemptMs;
  await sleep(Math.max(0, deadline - performance.now()));
  const late = await lookUp();
  if (late.length > 0) return provenOwn(kind, inputs, run, cause, sends, late);
  if (!(await run.listShowsObjects(kind).catch(() => false)))
    throw outcomeUnknown(kind, inputs, cause, "no List shows these credentials any such object.");
  if (cause.fromPlatform && cause.status === 200)
    throw outcomeUnknown(kind, inputs, cause, "the platform answered success, and no List shows it.");
  if (performance.now() >= giveUp) throw outcomeUnknown(kind, inputs, cause, "it was sent more than once, and never seen.");
  return undefined;
}

/**
 * The one of `holders` that this create made.
 *
 * @throws PlatformError `OUTCOME_UNKNOWN` when that cannot be proven
 */
export function provenOwn<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  cause: PlatformError,
  sends: Send[],
  holders: Wire[],
): Wire {
  const own = ownOf(kind, inputs, run, sends, holders);
  if (own !== undefined) return own;
  const uids = holders.map((holder) => holder.uid).join(" and ");
  const why = uids === "" ? "it exists, but no List shows it." : `${uids} may be it, or somebody else's.`;
  throw outcomeUnknown(kind, inputs, cause, why);
}

/** The one of `holders`, if it can only be what this create sent. */
export function ownOf<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  sends: Send[],
  holders: Wire[],
): Wire | undefined {
  const [only] = holders;
  return only !== undefined && holders.length === 1 && isOurs(kind, inputs, run, only, sends[0]?.serverTime) ? only : undefined;
}

function outcomeUnknown(kind: Kind, inputs: Inputs, cause: PlatformError, why: string): PlatformError {
  return new PlatformError(
    "OUTCOME_UNKNOWN",
    `create ${describe(kind, inputs)}: it is not known whether the platform made it: ${why} (${cause.message}) ` +
      "Look for it; if it is there, declare it with `adopt: true` (or run once with PLATFORM_ADOPT=true), else run again.",
    { cause },
  );
}

/** True when `wire` was not there at `sentAt` by the platform's clock, and is no other resource of this run. */
export function isNew<Wire extends WireObject>(kind: Kind<Wire>, run: Run, wire: Wire, sentAt: number | undefined): boolean {
  const createTime = Date.parse(String(kind.outputs(wire)["createTime"]));
  // A time of whole seconds is told apart no finer (API-FACTS §2.0).
  const resolution = createTime % 1_000 === 0 ? 1_000 : 1;
  return sentAt !== undefined && createTime >= Math.floor(sentAt / resolution) * resolution && !run.holds(kind, wire.uid);
}

/** True when `wire` can only be what this create sent: equal in every field, and not older than the first send. */
function isOurs<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  wire: Wire,
  sentAt: number | undefined,
): boolean {
  return isNew(kind, run, wire, sentAt) && differing(kind, wire, inputs).length === 0;
}
