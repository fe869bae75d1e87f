import { codeOf, hasCode, isNotFound, causeOf, messageOf, PlatformError, platformErrorAs } from "../../client/errors";
import { asSentence, list, literal } from "../../client/printable";
import {
  declaredInputs,
  describe,
  describeExisting,
  differing,
  type Inputs,
  naturalKeyOf,
  type Observed,
  resolvedOutputs,
  stateOf,
} from "../../schema/kind";
import { referencesOf, withoutRecord } from "../../schema/references";
import type { Comparison, Operation } from "../../schema/operation";
import { changeOf } from "../../schema/request-body";
import { maskedNames } from "../../schema/wire-names";
import { outcomeOf } from "../guards/guards";
import { resolveNames } from "../naming/resolve";
import { announceForeign, type Intent, requireUnchanged, startOf } from "./changed-meanwhile";
import { overwrite } from "./overwrite";
import { isSettled } from "./read";
import { inTwoUpdates } from "../checking/moving-keys";
import { unknownNames } from "../checking/enum-names";
import { recreating } from "../checking/expiry";
import { remedyFor } from "../checking/remedy";
import type { Run } from "../run/run";
import { currentHolders } from "../creating/look-up";
import { afterPropagation } from "../creating/propagation";

/**
 * Updates exactly the fields that differ, with a mask of them (docs/platform-api.md#field-masks), unless somebody else has changed the
 * object. Without a difference, nothing is written and the object is read.
 *
 * @returns the outputs for state
 * @throws PlatformError
 */
export async function update(declared: Operation, run: Run): Promise<Inputs> {
  const outputs = await updated(declared, run);
  const [before, after] = [naturalKeyOf(declared.kind, declared.olds), naturalKeyOf(declared.kind, outputs)];
  if (before !== undefined && before !== after) run.ledger.declarations.freed(before);
  return outputs;
}

async function updated(declared: Operation, run: Run): Promise<Inputs> {
  const { kind, uid, olds } = declared;
  const news = await resolveNames(declared, run);
  const wanted = declaredInputs(kind, news);
  const comparison = { ...declared, news, before: declaredInputs(kind, olds), wanted };
  rejectMove(comparison);
  rejectTaken(comparison, run);
  const start = await startOf(comparison, run);
  const { body, mask, changed } = changeOf(kind, start, wanted);
  // Dropped inputs, and the uids of changed texts, are not kept.
  const stale = [...Object.keys(kind.inputs.shape), ...resolvedOutputs(kind, changed)];
  const outputs = Object.entries(withoutRecord(olds)).filter(([name]) => !stale.includes(name));
  const known = { ...Object.fromEntries(outputs), ...news };
  const passage = await run.guards.pass({ is: "update", kind, uid, state: start, wanted, differing: changed }, run);
  const sent = maskedNames(kind.fields, mask);
  const intent = { ...comparison, mask, sent };
  let isSent = false;
  try {
    if (mask.length === 0) {
      const observed = kind.observe(await run.client.get(kind.collection, uid));
      announceForeign(observed, intent, run);
      return stateOf(kind, observed, known);
    }
    if (kind.calls.update === "post") return stateOf(kind, await verified(await overwrite(intent, run), intent, run), known);
    await requireUnchanged(intent, run);
    isSent = true;
    // A conflict shows that somebody else is changing something there.
    const beforeRepeat = async (error: PlatformError) => {
      if (hasCode(error, "ABORTED")) await requireUnchanged(intent, run, "The update was not sent again.");
    };
    const send = () => run.client.update(kind.collection, uid, body, mask, { beforeRepeat });
    const answered = await afterPropagation(body, run, undefined, send).catch((error: unknown) => {
      // The answer does not show the object, so it is read.
      if (hasCode(error, "UNEXPECTED_ANSWER") && error.status === undefined) return run.client.get(kind.collection, uid);
      throw error;
    });
    return stateOf(kind, await verified(kind.observe(answered), intent, run), known);
  } catch (error) {
    passage.end(isSent || kind.calls.update === "post" ? outcomeOf(error) : "rejected");
    if (mask.length === 0 && isNotFound(error) && isSettled(kind, uid, olds, run)) return known;
    throw await updateFailure(comparison, run, error);
  }
}

