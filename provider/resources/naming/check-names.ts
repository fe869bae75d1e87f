import { isUid, parentOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { identity } from "../../kinds/identity";
import { role } from "../../kinds/role";
import type { Problem } from "../../schema/declaration";
import { unknownValue } from "../../schema/inputs";
import { asDeclared, describe, type Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { type DeclaredReference, givenIn, isGiven, isSame, isUnknown, resolvedUid } from "../../schema/references";
import type { Names } from "../sharing/names";
import type { FirstNames } from "./first-names";
import { isGrantableIn } from "./matchers";
import { newMeaning, parentFirst } from "./meaning";
import { missingParent } from "./missing-parent";
import type { Referring } from "./needs";
import { Unresolved } from "./problem";
import { recordKey } from "./resolve";
import { roleWritten } from "./role-name";
import { verdictOn } from "./verdict";

/** What check makes of names. */
export interface CheckedNames {
  /** The inputs with the uid beside each name, as far as it is known. */
  readonly inputs: Inputs;
  readonly failures: Problem[];
}

/** What check needs of a run. */
export interface Checking extends Referring {
  readonly firstNames: FirstNames;
}

/**
 * Puts beside each name in the checked inputs `news` the uid of its object, so that state, previews and diffs have it. A name that `olds`
 * have keeps its uid without a request, since one that means another object by now must not change who has access. What cannot be known
 * here has no uid: the create or update resolves it.
 *
 * @param roles names or uids of roles in `news` that are no references, and that `olds` do not have
 */
// See docs/decisions/0057-names-are-resolved-in-check.md.
export async function checkNames(declaring: Declaring, roles: readonly string[], run: Checking): Promise<CheckedNames> {
  const { kind, news } = declaring;
  const inputs = { ...news };
  const failures: Problem[] = [];
  const given = givenIn(kind.fields, news).filter(({ uid }) => !isGiven(news[uid]));
  const report = async (found: Unresolved, to: DeclaredReference["to"], property: string) => {
    // An update says it itself.
    const verdict = run.isUpdate ? "ignore" : await verdictOn(found, to, placeIn(declaring, inputs), run);
    if (verdict === "reject") failures.push({ property, reason: found.reason, code: found.code });
    if (verdict === "warn") warn(declaring, property, found, run);
  };
  await warnOfMissingParent(declaring, run);
  // A name is looked up from a place that may not be known yet.
  const pending = new Set(given.map(({ uid }) => uid));
  for (const reference of parentFirst(kind, given)) {
    const unknown = Object.fromEntries([...pending].map((uid) => [uid, unknownValue]));
    const found = await firstUid(reference, declaring, { ...inputs, ...unknown }, run);
    if (found instanceof Unresolved) await report(found, reference.to, reference.name);
    if (typeof found !== "string") continue;
    inputs[reference.uid] = found;
    pending.delete(reference.uid);
  }
  if (!run.isUpdate)
    for (const text of roles) {
      const found = await run.firstNames.answer((names) => roleWritten(text, placeIn(declaring, inputs), { names }));
      if (found instanceof Unresolved) await report(found, "role", "");
    }
  recordKey(kind, inputs, run);
  return { inputs, failures };
}

/** The group from which names in `inputs` are looked up; undefined if it is not known yet. */
function placeIn({ kind }: Declaring, inputs: Inputs): string | undefined {
  const place = inputs[kind.parentInput];
  return typeof place === "string" && !isUnknown(place) ? place : undefined;
}

function warn({ kind, news }: Declaring, property: string, { code, reason }: Unresolved, run: Checking): void {
  // The reason begins with the reference.
  const { [property]: _, ...others } = news;
  const what = describe(kind, asDeclared(kind, others));
  const [why = "", ...advice] = reason.split("\n");
  const then = `As long as that is so, \`pulumi up\` rejects it with ${code}.`;
  run.notifyOnce([`warning: ${what}: ${why} ${then}`, ...advice].join("\n"));
}

/** Warns in a preview of a parent uid that the state does not have, and that these credentials do not see. */
async function warnOfMissingParent(declaring: Declaring, run: Checking): Promise<void> {
  const { kind, olds, news } = declaring;
  const uid = placeIn(declaring, news);
  if (run.isUpdate || uid === undefined || !isUid(uid) || uid === olds[kind.parentInput]) return;
  if (run.ledger.has({ collection: kind.parents }, uid)) return;
  const found = await run.firstNames.answer((names) => missingParent(kind, uid, names));
  if (found instanceof Unresolved) warn(declaring, kind.parentInput, found, run);
}

/** The uid that the reference has in the state, had first in this run, or means now. */
async function firstUid(
  reference: DeclaredReference,
  { kind, olds, news, logicalName }: Declaring,
  known: Inputs,
  run: Checking,
): Promise<string | Unresolved | undefined> {
  const { name, to, uid } = reference;
  const text = news[name];
  if (isUnknown(text)) return undefined;
  const place = known[reference.place ?? kind.parentInput];
  const isHere = (each: unknown): each is string =>
    typeof each === "string" &&
    (to !== "role" || typeof place !== "string" || isUnknown(place) || isGrantableIn({ uid: each }, place));
  const owner = JSON.stringify([kind.collection.segment, logicalName, name]);
  const isOld = isSame(olds[name], text);
  const kept = isOld ? resolvedUid(olds, uid) : logicalName && run.firstNames.known(owner, text);
  // States of earlier releases have the uid in the outputs only, which no check sees.
  const isLeft = isGiven(olds[name]) && !isGiven(olds[uid]) && (isOld || typeof text !== "string");
  if (isLeft) return undefined;
  const found = isHere(kept) ? kept : await askedUid(reference, { kind, olds, news }, known, run);
  if (typeof found === "string") run.firstNames.keep(owner, text, found);
  return found;
}

const kindsNamed = { group, role, identity };

/** The uid that the reference means now; undefined if that may be another one once its turn comes. */
async function askedUid(
  reference: DeclaredReference,
  { kind, olds }: Declaring,
  known: Inputs,
  run: Checking,
): Promise<string | Unresolved | undefined> {
  const text = known[reference.name];
  const isPlaceUnknown = reference.uid !== kind.parentInput && isUnknown(known[reference.place ?? kind.parentInput]);
  if (isPlaceUnknown && typeof text !== "string") return undefined;
  const lookUp = (names: Names) => newMeaning(kind, reference, { olds, known }, { ...run, names });
  const found = await (run.isUpdate ? unresolvedOr(lookUp(run.names)) : run.firstNames.answer(lookUp));
  if (typeof found !== "string" || parentOf(found) === undefined) return found;
  const isMoving = typeof text === "string" && run.ledger.names.mayHave(kindsNamed[reference.to], text.split("/").at(-1) ?? "");
  return isMoving || (isPlaceUnknown && reference.to === "role") ? undefined : found;
}

/** What was found, or the error that nothing was. @throws PlatformError any other one */
async function unresolvedOr<Found>(found: Promise<Found>): Promise<Found | Unresolved> {
  return found.catch((error: unknown) => {
    if (error instanceof Unresolved) return error;
    throw error;
  });
}
