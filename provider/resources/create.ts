import type { WireObject } from "../client/collection";
import { hasCode, messageOf, PlatformError } from "../client/errors";
import { parentOf } from "../client/uid";
import { adoptOrRefuse, adopts } from "./adopt";
import { CreatedButFailed } from "./created-but-failed";
import { isNotFound } from "./gone";
import { describe, type Inputs, keyOf, type Kind, observedInputs, show, stateOf } from "./kind";
import { afterPropagation } from "./propagation";
import type { Run } from "./run";
import { currentHolders, knownHolders, stillHolder, verifyParent } from "./siblings";
import { findOwn, isOutcomeUnknown, provenOwn, type Send } from "./unknown-outcome";

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
  const giveUp = performance.now() + client.timing.budgetMs;
  const sends: Send[] = [];
  const onSend = () => sends.push({ at: performance.now(), serverTime: client.serverTime() });
  let mayHaveBeenApplied = false;
  for (;;) {
    let wire: Wire;
    try {
      wire = await afterPropagation(run, inputs, () => client.create(kind.collection, String(parentUid), body, { onSend }));
    } catch (error) {
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
    verify(kind, inputs, wire);
    run.created.add(wire.uid);
    return wire;
  }
}

function refused(kind: Kind, inputs: Inputs, error: unknown): PlatformError {
  const why = isNotFound(error) ? "the parent, or an object that it names, is gone. " : "";
  const code = PlatformError.isInstance(error) ? error.code : "UNKNOWN";
  return new PlatformError(code, `create ${describe(kind, inputs)}: ${why}${messageOf(error)}`, { cause: error });
}

/** Refuses an answer about another object than the one that was sent, keeping hold of what was made. */
function verify<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, wire: Wire): void {
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
}
