import { withAdvice, withContext } from "../../client/errors";
import { asDeclared, describe, describeExisting, type Inputs, naturalKeyOf, type Kind } from "../../schema/kind";
import { type DeclaredReference, givenIn, isGiven, isUnknown, withKnownUids } from "../../schema/references";
import type { Declaring, Operation } from "../../schema/operation";
import { newMeaning, parentFirst, rejectOwnLogin } from "./meaning";
import type { Referring } from "./needs";
import { recordParentByPath, rejectParentByPath } from "./parent-by-path";
import { problem } from "./problem";

/**
 * `news` with the uid of each reference. Check has found most of them; this finds what check could not know.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`, `INVALID_INPUT`, with what to do
 */
// See docs/decisions/0057-names-are-resolved-in-check.md.
export async function resolveNames({ kind, uid: own, olds, news }: Declaring, run: Referring): Promise<Inputs> {
  const known: Inputs = withKnownUids(kind.fields, olds, news);
  try {
    for (const reference of parentFirst(kind, givenIn(kind.fields, news))) {
      const [before, uid] = [olds[reference.uid], known[reference.uid]];
      if (isGiven(uid) && before !== uid) rejectOwnLogin(reference, uid, known[reference.name], run);
      if (!isGiven(uid)) await resolve(kind, reference, { olds, known }, run);
    }
  } catch (error) {
    const inputs = asDeclared(kind, known);
    const what = own === undefined ? `create ${describe(kind, inputs)}` : `update ${describeExisting(kind, own, inputs)}`;
    throw withAdvice(withContext(what, error), "Nothing was changed.");
  }
  return recorded(kind, known, run);
}

/**
 * `news` with the uids of references, for a diff. Only an update resolves what check could not: a preview would guess.
 *
 * @throws PlatformError see {@link resolveNames}
 */
export async function comparedNames(operation: Operation, run: Referring): Promise<Inputs> {
  const { kind, uid, olds, news } = operation;
  rejectParentByPath(kind, uid, run);
  if (run.isUpdate) return resolveNames(operation, run);
  return recorded(kind, withKnownUids(kind.fields, olds, news), run);
}

function recorded(kind: Kind, known: Inputs, run: Referring): Inputs {
  recordParentByPath(kind, known, run);
  recordKey(kind, known, run);
  return known;
}

/** Records that the resource whose natural key has names declares the one with their uids, as far as `known` has them. */
export function recordKey(kind: Kind, known: Inputs, run: Pick<Referring, "ledger">): void {
  run.ledger.declarations.resolved(naturalKeyOf(kind, asDeclared(kind, known)), naturalKeyOf(kind, known));
}

/** Adds the uid of `reference` to the inputs `known`, unless it is unknown yet. */
async function resolve(
  kind: Kind,
  reference: DeclaredReference,
  { olds, known }: { readonly olds: Inputs; readonly known: Inputs },
  run: Referring,
): Promise<void> {
  if ([reference.name, reference.place ?? kind.parentInput].some((name) => isUnknown(known[name]))) return;
  known[reference.uid] = await newMeaning(kind, reference, { olds, known }, run);
  const wrong = reference.uid === kind.parentInput ? run.ownOrganization.rejectionOf(kind, known) : undefined;
  if (wrong !== undefined) throw problem("INVALID_INPUT", reference.name, known[reference.name], wrong);
}
