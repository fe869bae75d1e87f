import type { WireObject } from "../../client/collection";
import { causeOf, codeOf, hasCode, isNotFound, messageOf, PlatformError } from "../../client/errors";
import { list } from "../../client/printable";
import { unseenPaths } from "../../schema/hidden-values";
import {
  declaredInputs,
  describe,
  describeExisting,
  type Inputs,
  type Kind,
  naturalKeyOf,
  noteKeyOf,
  type Observed,
  stateOf,
} from "../../schema/kind";
import { unknownNames } from "../checking/enum-names";
import { bothOf } from "../ledger/declarations";
import { resolveNames } from "../naming/resolve";
import type { Run } from "../run/run";
import { verifiedAnswer } from "./answer";
import { outcomeUnknown, valueLost } from "./create-errors";
import type { Creation } from "./creation";
import { decide } from "./decision";
import { doubtOf, holdersOf } from "./look-up";
import { adopted, keyTaken, ownOf, uidsOf } from "./ownership";
import { afterPropagation } from "./propagation";
import { Sends } from "./sends";
import { TimeLimit } from "./time-limit";

/** The result of a create, which the engine keeps. */
export interface Created {
  id: string;
  outs: Inputs;
}

/**
 * Creates the object, or adopts the existing one if `adopt` is set. Never creates two objects for one resource, never takes another
 * owner's object, and never loses an object that it created.
 *
 * @throws PlatformError `KEY_TAKEN`, `AMBIGUOUS`, `OUTCOME_UNKNOWN`, or a code of the platform
 * @throws CreatedButFailed if the created object differs from the declaration
 */
export async function create(kind: Kind, declared: Inputs, run: Run): Promise<Created> {
  const inputs = declaredInputs(kind, await resolveNames({ kind, olds: {}, news: declared }, run));
  const key = naturalKeyOf(kind, inputs);
  const noteKey = key ?? noteKeyOf(kind, inputs);
  if (noteKey === undefined) {
    const missing = kind.keyInputs.join(" or ");
    throw new PlatformError("INVALID_INPUT", `create ${kind.collection.noun}: ${missing} is missing. Nothing was sent.`);
  }
  await run.guards.pass({ is: "create", kind, wanted: inputs }, run);
  const path = run.ledger.declarations.pathOf(naturalKeyOf(kind, declared));
  // A member of a GroupAccess contradicts nothing, and no resource declares it.
  if (path !== undefined) run.ledger.access.require({ kind, inputs, path });
  const first = run.ledger.open({ key, path });
  if (first !== undefined) {
    const why = `${bothOf(first.path, path, "declare")} the same one. Remove one of the two. Nothing was sent.`;
    throw new PlatformError("KEY_TAKEN", `create ${describe(kind, inputs)}: ${why}`);
  }
  const object = await made({ kind, inputs, key, noteKey, run, limit: new TimeLimit(run.client) });
  run.ledger.claim(kind, object.uid, { key });
  return { id: object.uid, outs: stateOf(kind, object, inputs) };
}

/** The object of the resource. Rounds of a look-up, a decision and a step, until there is one or nothing more may be sent. */
async function made(creation: Creation): Promise<Observed> {
  const sends = new Sends(creation);
  try {
    for (;;) {
      const object = await round(creation, sends);
      if (object !== undefined) return object;
    }
  } catch (error) {
    // The note of a killed run stays until this run sends.
    if (sends.haveBegun && !hasCode(error, "OUTCOME_UNKNOWN")) sends.forget();
    throw error;
  }
}

/** @returns undefined if another round must follow */
async function round(creation: Creation, sends: Sends): Promise<Observed | undefined> {
  const { kind, inputs, run, key } = creation;
  const { outcome } = sends;
  const holders = await holdersOf(creation, sends).catch((error: unknown) => {
    throw outcome === "in doubt"
      ? unknown(creation, sends, `looking it up failed too: ${causeOf(error)}`)
      : rejected(creation, sends, error);
  });
  const own = ownOf(creation, holders, sends);
  const seen = { holders: holders.length, isOwn: own !== undefined };
  const rights = {
    hasKey: key !== undefined,
    mayAdopt: key !== undefined && run.ledger.declarations.adopts(key),
    hasOnce: kind.shownOnce.length > 0,
  };
  switch (decide(seen, outcome, rights)) {
    case "send":
      return send(creation, sends, "batch");
    case "send alone":
      return send(creation, sends, "alone");
    case "send again if nothing was made": {
      const doubt = await doubtOf(creation, sends.cause);
      if (doubt !== undefined) throw unknown(creation, sends, doubt);
      return send(creation, sends, "alone");
    }
    case "take back":
      return own && takenBack(creation, sends, own);
    case "adopt":
      return adopt(creation, sends, holders);
    case "fail: rejected":
      throw rejected(creation, sends, sends.cause);
    case "fail: key taken":
      throw keyTaken(creation, holders);
    case "fail: may be another's":
      throw unknown(creation, sends, `${uidsOf(holders)} may be it, or may belong to someone else.`);
    case "fail: value lost":
      throw valueLost(kind, inputs, own === undefined ? holders : [own], sends.cause);
  }
}

