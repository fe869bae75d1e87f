import { canonicalInputs } from "../../schema/canonical";
import { type Inputs, type Kind, type Observed } from "../../schema/kind";
import { withKept } from "../../schema/kept-values";
import { withSortedMembers } from "../../schema/values";
import type { Notes } from "./notes";

/** A run, for its notes. */
interface Noting {
  readonly ledger: { readonly notes: Notes };
}

/**
 * Notes what an update of the object `uid` is about to send: if no answer comes, because the run is killed, what the platform then
 * has is not somebody else's.
 *
 * @returns a function to call if the platform rejects it: whoever makes the object so then is somebody else
 */
export function noteSent(kind: Kind, uid: string, news: Inputs, names: readonly string[], run: Noting): () => void {
  return noteValues(kind, uid, canonicalInputs(kind.fields, withKept(kind.fields, news, {})), names, run);
}

/** Notes what the platform has made of an update whose values it changed. */
export function noteStored(kind: Kind, { uid, inputs }: Observed, names: readonly string[], run: Noting): void {
  noteValues(kind, uid, inputs, names, run);
}

/** Records that an update was answered with `observed`. What it sent stays noted until the engine has saved its state. */
export function noteAnswered(kind: Kind, observed: Observed, names: readonly string[], run: Noting): void {
  noteStored(kind, observed, names, run);
  run.ledger.notes.answered(keyOf(kind, observed.uid));
}

/** Forgets what earlier updates have sent to the object `uid`, if `state` has any of it: then the engine has saved the last one. */
export function forgetSaved(kind: Kind, uid: string, state: Inputs, run: Noting): void {
  const key = keyOf(kind, uid);
  const sent = run.ledger.notes.sentWith(key);
  if (sent.size === 0) return;
  const saved = canonicalInputs(kind.fields, withKept(kind.fields, state, {}));
  if (Object.keys(kind.fields).some((name) => sent.has(textOf(name, saved[name])))) run.ledger.notes.forget(key);
}

/** True if an update of this stack, which its state may lack, has sent the value that the object has in the field `name`. */
export function isOwnValue(kind: Kind, { uid, inputs }: Observed, name: string, run: Noting): boolean {
  return run.ledger.notes.sentWith(keyOf(kind, uid)).has(textOf(name, inputs[name]));
}

function noteValues(kind: Kind, uid: string, values: Inputs, names: readonly string[], run: Noting): () => void {
  return run.ledger.notes.updating(
    keyOf(kind, uid),
    names.map((name) => textOf(name, values[name])),
  );
}

function keyOf({ collection }: Kind, uid: string): string {
  return JSON.stringify(["update", collection.segment, uid]);
}

/** A value in a form that does not depend on the order of members. */
function textOf(name: string, value: unknown): string {
  return JSON.stringify([name, value ?? null], withSortedMembers);
}
