import type { Access } from "../auth/authorization";
import type { ObjectKind } from "../objects/object-kind";
import type { Services } from "./services";
import type { Json, JsonObject } from "../wire/json";
import type { Query } from "../wire/query";

/** A call of an action, read but not checked. */
export interface ActionCall {
  readonly services: Services;
  readonly access: Access;
  /** The object of the action; empty for an action on the collection. */
  readonly uid: string;
  readonly query: Query;
  readonly body: Json;
  /** The uid that a copy was told for an identity that is looked up; undefined if it knows itself. */
  readonly learned: string | undefined;
}

/** An operation besides list, get, create, update and delete. */
export interface Action {
  readonly method: "GET" | "POST" | "PATCH";
  readonly kind: ObjectKind;
  /** The part of the path after the collection or the uid of an object. */
  readonly suffix: string;
  readonly on: "collection" | "object";
  run(call: ActionCall): JsonObject;
}
