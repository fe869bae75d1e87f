import { isInput, own, type Shape, type Traits } from "./field";
import { present } from "./values";

/**
 * `value` in the form that state keeps. Unset members are left out, since a server cannot distinguish them from absent ones
 * (docs/platform-api.md#defaults). Sets are sorted. Never throws, even for values that a schema rejects.
 */
export function canonical(value: unknown, shape: Shape, traits: Traits = {}): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && shape.is !== "enum") return value === traits.unset ? undefined : value;
  if (isUnset(value, shape, traits)) return undefined;
  if (typeof value !== "object") return value;
  // A message with the uid alone says no more than the uid.
  if (shape.is === "uid" && shape.or !== undefined && !Array.isArray(value))
    return bareUid(canonical(value, shape.or.message), shape.or.uid);
  const items = itemShape(shape);
  if (Array.isArray(value)) {
    if (shape.is === "set" && value.every(isText)) return [...new Set(value)].sort();
    return items === undefined ? value : value.map((item: unknown) => canonical(item, items) ?? item);
  }
  if (shape.is !== "message") {
    // Within a map, an empty map is unset too.
    const inner = shape.is === "map" && shape.of.is === "map" ? shape.of : undefined;
    const kept = inner
      ? present(Object.entries(value).map(([key, item]) => [key, canonical(item, inner)]))
      : mapped(value, (item) => (items === undefined ? item : (canonical(item, items) ?? item)));
    return Object.keys(kept).length === 0 ? undefined : kept;
  }
  const members = Object.entries(value)
    .map(([name, member]): [string, unknown] => {
      const declared = own(shape.members, name);
      return [name, declared ? canonical(member, declared.shape, declared.traits) : undeclared(member)];
    })
    .filter(([name, member]) => member !== undefined && isInput(own(shape.members, name)));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The shape of the items of a list, set or map, if they have parts of their own. */
export function itemShape(shape: Shape | undefined): Shape | undefined {
  if (shape?.is !== "set" && shape?.is !== "list" && shape?.is !== "map") return undefined;
  return shape.of.is === "message" || (shape.of.is === "uid" && shape.of.or !== undefined) || itemShape(shape.of) !== undefined
    ? shape.of
    : undefined;
}

function bareUid(message: unknown, uid: string): unknown {
  const members = Object.entries(message ?? {});
  return members.length === 1 && members[0]?.[0] === uid ? members[0][1] : message;
}

function mapped(values: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]: [string, unknown]) => [name, change(value)]));
}

/** The value of an undeclared member. A member that was added by hand is drift. */
function undeclared(value: unknown): unknown {
  return isDefault(value) ? undefined : value;
}

/** True for the value that a platform writes for an unset member of any type (docs/platform-api.md#defaults). `"0"` is a 64-bit number. */
function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isDefault);
  if (typeof value === "string") return value === "" || value === "0" || value.endsWith("_UNSPECIFIED");
  return value === undefined || value === null || value === false || value === 0;
}

function isUnset(value: unknown, { is }: Shape, { unset }: Traits): boolean {
  if (is === "enum" && typeof value === "string" && value.endsWith("_UNSPECIFIED")) return true;
  if (unset !== undefined) return value === unset;
  return (is === "flag" && value === false) || (is === "number" && value === 0) || (Array.isArray(value) && value.length === 0);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
