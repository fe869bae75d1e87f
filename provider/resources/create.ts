import { setTimeout as sleep } from "node:timers/promises";
import type { WireObject } from "../client/collection";
import { hasCode, messageOf, PlatformError } from "../client/errors";
import { parentOf } from "../client/uid";
import { CreatedButFailed } from "./created-but-failed";
import { isNotFound } from "./gone";
import { canonical, changedInputs, describe, type Inputs, keyOf, type Kind, observedInputs, stateOf } from "./kind";
import type { Run } from "./run";
import { currentHolders, knownHolders, stillHolder, verifyParent } from "./siblings";

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
  await verifyParent(run, String(inputs["parentUid"]));
  const holders: Wire[] = [];
  for (const uid of await knownHolders(run, kind, inputs)) {
    const holder = await stillHolder(run, kind, uid, inputs);
    if (holder !== undefined) holders.push(holder);
  }
  const wire = holders.length > 0 ? adoptOrRefuse(kind, inputs, run, key, holders) : await post(kind, inputs, run, key);
  run.claim(wire.uid, key);
  return { id: wire.uid, outs: stateOf(kind, wire) };
}

async function post<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, key: string): Promise<Wire> {
  const { client } = run;
  const { parentUid, ...body } = inputs;
  const what = `create ${describe(kind, inputs)}`;
  const giveUp = performance.now() + client.timing.budgetMs;
  let firstSend: { at: number; serverTime: number | undefined } | undefined;
  let mayHaveBeenApplied = false;
  const onSend = () => (firstSend ??= { at: performance.now(), serverTime: client.serverTime() });
  for (;;) {
    try {
      const wire = await client.create(kind.collection, String(parentUid), body, { onSend });
      run.created.add(wire.uid);
      return verified(kind, inputs, wire);
    } catch (error) {
      if (hasCode(error, "ALREADY_EXISTS")) {
        const holders = await currentHolders(run, kind, inputs);
        const [own] = holders;
        if (
          mayHaveBeenApplied &&
          own !== undefined &&
          holders.length === 1 &&
          isOurs(kind, inputs, run, own, firstSend?.serverTime)
        )
          return own;
        if (holders.length > 0) return adoptOrRefuse(kind, inputs, run, key, holders);
      }
      if (isNotFound(error)) {
        throw new PlatformError("NOT_FOUND", `${what}: the parent, or an object that it names, is gone. ${error.message}`, {
          cause: error,
        });
      }
      if (!isOutcomeUnknown(error)) throw new PlatformError(codeOf(error), `${what}: ${messageOf(error)}`, { cause: error });
      mayHaveBeenApplied = true;
      const found = await findOwn(kind, inputs, run, error, firstSend, giveUp);
      if (found !== undefined) return found;
    }
  }
}

function codeOf(error: unknown) {
  return PlatformError.isInstance(error) ? error.code : "UNKNOWN";
}

