import { type Field, isSent } from "../../schema/field";
import { unknownValue } from "../../schema/inputs";
import type { Difference } from "../../schema/differences";
import { differences, inputNames, type Inputs, naturalKeyOf, type Kind } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import { changedReferences, givenFor } from "../../schema/references";
import { noteProtection, protectionAgainst } from "../guards/protection";
import type { Run } from "../run/run";

/** The result of a diff, as the engine expects it. */
export interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/**
 * Compares the state of the object with the program.
 *
 * A change of an immutable input replaces the object. If the natural key stays, the old object is deleted first, because the new
 * one would collide with it. That cascades: an object whose reference blocks the deletion is replaced too. The engine asks for that by an
 * unknown value, before it checks the object: after the check, an unknown value changes the object in place, as the known one then does.
 * A preview of an unresolved reference may show too much, because it may mean the same object.
 *
 * @param operation `news` has the uids of its references as far as they are known
 * @throws PlatformError `PROTECTED` if the object would be replaced and its state protects it
 */
// See docs/contributing/engine.md#replacement and docs/decisions/0057-names-are-resolved-in-check.md.
export function diff({ kind, uid, olds, news, path }: Operation, run: Pick<Run, "ledger">): DiffResult {
  const changed = differences(kind, olds, news);
  const isCascade = !run.ledger.declarations.isCheckedFrom(naturalKeyOf(kind, olds));
  const replacing = changed.filter(replacesIn({ kind, olds, news }, isCascade));
  const replaces = inputNames(replacing).map((name) => givenFor(kind.fields, name, news)?.name ?? name);
  noteProtection(kind, uid, olds, run);
  if (replacing.some(({ path: [name = ""] }) => isKnown(kind, name, news))) {
    const verdict = protectionAgainst({ is: "replace", kind, uid, state: olds, instead: [news] });
    if (verdict.is === "stop") throw verdict.error;
  }
  if (replaces.length === 0) claim({ kind, uid, news, path }, run);
  const key = naturalKeyOf(kind, news);
  return {
    changes: changed.length > 0 || changedReferences(kind.fields, olds, news).length > 0,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && key !== undefined && key === naturalKeyOf(kind, olds),
  };
}

/** Records that the resource owns its object. @throws PlatformError `KEY_TAKEN` if it contradicts another one */
function claim({ kind, uid, news, path }: Omit<Operation, "olds">, { ledger }: Pick<Run, "ledger">): void {
  const key = naturalKeyOf(kind, news);
  ledger.claim(kind, uid, { key, path });
  const declaring = path ?? ledger.declarations.pathOf(key);
  // A refresh also compares resources that have left the program. They contradict nothing.
  if (declaring !== undefined && ledger.declarations.isChecked(declaring))
    ledger.access.require({ kind, inputs: news, path: declaring });
}

/** Tells which differences replace the object. @param isCascade whether the engine asks what the replacement of another object replaces */
function replacesIn({ kind, olds, news }: Omit<Operation, "uid">, isCascade: boolean): (difference: Difference) => boolean {
  const otherForm = isOtherForm(kind, olds, news);
  return ({ path: [name = ""], fields }) =>
    (kind.calls.update === "none" && fields.every(isSent) && !isUnseen(fields[0], olds[name])) ||
    fields.some(({ traits }) => traits.immutable) ||
    (otherForm && fields[0]?.traits.form === true) ||
    (isCascade && blocksUnknown(fields[0], news[name]));
}

/** False for an unknown value, which may turn out to be unchanged, and for a reference without its uid. */
function isKnown({ fields }: Kind, name: string, news: Inputs): boolean {
  return news[name] !== unknownValue && (name in news || givenFor(fields, name, news) === undefined);
}

/** True if the program declares another form than the object has. An object without any form gets one in place. */
function isOtherForm({ fields }: Kind, olds: Inputs, news: Inputs): boolean {
  const forms = Object.keys(fields).filter((name) => fields[name]?.traits.form);
  const formsOf = (inputs: Inputs) => forms.filter((name) => (inputs[name] ?? undefined) !== undefined);
  return formsOf(olds).length > 0 && formsOf(olds).join() !== formsOf(news).join();
}

/** True for a write-only value that the state lacks: an imported object is not replaced because of it. */
function isUnseen(field: Field | undefined, old: unknown): boolean {
  return field?.traits.writeOnly === true && (old ?? undefined) === undefined;
}

/** True for a reference that blocks the deletion of its target, which may be about to be replaced. */
function blocksUnknown(field: Field | undefined, value: unknown): boolean {
  return field?.traits.blocksTarget === true && value === unknownValue;
}
