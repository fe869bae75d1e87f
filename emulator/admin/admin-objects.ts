import { z } from "zod";
import { InputError, parseInput } from "../wire/input";
import { isKnownIdentity } from "../objects/role-bindings";
import { present, removeObject, viewOf } from "../api/collection";
import { applyMask, maskOfBody } from "../wire/field-mask";
import { stringOf, type JsonObject } from "../wire/json";
import type { ObjectKind } from "../objects/object-kind";
import { parseMessage } from "../wire/message";
import type { Services } from "../api/services";
import * as kinds from "../objects/all-kinds";
import type { Row } from "../storage/store";
import { newUid, parentOf } from "../storage/uid";

const whole = { emitDefaults: true, timestampDigits: 3, secrets: "all" } as const;
const parsing = { unknownKeys: "refuse", outputFields: "keep", unknownEnums: "refuse" } as const;

const reference = z.string("must be a uid").min(1, "must be a uid");

/** A role binding with its references. Other members of a response about these objects are computed and cannot be set. */
const binding = z.strictObject({
  uid: z.string().optional(),
  createTime: z.string().optional(),
  identityUid: reference,
  roleUid: reference,
});

/** Changes objects directly, without permissions, masks or the rules on names and references. */
export class AdminObjects {
  constructor(private readonly services: Services) {}

  /** All objects of a collection in wire form with secrets, sorted by uid. */
  list(collection: string): JsonObject[] {
    const kind = kindNamed(collection);
    const view = viewOf(this.services);
    return this.services.store
      .select(kind.collection, [], { order: "ORDER BY uid" })
      .map((row) => present(kind, row, view, whole));
  }

  /** The objects of every collection. */
  listAll(): Record<string, JsonObject[]> {
    return Object.fromEntries(Object.keys(kinds).map((collection) => [collection, this.list(collection)]));
  }

  /** Creates an object under `parent`, "" for the root. Fields that the service sets may be given. */
  create(collection: string, { parent, ...body }: JsonObject): JsonObject {
    const kind = kindNamed(collection);
    const place = parseInput(z.string().default(""), parent, "parent");
    if (place !== "" && this.services.store.get(kind.parent, place) === undefined)
      throw new InputError(`${kind.parent} ${place} not found`);
    const now = this.services.settings.timestamp();
    if (kind.collection === "roleBindings") this.#checkBinding(parseInput(binding, body, kind.noun));
    const { uid, createTime, updateTime, ...fields } = parseMessage(kind.message, body, parsing);
    const row: Row = {
      kind: kind.collection,
      uid: kind.sharesUid === true ? place : stringOf(uid) || newUid(place),
      parent: kind.sharesUid === true ? parentOf(place) : place,
      createTime: stringOf(createTime) || now,
      updateTime: stringOf(updateTime) || now,
      fields: { ...kind.initial?.(now), ...fields },
    };
    if (this.services.store.get(kind.collection, row.uid) !== undefined)
      throw new InputError(`${kind.noun} ${row.uid} already exists`);
    this.services.store.insert(row);
    return this.#show(kind, row);
  }

  /** Sets the fields named in the body, leaf by leaf; null removes a field. */
  update(collection: string, uid: string, body: JsonObject): JsonObject {
    const kind = kindNamed(collection);
    const row = this.#require(kind, uid);
    const { createTime, updateTime } = row;
    const source = parseMessage(kind.message, body, parsing);
    if ("uid" in body && body["uid"] !== uid) throw new InputError(`the uid of ${kind.noun} ${uid} cannot change`);
    if (kind.collection === "roleBindings") this.#checkBinding(parseInput(binding.partial(), body, kind.noun));
    const current = { ...row.fields, createTime, updateTime: this.services.settings.timestamp() };
    const merged = applyMask(kind.message, current, source, maskOfBody(kind.message, body), "keep");
    const { uid: _, createTime: created, updateTime: updated, ...fields } = merged;
    const changed = { ...row, createTime: stringOf(created) || createTime, updateTime: stringOf(updated) || updateTime, fields };
    this.services.store.update(changed);
    return this.#show(kind, changed);
  }

  /** Deletes an object, everything below it, and every grant to a deleted identity or of a deleted role. */
  delete(collection: string, uid: string): void {
    const kind = kindNamed(collection);
    removeObject(kind, this.#require(kind, uid).uid, this.services);
  }

  /** @throws {InputError} for a reference to an object that does not exist. */
  #checkBinding({ identityUid, roleUid }: { identityUid?: string | undefined; roleUid?: string | undefined }): void {
    const { store } = this.services;
    const isLost = identityUid !== undefined && !isKnownIdentity(identityUid, store);
    const isUnknown = roleUid !== undefined && store.get("roles", roleUid) === undefined;
    const problems = [
      ...(isLost ? [`role binding identityUid: identity ${identityUid} not found`] : []),
      ...(isUnknown ? [`role binding roleUid: role ${roleUid} not found`] : []),
    ];
    if (problems.length > 0) throw new InputError(problems.join("; "));
  }

  #require(kind: ObjectKind, uid: string): Row {
    const row = this.services.store.get(kind.collection, uid);
    if (row === undefined) throw new InputError(`${kind.noun} ${uid} not found`);
    return row;
  }

  #show(kind: ObjectKind, row: Row): JsonObject {
    return present(kind, row, viewOf(this.services), whole);
  }
}

function kindNamed(collection: string): ObjectKind {
  const all = Object.values<ObjectKind>(kinds);
  const kind = all.find((each) => each.collection === collection);
  if (kind === undefined) {
    throw new InputError(`unknown collection "${collection}"; known: ${all.map((each) => each.collection).join(", ")}`);
  }
  return kind;
}
