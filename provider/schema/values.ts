/** Values of fields by their names. */
export type Values = Readonly<Record<string, unknown>>;

/** A field, or a member of a message, as the names on the way to it. */
export type Path = readonly string[];

/** The members that have a value. */
export function present<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Exclude<Value, undefined>> {
  return Object.fromEntries(entries.filter((entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined));
}

/** The own member `name`, never one of the prototype. */
export function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** True for an object with named members. */
export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of an object, or the items of a list; empty for any other value. */
export function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}

/** The value at `path` within `values`, never one of the prototype; undefined if there is none. */
export function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    const isMember = typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    return isMember ? (inner as Record<PropertyKey, unknown>)[name] : undefined;
  }, values);
}

/** For `JSON.stringify`. Produces the same text for every order of members. */
export function withSortedMembers(_name: string, value: unknown): unknown {
  return isValues(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
}
