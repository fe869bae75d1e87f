import { isNotFound, PlatformError, withContext } from "../../client/errors";
import { hasPlatformForm } from "../../client/uid";
import { declaredInputs, describeExisting, type Inputs, inputsOf, type Kind, stateOf } from "../../schema/kind";
import { keptReferences } from "../../schema/references";
import { announceDrift } from "./changed-meanwhile";
import { announceNewMeanings } from "../naming/new-meaning";
import { noteKept } from "../guards/kept";
import { noteProtection } from "../guards/protection";
import type { Run } from "../run/run";
import { onceOldEnough } from "../../sight/old-enough";

/** An object that exists, as the engine learns it. */
export interface Found {
  id: string;
  props: Inputs;
  inputs: Inputs;
}

/**
 * Reads the object for `X.get`.
 *
 * @throws PlatformError `NOT_FOUND`: the engine would take an empty answer for an object
 */
export async function get(kind: Kind, uid: string, run: Run): Promise<Found> {
  try {
    return await observe(kind, uid, {}, run);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const hint = hasPlatformForm(uid) ? "" : `. If that is a name, pass the uid instead: get${kind.name} finds it`;
    throw new PlatformError("NOT_FOUND", `${kind.collection.noun} ${uid} not found${hint}`, { cause: error });
  }
}

/**
 * Reads the object for a refresh. A missing one that has served its purpose stays in state unchanged.
 *
 * @param state its state, which a List may confirm
 * @returns undefined if it is provably gone
 * @throws PlatformError `NOT_GONE` if it is merely not visible
 */
export async function refresh(kind: Kind, uid: string, state: Inputs, run: Run): Promise<Found | undefined> {
  const [observed] = await Promise.all([observeOrConfirm(kind, uid, state, run), announceNewMeanings(kind, state, run)]);
  return observed;
}

async function observeOrConfirm(kind: Kind, uid: string, state: Inputs, run: Run): Promise<Found | undefined> {
  noteProtection(kind, uid, state, run);
  noteKept({ kind, uid, state }, run);
  const confirmed = await run.sharing.reads.confirm(kind, uid, state);
  if (confirmed !== undefined) return unchanged(kind, uid, confirmed);
  try {
    return await onceOldEnough(state, run.client, () => observe(kind, uid, state, run));
  } catch (error) {
    if (!isNotFound(error))
      throw PlatformError.isInstance(error) ? await run.proof.explained({ kind, uid, state }, error) : error;
    if (isSettled(kind, uid, state, run)) return unchanged(kind, uid, state);
    await run.proof.confirmGone({ kind, uid, state });
    return undefined;
  }
}

/** The object exactly as the state has it. */
function unchanged(kind: Kind, uid: string, state: Inputs): Found {
  return { id: uid, props: state, inputs: { ...declaredInputs(kind, state), ...keptReferences(kind.fields, state, state) } };
}

/** Whether a missing object has served its purpose. Tells the user if that is not certain. */
export function isSettled(kind: Kind, uid: string, state: Inputs, run: Pick<Run, "client" | "notify">): boolean {
  const how = kind.settled(state, run.client.now());
  if (how === "spent") {
    run.notify(
      `${describeExisting(kind, uid, state)} no longer exists: it was used, or deleted by hand. It stays in the state and is not created again. ` +
        "If another one is needed, `pulumi up --replace <urn>` creates it.",
    );
  }
  return how !== undefined;
}

/** @param known its state, for values that the platform does not return */
async function observe(kind: Kind, uid: string, known: Inputs, run: Run): Promise<Found> {
  try {
    const observed = kind.observe(await run.client.get(kind.collection, uid));
    if (Object.keys(known).length > 0) announceDrift(kind, observed, known, run);
    const inputs = { ...inputsOf(kind, observed, known), ...keptReferences(kind.fields, observed.inputs, known) };
    return { id: uid, props: stateOf(kind, observed, known), inputs };
  } catch (error) {
    if (isNotFound(error)) throw error;
    throw withContext(`read ${describeExisting(kind, uid, known)}`, error);
  }
}
