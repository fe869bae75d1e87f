import { PlatformError } from "../../client/errors";
import { asDeclared, describe, type Inputs, type Kind } from "../../schema/kind";
import { givenFor, isUnknown } from "../../schema/references";
import type { Referring } from "./needs";

/**
 * Records that the resource of the inputs `known` names its parent by path.
 *
 * @throws PlatformError `INVALID_INPUT` if this program declares the parent: the engine would not know that one needs the other
 */
export function recordParentByPath(kind: Kind, known: Inputs, run: Referring): void {
  const { parents, parentInput } = kind;
  const reference = givenFor(kind.fields, parentInput, known);
  const uid = known[parentInput];
  if (reference === undefined || typeof uid !== "string" || isUnknown(uid)) return;
  const referrer = `${describe(kind, asDeclared(kind, known))}: ${reference.name}`;
  if (run.ledger.created.has(parents, uid) || run.ledger.has({ collection: parents }, uid))
    throw namedByPath(referrer, parents, uid);
  run.ledger.parentsByPath.set(parents, uid, referrer);
}

/** @throws PlatformError `INVALID_INPUT` if another resource names the object, which the program declares, by its path */
export function rejectParentByPath({ collection }: Kind, uid: string, run: Referring): void {
  const referrer = run.ledger.parentsByPath.get(collection, uid);
  if (referrer !== undefined) throw namedByPath(referrer, collection, uid);
}

function namedByPath(referrer: string, { noun }: Pick<Kind["collection"], "noun">, uid: string): PlatformError {
  return new PlatformError(
    "INVALID_INPUT",
    `${referrer}: this program itself declares ${noun} ${uid}, so the engine must know that this resource needs it. ` +
      "Pass the `uid` of that resource instead of its path. Nothing was sent.",
  );
}
