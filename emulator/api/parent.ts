import type { Access } from "../auth/authorization";
import { invalidArgument, notFound } from "../wire/errors";
import type { ObjectKind } from "../objects/object-kind";
import { within, type Row, type Store } from "../storage/store";

/**
 * Finds the parent of a create by its uid. A group that the caller sees is also found by the end of its uid or by its name
 * (docs/platform-api.md#parents). Returns undefined for the root, where only groups are created.
 * @throws {ApiError} code 3 if it is missing or ambiguous, 5 if it does not exist.
 */
export function findParent(kind: ObjectKind, given: string, store: Store, access: Access): Row | undefined {
  if (given === "") {
    if (kind.collection === "groups") return undefined;
    throw invalidArgument({ field: "parent", description: `is required: the uid that the ${kind.noun} is created in` });
  }
  const exact = store.get(kind.parent, given);
  if (exact !== undefined) return exact;
  if (kind.parent === "groups" && kind.exactParent !== true) {
    const visible = within(access.rootsOf("CAP_IAM_GROUPS_LIST"));
    const named = store.select("groups", [{ sql: "name = ?", values: [given] }, visible], { limit: 2 });
    const ending = { sql: "substr(uid, ?) = ?", values: [-given.length - 1, `/${given}`] };
    const found = named.length > 0 ? named : store.select("groups", [ending, visible], { limit: 2 });
    if (found.length > 1) throw invalidArgument({ field: "parent", description: `several visible groups match "${given}"` });
    if (found[0] !== undefined) return found[0];
  }
  throw notFound(parentNoun(kind), given);
}

/** The noun for the parent of a kind in messages. */
export function parentNoun(kind: ObjectKind): string {
  return { groups: "group", repos: "repo", identityProviders: "identity provider" }[kind.parent];
}
