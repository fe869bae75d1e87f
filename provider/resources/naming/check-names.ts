import { isUid } from "../../client/uid";
import type { Problem } from "../../schema/declaration";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { type DeclaredReference, givenIn, isGiven, isSame, isUnknown, resolvedUid } from "../../schema/references";
import { anywhere, type AskedName, type Checking, firstUid, placeIn, rejection, warn } from "./asked-name";
import { newMeaning, parentFirst } from "./meaning";
import { missingParent } from "./missing-parent";
import { Unresolved } from "./problem";
import { recordKey } from "./resolve";

/** The result of a check of names. */
export interface CheckedNames {
  /** The inputs with the uid beside each name, as far as it is known. */
  readonly inputs: Inputs;
  readonly failures: Problem[];
}

/**
 * Puts beside each name in the checked inputs `news` the uid of its object, so that state, previews and diffs have it. A name that `olds`
 * have keeps its uid without a request, since one that means another object by now must not change who has access. A name that cannot be
 * resolved here has no uid. The create or update resolves it.
 */
// See docs/decisions/0057-names-are-resolved-in-check.md.
export async function checkNames(declaring: Declaring, run: Checking): Promise<CheckedNames> {
  const { kind, olds, news } = declaring;
  const inputs = { ...news };
  const failures: Problem[] = [];
  const given = givenIn(kind.fields, news).filter(({ uid }) => !isGiven(news[uid]));
  await warnOfMissingParent(declaring, run);
  // A name is looked up from a place that may not be known yet.
  const pending = new Set(given.map(({ uid }) => uid));
  for (const reference of parentFirst(kind, given)) {
    if (isUnknown(news[reference.name]) || isUnseen(reference, olds, news)) continue;
    const known = { ...inputs, ...Object.fromEntries([...pending].map((uid) => [uid, unknownValue])) };
    const asked = askedBy(reference, declaring, known);
    const found = await firstUid(asked, run);
    if (found instanceof Unresolved) {
      const problem = await rejection(asked, found, { ...declaring, news: inputs }, run);
      if (problem !== undefined) failures.push(problem);
    } else if (found !== undefined) {
      inputs[reference.uid] = found;
      pending.delete(reference.uid);
    }
  }
  recordKey(kind, inputs, run);
  return { inputs, failures };
}

/**
 * True for a reference whose uid only the outputs have, because an earlier release wrote the state. Diff finds it there. The same for what a
 * new login stands in place of: without that, it could mean a person.
 */
function isUnseen({ name, uid }: DeclaredReference, olds: Inputs, news: Inputs): boolean {
  return isGiven(olds[name]) && !isGiven(olds[uid]) && (isSame(olds[name], news[name]) || typeof news[name] !== "string");
}

/** @param known the inputs with all uids that are known; the others are unknown values */
function askedBy(reference: DeclaredReference, { kind, olds, news, path }: Declaring, known: Inputs): AskedName {
  const { name, to, uid } = reference;
  const text = news[name];
  return {
    property: name,
    to,
    text,
    kept: isSame(olds[name], text) ? resolvedUid(olds, uid) : undefined,
    owner: path === undefined ? undefined : JSON.stringify([kind.collection.segment, path, name]),
    place: to === "group" ? anywhere : placeIn(known, reference.place ?? kind.parentInput),
    lookUp: (run) => newMeaning(kind, reference, { olds, known }, run),
  };
}

/** Warns in a preview of a parent uid that is not in the state and hidden from these credentials. */
async function warnOfMissingParent(declaring: Declaring, run: Checking): Promise<void> {
  const { kind, olds, news } = declaring;
  const uid = placeIn(news, kind.parentInput);
  if (run.mode === "update" || uid === undefined || !isUid(uid) || uid === olds[kind.parentInput]) return;
  if (run.ledger.has({ collection: kind.parents }, uid)) return;
  const found = await run.firstNames.answer((names) => missingParent(kind, uid, names));
  if (found instanceof Unresolved) warn(declaring, kind.parentInput, found, run);
}
