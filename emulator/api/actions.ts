import type { Kind } from "../objects/kind";
import type { Action } from "./action";
import { batchCreate } from "./batch-create";
import { lookupIdentity } from "./lookup-identity";
import { readReadme, updateReadme } from "./readme";

const actions: readonly Action[] = [batchCreate, lookupIdentity, readReadme, updateReadme];

/** The actions that a collection has by this suffix, one for each method. */
export function collectionActions(kind: Kind, suffix: string): Action[] {
  return actions.filter((action) => action.kind === kind && action.on === "collection" && action.suffix === suffix);
}

/** The action on an object that a method and the end of a path mean; undefined when it is none. */
export function objectAction(kind: Kind, method: string, path: string): Action | undefined {
  return actions.find(
    (action) => action.kind === kind && action.on === "object" && action.method === method && path.endsWith(action.suffix),
  );
}
