import { platformErrorAs } from "../../client/errors";
import { literal } from "../../client/printable";
import type { Inputs, Kind } from "../../schema/kind";
import { type DeclaredReference, referencesOf, resolvedUid } from "../../schema/references";
import type { Referring } from "./needs";
import { uidOf } from "./meaning";

/**
 * Announces, once per run, each reference in `state` that no longer means its first object. Nothing changes by
 * it: the uid in state is what the resource has. A name that cannot be looked up is not announced.
 */
export async function announceNewMeanings(kind: Kind, state: Inputs, run: Referring): Promise<void> {
  const given = referencesOf(kind.fields).filter(({ name, uid }) => state[name] !== undefined && state[uid] !== undefined);
  await Promise.all(given.map((reference) => announce(kind, reference, state, run)));
}

async function announce(kind: Kind, reference: DeclaredReference, state: Inputs, run: Referring): Promise<void> {
  const { name, uid } = reference;
  const known = String(resolvedUid(state, uid));
  const change = await uidOf(kind, reference, state, run).then(
    (meaning) => (meaning === known ? undefined : `and now means ${meaning}`),
    // Any other error shows nothing for certain.
    platformErrorAs(({ code, status }) =>
      code === "NOT_FOUND" && status === undefined ? "which no longer has that name" : undefined,
    ),
  );
  if (change === undefined) return;
  run.notify(
    `warning: ${name} ${literal(state[name])} of this program was resolved to ${known}, ${change}. Nothing changes: resources in state keep ` +
      `${known}. Write its current name, or pass its uid as ${uid}.`,
  );
}
