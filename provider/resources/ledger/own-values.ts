import { declaredInputs, type Inputs, type Kind, type Observed } from "../../schema/kind";
import { withKept } from "../../schema/kept-values";
import type { Operation } from "../../schema/operation";
import { withSortedMembers } from "../../schema/values";
import type { Notes } from "./notes";

/** A run, for its notes. */
interface Noting {
  readonly ledger: { readonly notes: Notes };
}

/** An update, and the names of the fields that it sends. */
interface Update extends Operation {
  readonly sent: readonly string[];
}

/**
 * Notes what an update is about to send: if the run is killed before the answer, these values are not somebody else's change.
 *
 * @returns a function to call if the platform rejects it: then they are
 */
export function noteSent({ kind, uid, news, sent }: Update, { ledger }: Noting): () => void {
  return ledger.notes.updating(noteKey(kind, uid), valuesAsText(asObserved(kind, news), sent));
}

/** Notes the values that the platform has stored for an update. */
export function noteStored({ inputs }: Observed, { kind, uid, sent }: Update, { ledger }: Noting): void {
  ledger.notes.updating(noteKey(kind, uid), valuesAsText(inputs, sent));
}

/** Records that an update was answered with `observed`. What it sent stays noted until the engine has saved its state. */
export function noteAnswered(observed: Observed, update: Update, run: Noting): void {
  noteStored(observed, update, run);
  run.ledger.notes.answered(noteKey(update.kind, update.uid));
}

/** Forgets what earlier updates have sent to the object, if its state has any of it: then the engine has saved the last one. */
export function forgetSaved({ kind, uid, olds }: Operation, { ledger }: Noting): void {
  const key = noteKey(kind, uid);
  const sent = ledger.notes.sentWith(key);
  if (sent.size === 0) return;
  const saved = valuesAsText(asObserved(kind, olds), Object.keys(kind.fields));
  if (saved.some((text) => sent.has(text))) ledger.notes.forget(key);
}

/** True if an update of this stack, which its state may lack, has sent the value that the object has in the field `name`. */
export function isOwnValue(kind: Kind, { uid, inputs }: Observed, name: string, { ledger }: Noting): boolean {
  const sent = ledger.notes.sentWith(noteKey(kind, uid));
  return valuesAsText(inputs, [name]).some((text) => sent.has(text));
}

/** Inputs as {@link Observed} would have them: without what the platform never returns. */
function asObserved(kind: Kind, inputs: Inputs): Inputs {
  return declaredInputs(kind, withKept(kind.fields, inputs, {}));
}

function noteKey({ collection }: Kind, uid: string): string {
  return JSON.stringify(["update", collection.segment, uid]);
}

/** Values in a form that does not depend on the order of members. */
function valuesAsText(values: Inputs, names: readonly string[]): string[] {
  return names.map((name) => JSON.stringify([name, values[name] ?? null], withSortedMembers));
}
