import { hasCode } from "../../client/errors";
import { literal } from "../../client/printable";
import type { Inputs, Kind } from "../../schema/kind";
import { type DeclaredReference, referencesOf, resolvedUid } from "../../schema/references";
import type { Referring } from "./needs";
import { uidOf } from "./resolve";

/**
 * Announces, once per run, each reference in `state` that no longer means the object that it was resolved to. Nothing changes by
 * that: the uid in state is what the resource has. A name that cannot be looked up is not announced.
 */
export async function announceNewMeanings(kind: Kind, state: Inputs, run: Referring): Promise<void> {
  const given = referencesOf(kind.fields).filter(({ name, uid }) => state[name] !== undefined && state[uid] !== undefined);
  await Promise.all(given.map((reference) => announce(kind, reference, state, run)));
}

async function announce(kind: Kind, reference: DeclaredReference, state: Inputs, run: Referring): Promise<void> {
  const { name, uid } = reference;
  const known = String(resolvedUid(state, uid));
  const meaning = await meaningOf(kind, reference, state, run);
  if (meaning === undefined || meaning === known) return;
  const now = meaning === "" ? "which no longer has that name" : `and now means ${meaning}`;
  run.notifyOnce(
    `warning: ${name} ${literal(state[name])} of this program was resolved to ${known}, ${now}. Nothing changes: resources in state keep ` +
      `${known}. Write its current name, or pass its uid as ${uid}.`,
  );
}

/** The uid that the reference means now; empty if it means nothing; undefined if that cannot be read or is not certain. */
async function meaningOf(kind: Kind, reference: DeclaredReference, state: Inputs, run: Referring): Promise<string | undefined> {
  try {
    return await uidOf(kind, reference, state, run);
  } catch (error) {
    return hasCode(error, "NOT_FOUND") && error.status === undefined ? "" : undefined;
  }
}