/** Sends the POST, in a batch if possible unless it goes `alone`. @returns undefined if another round must follow */
async function send(creation: Creation, sends: Sends, how: "batch" | "alone"): Promise<Observed | undefined> {
  const { kind, inputs, run, limit } = creation;
  const { signal } = limit;
  rejectIncomplete(kind, inputs);
  const options = {
    onSend: () => sends.begin(),
    onFailed: (error: unknown) => sends.attemptFailed(error),
    signal,
  };
  const post = () =>
    how === "batch" ? run.sharing.creates.create(kind, inputs, options) : run.sharing.creates.single(kind, inputs, options);
  let answered: WireObject;
  try {
    answered = await afterPropagation(inputs, run, signal, () => limit.within(post()));
  } catch (error) {
    if (!sends.failed(error, how)) throw rejected(creation, sends, error);
    if (!signal.aborted) return undefined;
    throw sends.outcome === "in doubt" ? unknown(creation, sends, `no answer ${limit.text}`) : rejected(creation, sends, error);
  }
  const object = await verifiedAnswer(creation, kind.observe(answered), sends);
  run.ledger.created.add(kind.collection, object.uid);
  sends.made(object.uid);
  return object;
}

/** @throws PlatformError `INVALID_INPUT` if an input is missing that only an existing object can do without */
function rejectIncomplete(kind: Kind, inputs: Inputs): void {
  const missing = Object.entries(kind.fields).flatMap(([name, { traits }]) =>
    traits.neededByCreate && inputs[name] === undefined ? [name] : [],
  );
  if (missing.length === 0) return;
  const why = `${list(missing)} is missing, and no such ${kind.collection.noun} exists that could be adopted. Nothing was sent.`;
  throw new PlatformError("INVALID_INPUT", `create ${describe(kind, inputs)}: ${why}`);
}

function takenBack(creation: Creation, sends: Sends, object: Observed): Observed {
  if (sends.outcome === "nothing sent") notify(creation, "took back", object, "an earlier run created it and did not finish.");
  sends.made(object.uid);
  return object;
}

function adopt(creation: Creation, sends: Sends, holders: readonly Observed[]): Observed {
  const { kind, inputs } = creation;
  try {
    const object = adopted(creation, holders);
    sends.forget();
    const unseen = unseenPaths(kind.fields, inputs).map((path) => path.join("."));
    const assumed =
      unseen.length > 0 ? ` ${list(unseen)} cannot be read, so this assumes that the platform has what is declared.` : "";
    const why = `nothing was created or replaced. (A replacement by \`--replace\` or \`pulumi state taint\` needs \`deleteBeforeReplace: true\`.)${assumed}`;
    notify(creation, "adopted", object, why);
    return object;
  } catch (error) {
    throw sends.outcome === "in doubt" ? unknown(creation, sends, causeOf(error)) : error;
  }
}

function notify({ kind, inputs, run }: Creation, done: string, { uid }: Observed, why: string): void {
  run.notify(`${done} ${describeExisting(kind, uid, inputs)}: ${why}`);
}

function rejected({ kind, inputs, limit }: Creation, sends: Sends, error: unknown): PlatformError {
  const why = isNotFound(error) ? "the parent, or an object that it references, was not found. " : "";
  const what = `create ${describe(kind, inputs)}`;
  if (limit.signal.aborted) {
    const late = `${sends.haveBegun ? "not accepted" : "not sent"} ${limit.text} Nothing was created.`;
    return new PlatformError("NOT_CONNECTED", `${what}: ${late}`, { cause: error });
  }
  const hint = hasCode(error, "INVALID_ARGUMENT") ? unknownNames(kind, inputs) : "";
  return new PlatformError(codeOf(error), `${what}: ${why}${messageOf(error)}${hint}`, { cause: error });
}

function unknown({ kind, inputs, key, run }: Creation, { cause }: Sends, why: string): PlatformError {
  const adopts = key === undefined ? undefined : run.ledger.declarations.adopts(key);
  return outcomeUnknown(kind, inputs, why, { adopts, cause });
}
