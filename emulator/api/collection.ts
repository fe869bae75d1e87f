import type { Access } from "../auth/authorization";
import { builtInRoleUid } from "../auth/built-in-roles";
import { alreadyExists, failedPrecondition, invalidArgument, notFound, permissionDenied } from "../wire/errors";
import { applyMask, maskOfBody } from "../wire/field-mask";
import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import type { Kind, Reader } from "../objects/kind";
import { after, orderClause, orderIndex, readListQuery } from "./list-query";
import { parseMessage, renderMessage, type Rendering } from "../wire/message";
import { findParent, parentNoun } from "./parent";
import type { Platform } from "../platform";
import type { Query } from "../wire/query";
import type { Condition, Row } from "../storage/store";
import { newUid } from "../storage/uid";

const columnOf = { name: "name", identityUid: "identity", roleUid: "role" } as const;

/** List, get, create, update and delete of one kind, for one caller. */
export class Collection {
  constructor(
    private readonly platform: Platform,
    private readonly kind: Kind,
    private readonly access: Access,
  ) {}

  /** One page of a List (docs/platform-api.md#list-pages). */
  list(query: Query): JsonObject {
    const { kind, platform } = this;
    const { omitDefaults, omitTotalCount } = platform.settings.values;
    const visible = this.access.rootsOf(kind.capabilities.list);
    const { conditions, identity, order, pageSize, skip, pageToken } = readListQuery(kind, query, visible);
    const cursor = pageToken === "" ? undefined : platform.pageTokens.read(identity, pageToken);
    const start = cursor === undefined ? [] : [after(order, cursor.value, cursor.uid)];
    const total = platform.store.count(kind.collection, conditions);
    const rows = platform.store.select(kind.collection, [...conditions, ...start], {
      order: orderClause(order),
      limit: pageSize + 1,
      offset: skip,
      ...orderIndex(order, conditions, total),
    });
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const next = rows.length > pageSize && last !== undefined;
    const read = this.reader();
    const envelope: JsonObject = {
      [kind.collection]: page.map((row) => this.show(row, read)),
      nextPageToken: next ? platform.pageTokens.issue(identity, { value: sortValue(last, order.column), uid: last.uid }) : "",
      ...(omitTotalCount ? {} : { totalCount: String(total) }),
      skipped: skip,
    };
    return omitDefaults ? withoutDefaults(envelope) : envelope;
  }

  /** One object. */
  get(uid: string): JsonObject {
    return this.show(this.require(uid, this.kind.capabilities.list));
  }

  /**
   * Creates an object. The parent may be given in other forms than its uid (docs/platform-api.md#parents).
   * @throws {ApiError} code 3, 5, 6 or 7.
   */
  create(parent: string, body: Json): JsonObject {
    return this.show(this.add(parent, body));
  }

  /** Creates several objects under one parent, all or none (docs/platform-api.md#batches). */
  batchCreate(parent: string, bodies: readonly Json[]): JsonObject {
    const rows = this.platform.store.transaction(() => bodies.map((body) => this.add(parent, body)));
    const read = this.reader();
    return { [this.kind.collection]: rows.map((row) => this.show(row, read)) };
  }

  /** Changes the fields in the mask; without a mask, those in the body (docs/platform-api.md#field-masks). */
  update(uid: string, body: Json, query: Query): JsonObject {
    const { kind, platform } = this;
    const row = this.require(uid, kind.capabilities.update ?? "");
    const source = parseMessage(kind.message, body, { unknownKeys: "refuse", outputFields: "ignore" });
    const explicit = query.one("update_mask")?.split(",");
    const mask = explicit ?? [...query.all("update_mask.paths"), ...maskOfBody(kind.message, isObject(body) ? body : {})];
    const masked = applyMask(kind.message, row.fields, source, mask);
    const fields = kind.filled?.(masked, row.createTime) ?? masked;
    this.check(fields, row.parent, row.createTime, row.uid);
    const updated = { ...row, fields, updateTime: platform.settings.timestamp() };
    if (mask.length > 0) platform.store.update(updated);
    return this.show(updated);
  }

  /** Deletes an object, unless something blocks it (docs/platform-api.md#deletes-that-are-blocked). */
  delete(uid: string): void {
    const { kind, platform, access } = this;
    if (kind.deleteIsIdempotent && uid !== "" && platform.store.get(kind.collection, uid) === undefined) return;
    const row = this.require(uid, kind.capabilities.delete ?? "");
    const blockers = kind.blockers?.(row, platform.store, access) ?? [];
    if (blockers.length > 0) throw failedPrecondition(blockers);
    platform.store.remove(uid);
  }

  /** An object in wire form, by the settings. */
  show(row: Row, read: Reader = this.reader()): JsonObject {
    const { omitDefaults, timestampDigits } = this.platform.settings.values;
    return present(this.kind, row, read, { emitDefaults: !omitDefaults, timestampDigits });
  }

