import type { WireObject } from "../../client/collection";
import { hasCode, PlatformError } from "../../client/errors";
import { places } from "../../kinds/group";
import { isNotFound } from "../visibility";
import { declaredInputs, type Inputs, keyOf, type Kind, observedInputs } from "../../kinds/kind";
import type { Run } from "../run";

/**
 * Makes sure that `parentUid` is the uid of a visible group. The platform takes names and tails of uids for
 * parents too (API-FACTS §1.1); an object made under one of those would differ from its declaration for ever.
 *
 * @throws PlatformError that names the right uid, or says that the parent is not there
 */
export async function verifyParent(run: Run, parentUid: string): Promise<void> {
  if (run.created.has(places, parentUid)) return;
  await run.once(`parent: ${parentUid}`, async () => {
    try {
      await run.client.get(places, parentUid);
    } catch (error) {
      // These credentials may create here without being allowed to read here.
      if (hasCode(error, "PERMISSION_DENIED")) return;
      if (!isNotFound(error)) throw error;
      throw new PlatformError(
        "NOT_FOUND",
        `the parent group ${parentUid} does not exist, or it cannot be seen from here: a name instead of a uid? Wrong address, token or organisation? Nothing was created.`,
        { cause: error },
      );
    }
  });
}

/** The uids that hold the natural key of `inputs` by one List of the parent's children that all creates share. */
export async function knownHolders(run: Run, kind: Kind, inputs: Inputs): Promise<string[]> {
  const parentUid = String(inputs["parentUid"]);
  if (run.created.has(places, parentUid)) return [];
  const byKey = await run.once(`children: ${kind.collection.segment} of ${parentUid}`, async () => {
    try {
      return indexByKey(kind, await run.list(kind, { childrenOf: parentUid }));
    } catch (error) {
      if (hasCode(error, "PERMISSION_DENIED")) return new Map<string, string[]>();
      throw error;
    }
  });
  return byKey.get(keyOf(kind, inputs) ?? "") ?? [];
}

/** The objects that hold the natural key of `inputs` right now. */
export async function currentHolders<Wire extends WireObject>(run: Run, kind: Kind<Wire>, inputs: Inputs): Promise<Wire[]> {
  const rows = await run.list(kind, { childrenOf: inputs["parentUid"], ...kind.lookup(inputs) });
  return rows.filter((row) => holdsKey(kind, row, inputs));
}

/** The object `uid` if it still holds the natural key of `inputs`: a shared List may be minutes old. */
export async function stillHolder<Wire extends WireObject>(
  run: Run,
  kind: Kind<Wire>,
  uid: string,
  inputs: Inputs,
): Promise<Wire | undefined> {
  try {
    const row = await run.client.get(kind.collection, uid);
    return holdsKey(kind, row, inputs) ? row : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function holdsKey<Wire extends WireObject>(kind: Kind<Wire>, row: Wire, inputs: Inputs): boolean {
  return keyOf(kind, observedInputs(kind, row)) === keyOf(kind, declaredInputs(kind, inputs));
}

function indexByKey<Wire extends WireObject>(kind: Kind<Wire>, rows: Wire[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const row of rows) {
    const key = keyOf(kind, observedInputs(kind, row));
    if (key !== undefined) index.set(key, [...(index.get(key) ?? []), row.uid]);
  }
  return index;
}
