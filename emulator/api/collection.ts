import type { Access } from "../auth/authorization";
import { ownerRoleUid } from "../auth/built-in-roles";
import {
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  notFound,
  permissionDenied,
  type FieldViolation,
} from "../wire/errors";
import { applyMask, isNamed, maskOfBody } from "../wire/field-mask";
import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import { requireHeld } from "../objects/granted-role";
import type { Draft, ObjectKind, View } from "../objects/object-kind";
import { after, orderClause, readListQuery, type Order } from "./list-query";
import { missingMembers, parseMessage, renderMessage, type Rendering } from "../wire/message";
import { findParent, parentNoun } from "./parent";
import type { Services } from "./services";
import type { Query } from "../wire/query";
import type { Condition, Row } from "../storage/store";
import { newUid, parentOf } from "../storage/uid";

const columnOf = {
  name: "name",
  identityUid: "identity",
  roleUid: "role",
  externalGroupId: "fields ->> 'externalGroupId'",
  scope: "fields ->> 'scope'",
} as const;

/** List, get, create, update and delete of one kind, for one caller. */
export class Collection {
  constructor(
    private readonly services: Services,
    private readonly kind: ObjectKind,
    private readonly access: Access,
  ) {}

  /**
   * One page of a List (docs/platform-api.md#list-pages).
   * @param place where to look, regardless of scope filters and caller; defaults to the place that these give
   */
  list(query: Query, place?: Condition): JsonObject {
    const { kind, services } = this;
    const { omitDefaults, omitTotalCount } = services.settings.values;
    const visible = this.access.rootsOf(kind.capabilities.list);
    const { identity, order, pageSize, skip, pageToken, ...asked } = readListQuery(kind, query, visible, place);
    const conditions = [...asked.conditions, ...this.#listed()];
    const cursor = pageToken === "" ? undefined : services.pageTokens.read(identity, pageToken);
    const start = cursor === undefined ? [] : [after(order, cursor.value, cursor.uid)];
    const total = services.store.count(kind.collection, conditions);
    const rows = services.store.select(kind.collection, [...conditions, ...start], {
      order: orderClause(order),
      limit: pageSize + 1,
      offset: skip,
    });
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const next = rows.length > pageSize && last !== undefined;
    const view = viewOf(services, true);
    const envelope: JsonObject = {
      [kind.collection]: page.map((row) => this.show(row, view)),
      nextPageToken: next ? services.pageTokens.issue(identity, { value: sortValue(last, order.column), uid: last.uid }) : "",
      ...(omitTotalCount ? {} : { totalCount: String(total) }),
      skipped: skip,
    };
    return omitDefaults ? withoutDefaults(envelope) : envelope;
  }

  /** An object without set fields. */
  empty(): JsonObject {
    return renderMessage(this.kind.message, {}, this.services.settings.rendering);
  }

  /** One object. */
  get(uid: string): JsonObject {
    const row = this.require(uid, [this.kind.capabilities.list]);
    const { settings } = this.services;
    if (settings.isYounger(row.createTime, settings.values.readLagMs)) throw notFound(this.kind.noun, uid);
    return this.show(row);
  }

  /**
   * Creates an object. The parent may be given in other forms than its uid (docs/platform-api.md#parents).
   * @throws {ApiError} code 3, 5, 6 or 7.
   */
  create(parent: string, body: Json): JsonObject {
    return this.show(this.#add(parent, body), viewOf(this.services), { secrets: "created" });
  }

  /** Creates several objects under one parent, all or none (docs/platform-api.md#batches). */
  batchCreate(parent: string, bodies: readonly Json[]): JsonObject {
    const rows = bodies.map((body) => this.#add(parent, body));
    const view = viewOf(this.services);
    return { [this.kind.collection]: rows.map((row) => this.show(row, view)) };
  }

  /** Changes the fields in the mask; without a mask, the fields in the body (docs/platform-api.md#field-masks). */
  update(uid: string, body: Json, query: Query): JsonObject {
    const { kind, services } = this;
    const row = this.require(uid, kind.capabilities.update ?? []);
    const source = parseMessage(kind.message, body, { unknownKeys: "refuse" });
    const explicit = query.one("update_mask")?.split(",");
    const mask = explicit ?? [...query.all("update_mask.paths"), ...maskOfBody(kind.message, isObject(body) ? body : {})];
    const now = services.settings.timestamp();
    const draft = this.#draft({
      fields: applyMask(kind.message, row.fields, source, mask),
      previous: row.fields,
      parent: kind.sharesUid === true ? row.uid : row.parent,
      createTime: row.createTime,
      now,
    });
    // A field that was wrong before and is not named is no reason to refuse (docs/platform-api.md#field-masks).
    const before = this.#violations({ ...draft, fields: row.fields }).filter(({ field }) => !isNamed(mask, field));
    const caused = this.#violations(draft).filter(({ field }) => before.every((each) => each.field !== field));
    const { fields } = this.#check(draft, caused, row.uid);
    const updated = { ...row, fields, updateTime: now };
    if (mask.length > 0) services.store.update(updated);
    return this.show(updated);
  }

  /** Deletes an object, unless something blocks it (docs/platform-api.md#deletes-that-are-blocked). */
  delete(uid: string): void {
    const { kind, services, access } = this;
    if (kind.deleteIsIdempotent && uid !== "" && services.store.get(kind.collection, uid) === undefined) return;
    const row = this.require(uid, kind.capabilities.delete ?? []);
    const blockers = kind.blockers?.(row, services.store, access) ?? [];
    if (blockers.length > 0) throw failedPrecondition(blockers);
    removeObject(kind, uid, services);
  }

  /** An object in wire form, by the settings. */
  show(row: Row, view = viewOf(this.services), secrets: Pick<Rendering, "secrets"> = {}): JsonObject {
    return present(this.kind, row, view, { ...this.services.settings.rendering, ...secrets });
  }

  #add(parentName: string, body: Json): Row {
    const { kind, services, access } = this;
    const given = parseMessage(kind.message, body);
    const parent = findParent(kind, parentName, services.store, access);
    if (parent !== undefined) access.require(kind.capabilities.create ?? [], parentNoun(kind), parent.uid);
    this.#refuseUntilPropagated(parent);
    const now = services.settings.timestamp();
    const place = parent?.uid ?? "";
    const draft = this.#draft({ fields: given, parent: place, now, createTime: now });
    const { existing, fields } = this.#check(draft, this.#violations(draft));
    if (existing !== undefined) {
      const updated = { ...existing, fields: { ...existing.fields, ...fields }, updateTime: now };
      services.store.update(updated);
      return updated;
    }
    const row = services.store.insert({
      kind: kind.collection,
      uid: kind.sharesUid === true ? place : newUid(place),
      parent: kind.sharesUid === true ? parentOf(place) : place,
      createTime: now,
      fields: { ...fields, ...kind.initial?.(now) },
    });
    if (place === "") this.#makeOwner(row);
    return row;
  }

