import { z } from "zod";
import { isUid } from "./uid";

/** The members of every object of the platform. */
export interface WireObject {
  uid: string;
}

/** One query parameter of a List, besides those of every List. */
export interface Filter<Wire, Value> {
  /** Spelling in the query. */
  parameter: string;
  /**
   * The same filter in the client, because the platform ignores parameters that it does not know (docs/platform-api.md#list-filters).
   * Absent where a row does not show whether it matches.
   */
  matches?(row: Wire, value: Value): boolean;
}

/** The filters of a collection, by their names in programs. */
export type Filters<Wire, Values> = { readonly [Name in keyof Values]-?: Filter<Wire, NonNullable<Values[Name]>> };

/** One resource kind's place in the API. */
export interface Collection<Wire extends WireObject, Values extends object = object> {
  /** Singular noun, for people: `role binding`. */
  readonly noun: string;
  /** The API area, first segment of the path: `iam`. */
  readonly area: "iam" | "registry" | "vulnerabilities" | "events";
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: string;
  readonly schema: z.ZodType<Wire>;
  readonly filters: Filters<Wire, Values>;
  /** Parameters that every List sends. Default: none. */
  readonly listParameters?: Readonly<Record<string, string | number | boolean>>;
  /** The common part of the names of its capabilities: `IAM_GROUPS` for `CAP_IAM_GROUPS_LIST`. Absent if they are not documented. */
  readonly capabilities?: string;
  /** The number of segments in an object's uid after the uid of its group. Default: 1. */
  readonly depth?: number;
  /**
   * Present if one call can create several objects, all or none. Contains their maximum number and the member of each
   * (docs/platform-api.md#batches).
   */
  readonly batch?: { readonly limit: number; readonly member: string };
}

/** A value that a server may leave out, or send as null, when it is `unset` (docs/platform-api.md#defaults). */
function orUnset<Value>(schema: z.ZodType<Value>, unset: Value) {
  return schema.nullish().transform((value) => value ?? unset);
}

/** Text; empty while unset. */
export const text = orUnset(z.string(), "");

/** The uid of the object itself. It becomes an id in state and part of a path, so anything else is rejected. */
export const objectUid = z.string().refine(isUid, "is not a uid");

/** The uid of another object; empty where the platform omits it. */
export const referenceUid = text.refine((uid) => uid === "" || isUid(uid), "is not a uid");

/** A flag; false while unset. */
export const flag = orUnset(z.boolean(), false);

/** RFC 3339 time; null while unset. */
export const timestamp = orUnset<string | null>(z.string(), null);

/** A list of `item`; empty while unset. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

/** An enum value: a name, or the number of a value that the server has no name for. Unknown names pass. */
export const enumeration = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? "" : String(value)));