/** @throws PlatformError `KEY_TAKEN` if the object would get the natural key of another resource of the program, which gives it up in this update */
function rejectTaken({ kind, uid, olds, news, before, wanted }: Comparison, { ledger: { declarations } }: Run): void {
  const key = naturalKeyOf(kind, wanted);
  const holder = key === naturalKeyOf(kind, before) ? undefined : declarations.givenUpBy(key);
  if (holder === undefined) return;
  const what = `update ${describeExisting(kind, uid, olds)}`;
  throw new PlatformError("KEY_TAKEN", `${what}: ${inTwoUpdates(kind, news, holder)} Nothing was sent.`);
}

/** @throws PlatformError `FAILED_PRECONDITION` if a reference means another object than in the diff, so that the update would move this one */
export function rejectMove({ kind, uid, olds, news }: Operation): void {
  const moved = referencesOf(kind.fields).find(
    ({ name, uid: field }) => news[name] !== undefined && kind.immutable.includes(field) && news[field] !== olds[field],
  );
  if (moved === undefined) return;
  const what = `update ${describeExisting(kind, uid, olds)}: ${moved.name} ${literal(news[moved.name])} means ${String(news[moved.uid])} now`;
  throw new PlatformError("FAILED_PRECONDITION", `${what}, and the object is in another place. Nothing was sent. Run again.`);
}

/**
 * The object after the update. An answer may omit members, so an object that differs is read again.
 *
 * @throws PlatformError `WRONG_OBJECT` if a field that was sent still differs: success would hide who has access
 */
async function verified(answered: Observed, intent: Intent, run: Run): Promise<Observed> {
  const { kind, wanted, mask, sent } = intent;
  const wrongIn = (observed: Observed) => differing(kind, observed, wanted).filter((name) => sent.includes(name));
  const unseen = wrongIn(answered);
  if (unseen.length === 0) return answered;
  const wire = await run.client.get(kind.collection, answered.uid).catch((error: unknown) => {
    const why = `the platform reported success without showing ${list(unseen)}, and reading it back failed: ${causeOf(error)}`;
    throw new PlatformError(codeOf(error), why, { cause: error });
  });
  const observed = kind.observe(wire);
  const wrong = wrongIn(observed);
  if (wrong.length === 0) return observed;
  throw new PlatformError(
    "WRONG_OBJECT",
    `the platform reported success, but ${list(wrong)} ${wrong.length > 1 ? "are" : "is"} not what was sent (updateMask ${mask.join(",")}). ` +
      `${remedyFor(kind, observed, wanted)} Then run \`pulumi up --refresh --run-program\`.`,
  );
}

async function updateFailure({ kind, uid, olds, news, wanted }: Comparison, run: Run, error: unknown): Promise<PlatformError> {
  const what = `update ${describeExisting(kind, uid, olds)}`;
  const code = codeOf(error);
  const fail = (why: string) => new PlatformError(code, `${what}: ${why}`, { cause: error });
  if (isNotFound(error)) {
    const resolved = referencesOf(kind.fields).filter(({ name }) => news[name] !== undefined);
    const names = resolved.map(({ name, uid: field }) => `${name} ${literal(news[name])} was resolved to ${String(news[field])}`);
    const hint = names.length === 0 ? "" : ` ${list(names)}: pass the uid of another object if that one was deleted.`;
    return fail(
      `not found: it, or something it references, was deleted. ${asSentence(error.message)} \`pulumi up --refresh --run-program\` recreates it.${hint}`,
    );
  }
  if (hasCode(error, "ALREADY_EXISTS")) {
    // The engine may check the resource that gives the key up only now.
    const holder = run.ledger.declarations.givenUpBy(naturalKeyOf(kind, wanted));
    if (holder !== undefined) return fail(`${inTwoUpdates(kind, news, holder)} ${error.message}`);
    const holders = await currentHolders({ kind, inputs: wanted, run }).catch(platformErrorAs(() => undefined));
    const uids = holders?.flatMap((each) => (each.uid === uid ? [] : [each.uid]));
    if (uids?.length === 0)
      return fail(
        `${describe(kind, news)} existed when this was sent, and does not any more. Run \`pulumi up\` again. ${error.message}`,
      );
    const where = uids === undefined ? "" : `, as ${uids.join(" and ")}`;
    return fail(
      `${describe(kind, news)} already exists${where}. Choose another name or binding, or delete that one. ${error.message}`,
    );
  }
  if (hasCode(error, "UNIMPLEMENTED")) {
    return fail(`this platform does not change it in place: ${recreating(kind)}. ${error.message}`);
  }
  return fail(`${messageOf(error)}${hasCode(error, "INVALID_ARGUMENT") ? unknownNames(kind, news) : ""}`);
}
