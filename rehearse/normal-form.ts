import { decidesAccess, kindNamed } from "../inventory/kinds";
import { isUid, lineageOf, parentOf } from "../provider/client/uid";
import type { Fields } from "../provider/schema/field";
import { secretPaths } from "../provider/schema/hidden-values";
import { isValues, type Path, valueAt, type Values } from "../provider/schema/values";
import type { Call } from "./calls";

/** A call that may give access, in a form that does not depend on the uids of new objects. */
export interface GrantingCall {
  readonly verb: "create" | "update";
  /** Published name of its kind. */
  readonly kind: string;
  /** The object that an update changes. Absent for an object that the same run has made. */
  readonly uid?: string | undefined;
  /** The group or parent of the object, see {@link Objects.reference}. */
  readonly place: string;
  /** The inputs that identify the object in its place, references as paths. Empty for kinds without a natural key. */
  readonly key: Readonly<Record<string, unknown>>;
  /**
   * The members sent, sorted, without secrets. References are paths, other uids `{ uidOf: path }`. Null is in an update alone, where it
   * clears a field.
   */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The objects that calls name. */
export interface Objects {
  /** The path of an object: `acme/engineering/ci`. People, built-in roles and unknown objects keep their uid. */
  reference(uid: string): string;
  /** True for an object that is older than the run. */
  isOlder(kind: string, uid: string): boolean;
  /** The fields of an object right before it is changed. */
  valueOf(kind: string, uid: string): Values;
}

/** True for a create or an update of a field that decides who has access. */
export function mayGrant({ verb, kind, body }: Call): boolean {
  if (kindNamed(kind).access === "none" || verb === "delete") return false;
  return verb === "create" || Object.keys(body).some((field) => decidesAccess({ kind }, [field]));
}

/** The normal form of a call that may give access. */
export function normalForm({ verb, kind: name, uid, body }: Call, objects: Objects): GrantingCall {
  const kind = kindNamed(name);
  const isCreate = verb === "create";
  const known: Values = isCreate ? body : objects.valueOf(name, uid);
  return {
    verb: isCreate ? "create" : "update",
    kind: name,
    ...(!isCreate && objects.isOlder(name, uid) && { uid }),
    place: objects.reference(placeOf({ verb, kind: name, uid })),
    key: Object.fromEntries(kind.naturalKey.map((field) => [field, canonicalField(name, field, known[field], objects)])),
    // In an update, null clears a field.
    body: canonicalFields(name, without(body, secretPaths(kind.fields)), objects, !isCreate),
  };
}

/** The path of an object in `parent`. Roles and identity providers may have a slash in their names, which must not look like another group. */
export function childPath(parent: string, name: string): string {
  return `${parent}/${name.replaceAll(/[%/]/g, encodeURIComponent)}`;
}

/** The uid of the parent of the object of a call. */
export function placeOf({ verb, kind, uid }: Pick<Call, "verb" | "kind" | "uid">): string {
  // An association has the uid of its group.
  return verb === "create" || kindNamed(kind).sharesUid ? uid : (parentOf(uid) ?? uid);
}

/** Equal for calls with the same effect. The uid of an object identifies it better than its key, which an update may change. */
export function effectOf({ verb, kind, uid, place, key, body }: GrantingCall): string {
  return JSON.stringify([verb, kind, uid ?? [place, key], body]);
}

/** The uids of the objects that a call names, and of the groups around them. Other text of that form is among them. */
export function uidsIn(call: Call): string[] {
  return [...new Set([call.uid, placeOf(call), ...textsIn(call.body).filter(isUid)].flatMap(lineageOf))];
}

/**
 * The fields of an object that decide who has access, as {@link normalForm} writes them.
 *
 * @param isNew whether the object is younger than the rehearsal. The platform fills in other values at each create, such as the time at which keys
 * expire, so they are left out
 */
export function decidingFields(
  kind: string,
  value: Values,
  objects: Pick<Objects, "reference">,
  isNew: boolean,
): Record<string, unknown> {
  const { parentInput, fields } = kindNamed(kind);
  const kept = without(value, [...secretPaths(fields), ...(isNew ? filledPaths(fields) : [])]);
  const deciding = Object.entries(kept).filter(([field]) => field !== parentInput && decidesAccess({ kind }, [field]));
  return canonicalFields(kind, Object.fromEntries(deciding), objects);
}

/** True if an update sets a field, or that member of it. It leaves members alone that it does not name, unless it replaces the whole message. */
export function isSetBy({ kind, body }: Pick<Call, "kind" | "body">, [field = "", member]: Path): boolean {
  const [value, shape] = [body[field], kindNamed(kind).fields[field]?.shape];
  const isByMembers = shape?.is === "message" && shape.update === "members" && isValues(value);
  return field in body && (!isByMembers || member === undefined || member in value);
}

/** Every text in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function filledPaths(fields: Fields): Path[] {
  return Object.entries(fields).flatMap(([name, { by, shape }]): Path[] => {
    if (by === "filled") return [[name]];
    return shape.is === "message" ? filledPaths(shape.members).map((path) => [name, ...path]) : [];
  });
}

/** A copy without the values at these paths. */
function without(values: Values, paths: readonly Path[]): Record<string, unknown> {
  const copy = structuredClone(values) as Record<string, unknown>;
  for (const path of paths) {
    const holder = valueAt(copy, path.slice(0, -1));
    if (typeof holder === "object" && holder !== null) Reflect.deleteProperty(holder, path.at(-1) ?? "");
  }
  return copy;
}

function canonicalFields(kind: string, values: Values, objects: Pick<Objects, "reference">, keepsNull = false): Values {
  return membersOf(values, keepsNull, (value, field) => canonicalField(kind, field, value, objects, keepsNull));
}

/** A reference is a path. The platform finds nothing by a path, so no other reference looks the same. */
function canonicalField(kind: string, field: string, value: unknown, objects: Pick<Objects, "reference">, keepsNull = false) {
  const isReference = kindNamed(kind).fields[field]?.shape.is === "uid";
  return isReference && typeof value === "string" ? objects.reference(value) : canonical(value, objects, keepsNull);
}

/** In other fields, such as the subject of a login, a text may be equal to a path. A uid there is `{ uidOf: path }`. */
function canonical(value: unknown, objects: Pick<Objects, "reference">, keepsNull: boolean): unknown {
  if (typeof value === "string") {
    const path = objects.reference(value);
    return path === value ? value : { uidOf: path };
  }
  if (Array.isArray(value)) return value.map((each) => canonical(each, objects, keepsNull));
  if (typeof value !== "object" || value === null) return value;
  return membersOf(value, keepsNull, (member) => canonical(member, objects, keepsNull));
}

function membersOf(value: object, keepsNull: boolean, form: (member: unknown, name: string) => unknown): Values {
  const members = Object.entries(value as Values)
    .filter(([, member]) => member !== undefined && (keepsNull || member !== null))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, form(member, name)]));
}
