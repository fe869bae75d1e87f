import type { ObjectKind } from "../objects/object-kind";
import type { Action } from "./action";
import { batchCreate } from "./batch-create";
import { batchDelete } from "./batch-delete";
import { checkAccountAssociation } from "./check-account-association";
import { lookupIdentity } from "./lookup-identity";
import { readReadme, updateReadme } from "./readme";
import { generateScimToken, regenerateScimToken, revokeScimToken, setScimEnabled } from "./scim-tokens";

const actions: readonly Action[] = [
  batchCreate,
  batchDelete,
  lookupIdentity,
  readReadme,
  updateReadme,
  checkAccountAssociation,
  generateScimToken,
  regenerateScimToken,
  revokeScimToken,
  setScimEnabled,
];

/** The actions of a collection with this suffix, one for each method. */
export function collectionActions(kind: ObjectKind, suffix: string): Action[] {
  return actions.filter((action) => action.kind === kind && action.on === "collection" && action.suffix === suffix);
}

/** The action on an object for a method and the end of a path; undefined if there is none. */
export function objectAction(kind: ObjectKind, method: string, path: string): Action | undefined {
  return actions.find(
    (action) => action.kind === kind && action.on === "object" && action.method === method && path.endsWith(action.suffix),
  );
}
