import type { Access } from "../auth/authorization";
import type { FieldViolation, PreconditionViolation } from "../wire/errors";
import type { JsonObject } from "../wire/json";
import type { Message } from "../wire/message";
import type { SettingValues } from "../settings/settings";
import type { Condition, Row, Store } from "../storage/store";

/** The condition of a List filter with these values; undefined if they restrict nothing. */
export type Filter = (values: readonly string[]) => Condition | undefined;

/** An object about to be written, for a kind's own rules. */
export interface Draft {
  readonly fields: JsonObject;
  /** The fields before an update; undefined on create. */
  readonly previous?: JsonObject;
  /** The emulator's time, RFC 3339. */
  readonly now: string;
  /** When the object was created, which is now for a new one. */
  readonly createTime: string;
  /** Uid of the parent, "" at the root. */
  readonly parent: string;
  readonly store: Store;
  /** The rights of the caller. */
  readonly access: Access;
  /** The behaviour of the platform where it is undocumented. */
  readonly settings: SettingValues;
}

/** A kind of object, with all differences between its operations and those of other kinds. */
export interface ObjectKind {
  readonly area: "iam" | "registry" | "vulnerabilities" | "events";
  /** Path segment, and key of the rows in a List. */
  readonly collection: string;
  /** Singular, for messages. */
  readonly noun: string;
  /** Collection of the parents. */
  readonly parent: "groups" | "repos" | "identityProviders";
  /** A parent is given by its uid only, not by its name. */
  readonly exactParent?: true;
  /** The object is the only one of its kind in its parent, and has the parent's uid. */
  readonly sharesUid?: true;
  readonly message: Message;
  /** The capabilities that each operation requires. An operation without any is not served (docs/platform-api.md#capabilities). */
  readonly capabilities: {
    readonly list: string;
    readonly create?: readonly string[];
    readonly update?: readonly string[];
    readonly delete?: readonly string[];
  };
  /** Fields of `order_by` (docs/platform-api.md#list-order). */
  readonly orders: readonly OrderField[];
  /** The `order_by` of a List that names none. Defaults to `uid`. */
  readonly defaultOrder?: string;
  /** Filters besides the scope filters, by snake_case parameter (docs/platform-api.md#list-filters). */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Filters that cause another filter to be ignored, each with the ignored one. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Conditions that apply unless the filter of that name is true. */
  readonly hidden?: Readonly<Record<string, Condition>>;
  /** Fields that are unique together under one parent. */
  readonly naturalKey?: readonly KeyField[];
  /** A create with a natural key in use updates the existing object. */
  readonly createUpdates?: true;
  /** Deleting an absent object succeeds. */
  readonly deleteIsIdempotent?: true;
  /** Violations of the object as it would be stored, besides missing required members. Throws for other errors. */
  check?(draft: Draft): FieldViolation[];
  /** The role that the object gives to somebody, and its group. Callers must hold all capabilities of the role there. */
  grant?(draft: Draft): { role: string; group: string } | undefined;
  /** Fields that the platform sets on a new object. */
  initial?(now: string): JsonObject;
  /** A checked draft's fields, with the changes and additions of the platform before it stores them. */
  complete?(draft: Draft): JsonObject;
  /** Fields computed at each read. */
  present?(row: Row, view: View): JsonObject;
  /** The reasons why an object cannot be deleted now. */
  blockers?(row: Row, store: Store, access: Access): PreconditionViolation[];
}

/** A field of `order_by`. A kind with the uid of its group calls the uid `group`. */
export type OrderField = "uid" | "group" | "name" | "created_at" | "updated_at";

/** A field that can be part of a natural key. */
export type KeyField = "name" | "identityUid" | "roleUid" | "externalGroupId" | "scope";

/** The inputs of an answer besides the object itself. */
export interface View {
  /** Reads an object, cached for one answer. */
  readonly read: (kind: string, uid: string) => Row | undefined;
  /** The emulator's time, RFC 3339. */
  readonly now: string;
  /** Address of the API. */
  readonly baseUrl: string;
  /** Whether the object is a row of a List. */
  readonly isRow: boolean;
}
