import { z } from "zod";
import { isUid } from "./uid";

/** What every object of the platform has (SPEC §2). */
export interface WireObject {
  uid: string;
}

/** One query parameter of a List, besides those that every List has. */
export interface Filter<Wire, Value> {
  /** Spelling in the query. */
  parameter: string;
  /**
   * The same filter on this side: the platform ignores a parameter that it does not know and then
   * answers everything (API-FACTS §3.1). Absent where only the platform can tell.
   */
  matches?(row: Wire, value: Value): boolean;
}

/** The filters of a collection, by the name that programs use. */
export type Filters<Wire, Values> = { readonly [Name in keyof Values]-?: Filter<Wire, NonNullable<Values[Name]>> };

/** One resource kind's place in the API. */
export interface Collection<Wire extends WireObject, Values extends object = object> {
  /** Singular noun, for people: `role binding`. */
  readonly noun: string;
  /** The API area, first segment of the path: `iam`. */
  readonly area: "iam" | "registry" | "vulnerabilities";
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: string;
  readonly schema: z.ZodType<Wire>;
  readonly filters: Filters<Wire, Values>;
  /** Parameters that every List sends. Default: none. */
  readonly listParameters?: Readonly<Record<string, string | number | boolean>>;
  /** Where several can be created at once, all or none: how many, and the member that holds each (API-FACTS §9). */
  readonly batch?: { readonly limit: number; readonly member: string };
}

/** A filter by exact name, which most Lists have. */
export const byName: Filter<{ name: string }, string> = { parameter: "name", matches: (row, name) => row.name === name };

/** Text that a server may leave out or send as null when it is empty (API-FACTS §2.0). */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** The uid of the object itself: it becomes an id in state and the tail of a path, so anything else is refused. */
export const objectUid = z.string().refine(isUid, "is not a uid");

/** The uid of another object; empty where the platform does not tell. */
export const referenceUid = text.refine((uid) => uid === "" || isUid(uid), "is not a uid");

/** A flag that may be left out when false. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** RFC 3339 time, null while unset. */
export const timestamp = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A list of `item` that may be left out when empty. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

/** An enum value: a name, or the number of one that the server itself does not know. New names pass. */
export const enumeration = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? "" : String(value)));
