import { withAdvice, withContext } from "../../client/errors";
import { literal } from "../../client/printable";
import { parentOf } from "../../client/uid";
import { asDeclared, describe, describeExisting, type Inputs, naturalKeyOf, type Kind } from "../../schema/kind";
import { type DeclaredReference, type IdentityRef, givenIn, isGiven, isUnknown, withKnownUids } from "../../schema/references";
import type { Declaring, Operation } from "../../schema/operation";
import type { Referring, Searching } from "./needs";
import { parentAt } from "./group-path";
import { identityNamed } from "./identity-ref";
import { recordParentByPath, rejectParentByPath } from "./parent-by-path";
import { problem } from "./problem";
import { roleNamed } from "./role-name";

/**
 * `news` with the uid of each reference. Those that are as in the state `olds` keep their uid without a question: a name that means
 * another object by now must not change who has access.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`, `INVALID_INPUT`, with what to do
 */
export async function resolveReferences({ kind, uid: own, olds, news }: Declaring, run: Referring): Promise<Inputs> {
  const given = givenIn(kind.fields, news);
  if (given.length === 0) return news;
  const known: Inputs = withKnownUids(kind.fields, olds, news);
  const references = given.filter(({ uid }) => !isGiven(known[uid]));
  try {
    for (const reference of parentFirst(kind, references)) {
      if ([reference.name, reference.place ?? kind.parentInput].some((name) => isUnknown(known[name]))) continue;
      const uid = await uidOf(kind, reference, known, run);
      known[reference.uid] = uid;
      const wrong = reference.uid === kind.parentInput ? run.ownOrganization.rejectionOf(kind, known) : undefined;
      if (wrong !== undefined) throw problem("INVALID_INPUT", reference.name, known[reference.name], wrong);
      if (reference.to === "identity" && parentOf(uid) === undefined)
        announcePerson(reference, known, { before: olds[reference.uid], uid }, run);
    }
  } catch (error) {
    const inputs = asDeclared(kind, known);
    const what = own === undefined ? `create ${describe(kind, inputs)}` : `update ${describeExisting(kind, own, inputs)}`;
    throw withAdvice(withContext(what, error), "Nothing was changed.");
  }
  return recorded(kind, known, run);
}

/**
 * `news` with the uids of references, for a diff. A preview sends no requests, so there a changed reference has no uid.
 *
 * @throws PlatformError see {@link resolveReferences}
 */
export async function knownReferences(operation: Operation, run: Referring): Promise<Inputs> {
  const { kind, uid, olds, news } = operation;
  rejectParentByPath(kind, uid, run);
  if (run.isUpdate) return resolveReferences(operation, run);
  return recorded(kind, withKnownUids(kind.fields, olds, news), run);
}

/** `known`, recorded as what this resource declares by its references. */
function recorded(kind: Kind, known: Inputs, run: Referring): Inputs {
  recordParentByPath(kind, known, run);
  run.ledger.declarations.resolved(naturalKeyOf(kind, asDeclared(kind, known)), naturalKeyOf(kind, known));
  return known;
}

/** `references` in the order in which they are resolved: the parent first, because other names are looked up from there. */
export function parentFirst(kind: Kind, references: readonly DeclaredReference[]): readonly DeclaredReference[] {
  const isParent = ({ uid }: DeclaredReference) => uid === kind.parentInput;
  return [...references.filter(isParent), ...references.filter((each) => !isParent(each))];
}

/**
 * The uid that one reference of `inputs` means now. Their parent is resolved; a preview may not know it yet.
 *
 * @throws PlatformError
 */
export async function uidOf(kind: Kind, reference: DeclaredReference, inputs: Inputs, run: Searching): Promise<string> {
  const { name, to, uid } = reference;
  const [text, group] = [inputs[name], inputs[reference.place ?? kind.parentInput]];
  const place = typeof group === "string" ? group : "";
  switch (to) {
    case "group":
      return parentAt(name, String(text), run);
    case "role":
      return roleNamed({ name, uid }, String(text), isUnknown(group) ? undefined : place, run);
    case "identity":
      return identityNamed(name, text as IdentityRef, place, run);
  }
}

/**
 * Tells the user that a login means a person: the platform has a uid for every login, also for a misspelt one.
 *
 * @throws PlatformError `INVALID_INPUT` if the object references an identity of the organisation, whose login may only have changed
 */
function announcePerson(
  { name, uid: argument }: DeclaredReference,
  known: Inputs,
  { before, uid }: { before: unknown; uid: string },
  run: Referring,
): void {
  const found = "no identity of the organisation has this issuer and subject, so it means the person with that login";
  if (typeof before === "string" && parentOf(before) !== undefined) {
    const why = `${found} (${uid}), and no longer the identity ${before}. Pass the uid of the one you mean as ${argument}.`;
    throw problem("INVALID_INPUT", name, known[name], why);
  }
  run.notify(`${name} ${literal(known[name])}: ${found} (${uid}).`);
}
