import type { Access } from "../auth/authorization";
import type { FieldViolation, PreconditionViolation } from "../wire/errors";
import { stringOf, type JsonObject } from "../wire/json";
import type { Field, Message } from "../wire/message";
import type { Condition, Row, Store } from "../storage/store";

/** A filter of a list: how its query parameter is read, and the condition that its values mean. */
export interface Filter {
  /** A list of names makes it an enum. */
  readonly type: "string" | "bool" | "timestamp" | readonly string[];
  /** Whether the parameter may be repeated. */
  readonly isRepeated?: true;
  /** Another filter that is passed over when this one is given. */
  readonly overrides?: string;
  /** Undefined where the values restrict nothing. */
  readonly condition: (values: readonly string[]) => Condition | undefined;
}

/** What a kind's own rules may look at when an object is about to be written. */
interface Draft {
  readonly fields: JsonObject;
  /** The uid of the object it lies in, "" at the root. */
  readonly parent: string;
  readonly store: Store;
  /** What the caller may do. */
  readonly access: Access;
}

/** A kind of object, declared once: everything that its list, get, create, update and delete do not share with the others. */
export interface Kind {
  readonly area: "iam" | "registry" | "vulnerabilities";
  /** The path segment, which is also the key of a list's answer. */
  readonly collection: string;
  /** What error messages call one of them. */
  readonly noun: string;
  /** The kind that objects of this kind are created in. */
  readonly parent: "groups" | "repos";
  readonly message: Message;
  /** The capability that each operation takes; one that is missing is not offered (API-FACTS §1). */
  readonly capabilities: { readonly list: string; readonly create?: string; readonly update?: string; readonly delete?: string };
  /** What `order_by` may name. */
  readonly orders: readonly ("uid" | "name" | "created_at" | "updated_at")[];
  /** Filters besides the scope filters, by the snake_case name of their parameter (API-FACTS §3.1). */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Conditions that hold unless the named filter is true. */
  readonly hidden?: Readonly<Record<string, Condition>>;
  /** The fields whose values no two objects under one parent share. */
  readonly naturalKey?: readonly ("name" | "identityUid" | "roleUid")[];
  /** Creating what exists under its natural key updates it. */
  readonly createUpdates?: true;
  /** Deleting what does not exist succeeds. */
  readonly deleteIsIdempotent?: true;
  /** What is wrong with an object as it would be stored; may throw for other refusals. */
  check(draft: Draft): FieldViolation[];
  /** Fields that the service gives a new object. */
  initial?(now: string): JsonObject;
  /** Fields that are computed whenever an object is shown. */
  present?(row: Row, read: Reader): JsonObject;
  /** Why an object cannot be deleted now. */
  blockers?(row: Row, store: Store, access: Access): PreconditionViolation[];
}

/** Reads an object, remembering it for as long as one answer is put together. */
export type Reader = (kind: string, uid: string) => Row | undefined;

/** A string. */
export const text: Field = { type: "string" };
/** A boolean. */
export const flag: Field = { type: "bool" };
/** A list of strings. */
export const texts: Field = { type: "list", of: text };
/** A map of strings to strings. */
export const textMap: Field = { type: "map", of: text };

/** Declares a field as set by the service only. */
export function output(field: Field): Field {
  return { ...field, outputOnly: true };
}

/** A uid, which the service gives. */
export const uid = output(text);
/** A time that the service sets. */
export const time = output({ type: "timestamp" });

/** A filter on equality with an expression over the stored columns. */
export function equals(expression: string): Filter {
  return { type: "string", condition: ([value = ""]) => ({ sql: `${expression} = ?`, values: [value] }) };
}

/** A filter that one of the repeated values equals an expression. */
export function isOneOf(expression: string): Filter {
  return {
    type: "string",
    isRepeated: true,
    condition: (values) => ({ sql: `${expression} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }),
  };
}

/** Violations of the rule on descriptions: one line of at most 512 characters (API-FACTS §10.1). */
export function checkDescription(fields: JsonObject): FieldViolation[] {
  return /^[\S ]{0,512}$/u.test(stringOf(fields["description"]))
    ? []
    : [{ field: "description", description: "must be a single line of at most 512 characters" }];
}

/** Violations of the rule on names of all kinds but groups: one or more characters, none of them a control character. */
export function checkName(fields: JsonObject): FieldViolation[] {
  return /^\P{Cc}+$/u.test(stringOf(fields["name"]))
    ? []
    : [{ field: "name", description: "is required and must not hold control characters" }];
}