  private add(parentName: string, body: Json): Row {
    const { kind, platform, access } = this;
    const given = parseMessage(kind.message, body, { unknownKeys: "ignore", outputFields: "ignore" });
    const capability = kind.capabilities.create ?? "";
    const parent = findParent(kind, parentName, platform.store, access);
    if (parent !== undefined && !access.can(capability, parent.uid))
      throw access.refusal(capability, parentNoun(kind), parent.uid);
    this.refuseUntilPropagated(parent);
    const now = platform.settings.timestamp();
    const place = parent?.uid ?? "";
    const fields = kind.filled?.(given, now) ?? given;
    const existing = this.check(fields, place, now);
    if (existing !== undefined) {
      const updated = { ...existing, fields: { ...existing.fields, ...fields }, updateTime: now };
      platform.store.update(updated);
      return updated;
    }
    const row: Row = {
      kind: kind.collection,
      uid: newUid(place),
      parent: place,
      createTime: now,
      updateTime: now,
      fields: { ...fields, ...kind.initial?.(now) },
    };
    platform.store.insert(row);
    if (place === "") this.makeOwner(row);
    return row;
  }

  /** Checks an object about to be stored. Returns the existing object that a create updates, if any. */
  private check(fields: JsonObject, parent: string, createTime: string, uid?: string): Row | undefined {
    const { kind, platform, access } = this;
    const violations = kind.check({ fields, parent, store: platform.store, access, createTime });
    if (violations.length > 0) throw invalidArgument(...violations);
    if (kind.naturalKey === undefined || parent === "" || platform.settings.values.duplicateNames) return undefined;
    const key = kind.naturalKey.map((field): Condition => ({ sql: `${columnOf[field]} = ?`, values: [stringOf(fields[field])] }));
    const others = platform.store.select(kind.collection, [{ sql: "parent = ?", values: [parent] }, ...key], { limit: 2 });
    const taken = others.find((other) => other.uid !== uid);
    if (taken === undefined || (kind.createUpdates && uid === undefined)) return taken;
    const named = kind.naturalKey.map((field) => `${field} "${stringOf(fields[field])}"`).join(" and ");
    throw alreadyExists(`${kind.noun} with ${named} in ${parent}: ${taken.uid}`);
  }

  /**
   * An object at which the caller holds a capability.
   * @throws {ApiError} code 3, 5 or 7.
   */
  require(uid: string, capability: string): Row {
    const { kind, platform, access } = this;
    if (uid === "") throw invalidArgument({ field: "uid", description: "is required" });
    const row = platform.store.get(kind.collection, uid);
    if (row === undefined) throw notFound(kind.noun, uid);
    const isBuiltInRole = kind.collection === "roles" && row.parent === "";
    if (!isBuiltInRole && !access.can(capability, uid)) throw access.refusal(capability, kind.noun, uid);
    return row;
  }

  private refuseUntilPropagated(parent: Row | undefined): void {
    const { values } = this.platform.settings;
    if (parent?.kind !== "groups" || values.propagationMs === 0) return;
    if (this.platform.settings.now() - Date.parse(parent.createTime) < values.propagationMs) {
      throw permissionDenied(`the bindings of ${parent.uid} have not propagated yet`);
    }
  }

  /** The creator of a root group owns it. */
  private makeOwner(group: Row): void {
    this.platform.store.insert({
      kind: "roleBindings",
      uid: newUid(group.uid),
      parent: group.uid,
      createTime: group.createTime,
      updateTime: group.createTime,
      fields: { identityUid: this.access.identity, roleUid: builtInRoleUid("owner") },
    });
  }

  private reader(): Reader {
    return rememberingReader(this.platform);
  }
}

/** A reader that reads each object at most once. */
export function rememberingReader({ store }: Platform): Reader {
  const seen = new Map<string, Row | undefined>();
  return (kind, uid) => {
    const key = `${kind} ${uid}`;
    if (!seen.has(key)) seen.set(key, store.get(kind, uid));
    return seen.get(key);
  };
}

/** An object in wire form. */
export function present(kind: Kind, row: Row, read: Reader, rendering: Rendering): JsonObject {
  const { uid, createTime, updateTime } = row;
  const value = { ...row.fields, ...kind.present?.(row, read), uid, createTime, updateTime };
  return renderMessage(kind.message, value, rendering);
}

/** A List without members that hold their default. The total has presence of its own and stays (docs/platform-api.md#defaults). */
function withoutDefaults(envelope: JsonObject): JsonObject {
  const said = Object.entries(envelope).filter(
    ([, value]) => value !== "" && value !== 0 && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said);
}

function sortValue(row: Row, column: string): string {
  switch (column) {
    case "created_at":
      return row.createTime;
    case "updated_at":
      return row.updateTime;
    case "name":
      return stringOf(row.fields["name"]);
    default:
      return row.uid;
  }
}