  #draft(given: Omit<Draft, "store" | "access" | "settings">): Draft {
    const { services, access } = this;
    return { ...given, store: services.store, access, settings: services.settings.values };
  }

  /** Violations of the rules for an object as it would be stored. */
  #violations(draft: Draft): FieldViolation[] {
    const broken = this.kind.check?.(draft) ?? [];
    // A member's own rule gives a better reason than a missing required member.
    const missing = missingMembers(this.kind.message, draft.fields).filter(({ field }) =>
      broken.every((each) => each.field !== field),
    );
    return [...broken, ...missing];
  }

  /** Checks and completes an object about to be stored. `existing` is the object that a create updates, if any. */
  #check(draft: Draft, violations: readonly FieldViolation[], uid?: string): { fields: JsonObject; existing: Row | undefined } {
    const { kind, services, access } = this;
    if (violations.length > 0) throw invalidArgument(...violations);
    const grant = kind.grant?.(draft);
    if (grant !== undefined) requireHeld(grant.role, grant.group, services.store, access);
    const existing = this.#conflict(draft, uid);
    return { fields: kind.complete?.(draft) ?? draft.fields, existing };
  }

  /** The existing object with the natural key of a draft, if a create updates it. */
  #conflict({ fields, previous, parent }: Draft, uid?: string): Row | undefined {
    const { kind, services } = this;
    if (kind.sharesUid === true && uid === undefined && services.store.get(kind.collection, parent) !== undefined)
      throw alreadyExists(`${kind.noun} of group ${parent}`);
    if (kind.naturalKey === undefined || parent === "" || services.settings.values.duplicateNames) return undefined;
    if (previous !== undefined && kind.naturalKey.every((field) => fields[field] === previous[field])) return undefined;
    const key = kind.naturalKey.map((field): Condition => ({ sql: `${columnOf[field]} = ?`, values: [stringOf(fields[field])] }));
    const others = services.store.select(kind.collection, [{ sql: "parent = ?", values: [parent] }, ...key], { limit: 2 });
    const taken = others.find((other) => other.uid !== uid);
    if (taken === undefined || (kind.createUpdates && uid === undefined)) return taken;
    const named = kind.naturalKey.map((field) => `${field} "${stringOf(fields[field])}"`).join(" and ");
    throw alreadyExists(`${kind.noun} with ${named} in ${parent}: ${taken.uid}`);
  }

  /**
   * An object at which the caller holds all of these capabilities.
   * @throws {ApiError} code 3, 5 or 7.
   */
  require(uid: string, capabilities: readonly string[]): Row {
    const { kind, services, access } = this;
    if (uid === "") throw invalidArgument({ field: "uid", description: "is required" });
    const row = services.store.get(kind.collection, uid);
    if (row === undefined) throw notFound(kind.noun, uid);
    const isBuiltInRole = kind.collection === "roles" && row.parent === "";
    if (!isBuiltInRole) access.require(capabilities, kind.noun, uid);
    return row;
  }

  #refuseUntilPropagated(parent: Row | undefined): void {
    const { settings } = this.services;
    if (parent?.kind === "groups" && settings.isYounger(parent.createTime, settings.values.propagationMs))
      throw permissionDenied(`the bindings of ${parent.uid} have not propagated yet`);
  }

  /** The condition that an object is old enough for Lists. */
  #listed(): Condition[] {
    const { settings } = this.services;
    const { listLagMs } = settings.values;
    if (listLagMs === 0) return [];
    return [{ sql: "created_at <= ?", values: [new Date(settings.now() - listLagMs).toISOString()] }];
  }

  /** The creator of a root group owns it. */
  #makeOwner(group: Row): void {
    const { store } = this.services;
    const roleUid = ownerRoleUid(store);
    if (roleUid === undefined) return;
    const fields = { identityUid: this.access.identity, roleUid };
    store.insert({ kind: "roleBindings", parent: group.uid, createTime: group.createTime, fields });
  }
}

