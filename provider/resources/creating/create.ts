import type { WireObject } from "../../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../../client/errors";
import { isBelow, organizationOf, parentOf } from "../../client/uid";
import { adoptOrRefuse, adopts } from "./adopt";
import { BatchRefused } from "./batches";
import { CreatedButFailed } from "./created-but-failed";
import { isNotFound } from "../visibility";
import { list } from "../../client/printable";
import { describe, differing, type Inputs, keyOf, type Kind, observedInputs, stateOf } from "../../kinds/kind";
import { afterPropagation } from "./propagation";
import type { Run } from "../run";
import { currentHolders, knownHolders, stillHolder, verifyParent } from "./natural-key";
import { findOwn, isNew, isOutcomeUnknown, ownOf, provenOwn, type Send } from "./unknown-outcome";
import { holdersOfUnanswered } from "./pending-creates";

/** What the engine keeps of a create. */
export interface Created {
  id: string;
  outs: Inputs;
}

/**
 * Creates the object, or adopts the one that exists where that is asked for. Never two objects for one
 * resource, never somebody else's object, never one that state does not know (DESIGN §5).
 *
 * @throws PlatformError `KEY_TAKEN`, `AMBIGUOUS`, `OUTCOME_UNKNOWN`, or what the platform answered
 * @throws CreatedButFailed when an object was made that is not the one declared
 */
export async function create<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run): Promise<Created> {
  const key = keyOf(kind, inputs);
  const what = describe(kind, inputs);
  if (key === undefined)
    throw new PlatformError(
      "INVALID_INPUT",
      `create ${kind.collection.noun}: parentUid or ${kind.naturalKey.join(" or ")} is missing. Nothing was sent.`,
    );
  if (run.creating.has(key)) {
    throw new PlatformError(
      "KEY_TAKEN",
      `create ${what}: another resource of this program declares the same one. Remove one of the two. Nothing was sent.`,
    );
  }
  run.creating.add(key);
  const holders = await holdersBefore(kind, inputs, run, key);
  const wire = holders.length > 0 ? adoptOrRefuse(kind, inputs, run, key, holders) : await post(kind, inputs, run, key);
  run.unanswered.answered(key);
  run.claim(kind, wire.uid, key);
  return { id: wire.uid, outs: stateOf(kind, wire) };
}

/** What holds the natural key before anything is sent. */
async function holdersBefore<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, key: string): Promise<Wire[]> {
  try {
    await verifyParent(run, String(inputs["parentUid"]));
    return (await holdersOfUnanswered(run, kind, inputs, key)) ?? (await holdersByList(kind, inputs, run));
  } catch (error) {
    throw refused(kind, inputs, error);
  }
}

async function holdersByList<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run): Promise<Wire[]> {
  const holders: Wire[] = [];
  for (const uid of await knownHolders(run, kind, inputs)) {
    const holder = await stillHolder(run, kind, uid, inputs);
    if (holder !== undefined) holders.push(holder);
  }
  return holders;
}

/** Sends the create, noting it for the next run until its outcome is known. */
async function post<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, key: string): Promise<Wire> {
  try {
    return await postUntilKnown(kind, inputs, run, key);
  } catch (error) {
    if (!hasCode(error, "OUTCOME_UNKNOWN")) run.unanswered.answered(key);
    throw error;
  }
}

async function postUntilKnown<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, key: string): Promise<Wire> {
  const { client } = run;
  const giveUp = performance.now() + client.timing.budgetMs;
  const sends: Send[] = [];
  const onSend = () => {
    run.unanswered.sent(key, client.timing.attemptMs);
    sends.push({ at: performance.now(), serverTime: client.serverTime() });
  };
  let mayHaveBeenApplied = false;
  let isAlone = false;
  for (;;) {
    let wire: Wire;
    try {
      wire = await afterPropagation(run, inputs, () => run.creates[isAlone ? "single" : "create"](kind, inputs, onSend));
    } catch (error) {
      if (error instanceof BatchRefused) {
        isAlone = true;
        const holders = await currentHolders(run, kind, inputs).catch(() => []);
        if (holders.length > 0) return ownOf(kind, inputs, run, sends, holders) ?? adoptOrRefuse(kind, inputs, run, key, holders);
        continue;
      }
      if (hasCode(error, "ALREADY_EXISTS")) {
        const holders = await currentHolders(run, kind, inputs).catch(() => []);
        if (mayHaveBeenApplied && !adopts(run, key)) return provenOwn(kind, inputs, run, error, sends, holders);
        if (holders.length > 0) return adoptOrRefuse(kind, inputs, run, key, holders);
      }
      if (!isOutcomeUnknown(error)) throw refused(kind, inputs, error);
      mayHaveBeenApplied = true;
      const own = await findOwn(kind, inputs, run, error, sends, giveUp);
      if (own !== undefined) return own;
      continue;
    }
    wire = await reread(kind, inputs, run, wire);
    verify(kind, inputs, run, wire, sends[0]?.serverTime);
    run.created.add(kind.collection, wire.uid);
    return wire;
  }
}

/** The answer may leave members out: an object in its place that differs from what was sent is read. */
async function reread<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, answered: Wire): Promise<Wire> {
  const isInPlace = parentOf(answered.uid) === inputs["parentUid"];
  if (!isInPlace || differing(kind, answered, inputs).length === 0) return answered;
  return run.client.get(kind.collection, answered.uid).catch(() => answered);
}

function refused(kind: Kind, inputs: Inputs, error: unknown): PlatformError {
  const why = isNotFound(error) ? "the parent, or an object that it names, is gone. " : "";
  const code = codeOf(error);
  return new PlatformError(code, `create ${describe(kind, inputs)}: ${why}${messageOf(error)}`, { cause: error });
}

/**
 * Refuses an answer about another object than the one that was sent, keeping hold of what was made.
 *
 * @throws PlatformError `WRONG_OBJECT` for an object that this create cannot have made: the next run must not touch it
 */
function verify<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  wire: Wire,
  sentAt: number | undefined,
): void {
  const parentUid = String(inputs["parentUid"]);
  const what = `create ${describe(kind, inputs)}: the platform`;
  const observed = observedInputs(kind, wire);
  const isElsewhere = observed["parentUid"] !== parentUid;
  const wrong = differing(kind, wire, inputs).filter((name) => name !== "parentUid");
  const taken = run.created.has(kind.collection, wire.uid) || run.holds(kind, wire.uid);
  if (!isElsewhere && wrong.length === 0 && !taken) return;
  const isOnTheWay = wire.uid === parentUid || isBelow(parentUid, wire.uid);
  const isForeign = organizationOf(wire.uid) !== organizationOf(parentUid);
  if (taken || isOnTheWay || isForeign || !isNew(kind, run, wire, sentAt)) {
    throw new PlatformError(
      "WRONG_OBJECT",
      `${what} answered with ${wire.uid}, which this create cannot have made, so it is not taken. Look under ${parentUid}: ` +
        "if what is declared is there, declare it with `adopt: true` (or run once with PLATFORM_ADOPT=true), else run again.",
    );
  }
  const how = isElsewhere
    ? `which is not under ${parentUid}. It is kept in state; the next up replaces it.`
    : `but ${list(wrong)} ${wrong.length > 1 ? "are" : "is"} not what was sent. It is kept in state; the next up tries to repair it.`;
  throw new CreatedButFailed(wire.uid, stateOf(kind, wire), `${what} made ${wire.uid}, ${how}`);
}
