import { present, type Shown, viewOf } from "../api/collection";
import * as kinds from "../objects/all-kinds";
import type { ObjectKind } from "../objects/object-kind";
import type { Row, Store } from "../storage/store";
import { parentOf } from "../storage/uid";
import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import { type Field, parseMessage } from "../wire/message";

/** Rows of Lists of the platform as it sent them, by collection. */
export type CopiedRows = ReadonlyMap<string, readonly JsonObject[]>;

/** An object that could not be stored. */
export interface NotLoaded {
  readonly collection: string;
  readonly uid: string;
  readonly reason: string;
}

/** Stands for a client secret, which no platform shows. Without one, an update of its identity provider would be refused. */
const placeholder = "not copied";

/**
 * Stores rows of another platform under their uids. Does not check them by the rules of the API, because the platform may be newer.
 * @param now the time of objects without one, RFC 3339
 * @returns the objects that could not be stored
 */
export function loadRows(store: Store, rows: CopiedRows, now: string): NotLoaded[] {
  const failed: NotLoaded[] = [];
  for (const kind of Object.values<ObjectKind>(kinds))
    for (const row of rows.get(kind.collection) ?? []) {
      try {
        store.insert(rowOf(kind, row, now));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failed.push({ collection: kind.collection, uid: stringOf(row["uid"]), reason });
      }
    }
  for (const binding of rows.get(kinds.roleBindings.collection) ?? []) addHolder(store, binding["identity"], now);
  return failed;
}

/** All objects as Get would show them to a caller who may see everything, by collection. */
export function shownRows(services: Shown): Map<string, JsonObject[]> {
  const view = viewOf(services);
  const whole = { emitDefaults: true, timestampDigits: 3 } as const;
  const shown = (kind: ObjectKind) =>
    services.store.select(kind.collection, [], { order: "ORDER BY uid" }).map((row) => present(kind, row, view, whole));
  return new Map(Object.values<ObjectKind>(kinds).map((kind) => [kind.collection, shown(kind)]));
}

function rowOf(kind: ObjectKind, shown: JsonObject, now: string): Row {
  const rules = { outputFields: "keep", unknownEnums: "keep", times: "keep" } as const;
  const { uid, createTime, updateTime, ...fields } = parseMessage(kind.message, withoutUnset(kind, shown), rules);
  const own = stringOf(uid);
  const made = stringOf(createTime) || stringOf(updateTime) || now;
  const updated = stringOf(updateTime) || made;
  return {
    kind: kind.collection,
    uid: own,
    parent: parentOf(own),
    createTime: made,
    updateTime: updated,
    fields: storable[kind.collection]?.(fields) ?? fields,
  };
}

/** The stored form of fields that answers show in another one. */
const storable: Readonly<Record<string, (fields: JsonObject) => JsonObject>> = {
  roleBindings: (fields) => ({
    ...fields,
    identityUid: stringOf(fields["identityUid"]) || uidIn(fields["identity"]),
    roleUid: stringOf(fields["roleUid"]) || uidIn(fields["role"]),
  }),
  groupInvites: ({ code: _, ...fields }) => ({ ...fields, roleUid: stringOf(fields["roleUid"]) || uidIn(fields["role"]) }),
  identityProviders: ({ oidc, scim, ...fields }) => ({
    ...fields,
    ...(isObject(oidc) && { oidc: { ...oidc, clientSecret: placeholder } }),
    ...(isObject(scim) && { scim: { ...scim, credentialState: storedState(scim["credentialState"]) } }),
  }),
};

/** The clock turns a live token into an expired one, and ends a rotation. */
function storedState(shown: Json | undefined): Json {
  const byClock = ["CREDENTIAL_STATE_EXPIRED", "CREDENTIAL_STATE_ROTATING"].includes(stringOf(shown));
  return byClock ? "CREDENTIAL_STATE_LIVE" : (shown ?? null);
}

function uidIn(reference: Json | undefined): string {
  return isObject(reference) ? stringOf(reference["uid"]) : "";
}

/** Adds the holder of a binding whom no List shows: a person, or an identity that the reader may not list. */
function addHolder(store: Store, holder: Json | undefined, now: string): void {
  const uid = uidIn(holder);
  if (!isObject(holder) || uid === "" || ["identities", "people"].some((kind) => store.get(kind, uid) !== undefined)) return;
  const { name = "", description = "", email = "", issuer = "", subject = "" } = holder;
  const login = issuer === "" && subject === "" ? {} : { claimMatch: { issuer, subject } };
  store.insert({ kind: "people", uid, parent: "", createTime: now, fields: { name, description, email, ...login } });
}

/** A platform may write the unset members of a oneof as their default. */
function withoutUnset({ message }: ObjectKind, shown: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(shown).filter(([name, value]) => !isUnset(message[name], value)));
}

function isUnset(field: Field | undefined, value: Json): boolean {
  if (field?.oneof === undefined) return false;
  return value === null || value === "" || (field.type === "enum" && (value === field.names[0] || value === 0));
}
