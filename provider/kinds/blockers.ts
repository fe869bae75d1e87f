import type { Collection, WireObject } from "../client/collection";
import { isKind, type Kind } from "../schema/kind";
import { kinds } from "./kinds";

/** Objects of one kind that prevent the deletion of another object. */
export interface Blocker {
  readonly collection: Collection<WireObject>;
  /** Narrows a List of them to the objects that block `uid`. */
  readonly query: (uid: string) => object;
  /** A further sentence for the error about them. */
  readonly hint: string | undefined;
}

/** The objects that prevent the deletion of objects of the kind `blocked`. For a group, these are all objects in it. */
export function blockersOf(blocked: Pick<Kind, "collection">): Blocker[] {
  return Object.values<Kind>(kinds).flatMap(({ collection, blocks, parents, sharesUid, obstacleHint: hint }): Blocker[] => {
    const filter = blocks[blocked.collection.segment];
    if (filter !== undefined) return [{ collection, query: (uid) => ({ [filter]: uid }), hint }];
    if (!isKind(blocked, kinds.group) || parents.segment !== kinds.group.segment) return [];
    return [{ collection, query: (uid) => (sharesUid ? { uids: [uid] } : { childrenOf: uid }), hint }];
  });
}