/** The parts of an emulator that decide how it shows objects. */
export type Shown = Pick<Services, "store" | "settings" | "addresses">;

/** The inputs of one answer. Reads each object at most once. */
export function viewOf({ store, settings, addresses }: Shown, isRow = false): View {
  const seen = new Map<string, Row | undefined>();
  const read: View["read"] = (kind, uid) => {
    const key = `${kind} ${uid}`;
    if (!seen.has(key)) seen.set(key, store.get(kind, uid));
    return seen.get(key);
  };
  return { read, now: settings.timestamp(), baseUrl: addresses.baseUrl, isRow };
}

/** Deletes an object and everything below it. */
export function removeObject(kind: ObjectKind, uid: string, { store }: Services): void {
  if (kind.sharesUid === true) store.removeAlone(kind.collection, uid);
  else store.remove(uid);
}

/** An object in wire form. */
export function present(kind: ObjectKind, row: Row, view: View, rendering: Rendering): JsonObject {
  const { uid, createTime, updateTime } = row;
  const value = { ...row.fields, ...kind.present?.(row, view), uid, createTime, updateTime };
  return renderMessage(kind.message, value, rendering);
}

/** A List without members that equal their default. The total has its own presence and stays (docs/platform-api.md#defaults). */
function withoutDefaults(envelope: JsonObject): JsonObject {
  const said = Object.entries(envelope).filter(
    ([, value]) => value !== "" && value !== 0 && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said);
}

function sortValue({ uid, createTime, updateTime, fields }: Row, column: Order["column"]): string {
  return { uid, name: stringOf(fields["name"]), created_at: createTime, updated_at: updateTime }[column];
}