/** True when the POST may have been applied although no answer says so. */
function isOutcomeUnknown(error: unknown): error is PlatformError {
  if (hasCode(error, "UNEXPECTED_ANSWER")) return error.status === undefined || error.status < 300 || error.status >= 500;
  return hasCode(
    error,
    "CONNECTION_LOST",
    "TIMEOUT",
    "CALLER_ABORTED",
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
async function findOwn<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  cause: PlatformError,
  firstSend: { at: number; serverTime: number | undefined } | undefined,
  giveUp: number,
): Promise<Wire | undefined> {
  const unknown = (why: string) => {
    const how = `Look for it; if it is there, declare it with \`adopt: true\` (or run once with PLATFORM_ADOPT=true), else run again.`;
    return new PlatformError(
      "OUTCOME_UNKNOWN",
      `create ${describe(kind, inputs)}: it is not known whether the platform made it: ${why} (${cause.message}) ${how}`,
      { cause },
    );
  };
  const lookUp = async () => {
    try {
      return await currentHolders(run, kind, inputs);
    } catch (error) {
      throw unknown(`looking it up failed too: ${messageOf(error)}`);
    }
  };
  const check = (holders: Wire[]) => {
    const [only] = holders;
    if (only === undefined) return undefined;
    if (holders.length === 1 && isOurs(kind, inputs, run, only, firstSend?.serverTime)) {
      run.created.add(only.uid);
      return only;
    }
    throw unknown(`${holders.map((holder) => holder.uid).join(" and ")} may be it, or somebody else's.`);
  };
  const early = check(await lookUp());
  if (early !== undefined) return early;
  // The request may still be on its way: only after its own deadline does "not found" count.
  const deadline = (firstSend?.at ?? performance.now()) + run.client.timing.attemptMs;
  await sleep(Math.max(0, deadline - performance.now()));
  const late = check(await lookUp());
  if (late !== undefined) return late;
  if (!(await run.listShowsObjects(kind).catch(() => false))) throw unknown("no List shows these credentials any such object.");
  if (performance.now() >= giveUp) throw unknown("it was sent more than once, and never seen.");
  return undefined;
}

/** True when `wire` can only be what this create sent: equal in every field, and not older than the first send. */
function isOurs<Wire extends WireObject>(
  kind: Kind<Wire>,
  inputs: Inputs,
  run: Run,
  wire: Wire,
  sentAt: number | undefined,
): boolean {
  const createTime = Date.parse(String(kind.outputs(wire)["createTime"]));
  return (
    sentAt !== undefined &&
    createTime >= sentAt &&
    !run.holds(wire.uid) &&
    changedInputs(kind, observedInputs(kind, wire), inputs).length === 0
  );
}

function adoptOrRefuse<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, run: Run, key: string, holders: Wire[]): Wire {
  const what = describe(kind, inputs);
  const uids = holders.map((holder) => holder.uid).join(" and ");
  const [holder] = holders;
  if (!(run.declared.get(key) ?? run.adoptByDefault)) {
    throw new PlatformError(
      "KEY_TAKEN",
      `create ${what}: it exists already, as ${uids}. Three ways on: \`aliases\`, when this stack holds it under another logical name; ` +
        "another name; `adopt: true` (or PLATFORM_ADOPT=true for one run), when nobody manages it. Nothing was created.",
    );
  }
  if (holder === undefined || holders.length > 1) {
    throw new PlatformError(
      "AMBIGUOUS",
      `adopt ${what}: several exist: ${uids}. Delete or rename all but one. Nothing was changed.`,
    );
  }
  if (run.holds(holder.uid)) {
    throw new PlatformError(
      "KEY_TAKEN",
      `adopt ${what}: ${uids} is already another resource of this program. Nothing was changed.`,
    );
  }
  const observed = observedInputs(kind, holder);
  const differences = changedInputs(kind, observed, inputs).map(
    (name) => `${name} is declared ${show(inputs[name])}, the platform has ${show(observed[name])}`,
  );
  if (differences.length > 0) {
    throw new PlatformError(
      "KEY_TAKEN",
      `adopt ${what}: ${uids} is not equal to what is declared: ${differences.join("; ")}. Make the two equal, then run again. Nothing was changed.`,
    );
  }
  return holder;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(canonical(value));
}

/** Refuses an answer about another object than the one that was sent, keeping hold of what was made. */
function verified<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, wire: Wire): Wire {
  const what = `create ${describe(kind, inputs)}: the platform made ${wire.uid}, `;
  if (parentOf(wire.uid) !== inputs["parentUid"]) {
    throw new CreatedButFailed(
      wire.uid,
      stateOf(kind, wire),
      `${what}which is not under ${String(inputs["parentUid"])}. It is kept in state; the next up replaces it.`,
    );
  }
  const observed = observedInputs(kind, wire);
  const wrong = kind.naturalKey.filter((name) => observed[name] !== inputs[name]);
  if (wrong.length > 0) {
    throw new CreatedButFailed(
      wire.uid,
      stateOf(kind, wire),
      `${what}${wrong.map((name) => `with ${name} ${show(observed[name])} instead of ${show(inputs[name])}`).join(" and ")}. It is kept in state; the next up repairs it.`,
    );
  }
  return wire;
}
