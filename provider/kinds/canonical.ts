import { isDeepStrictEqual } from "node:util";
import { hasPlatformForm } from "../client/uid";
import type { Field, Fields, Shape, Traits } from "./field";
import { resolvedUid } from "./references";

/** Values of fields by their names. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * `value` in the form that state keeps. Unset members are left out, since a server cannot distinguish them from absent ones
 * (docs/platform-api.md#defaults). Sets are sorted. Never throws, even for values that a schema rejects.
 */
export function canonical(value: unknown, shape: Shape, traits: Traits = {}): unknown {
  if (value === undefined || value === null || isUnset(value, shape, traits)) return undefined;
  const items = itemShape(shape);
  if (Array.isArray(value)) {
    if (shape.is === "set" && value.every(isText)) return [...new Set(value)].sort();
    return items === undefined ? value : value.map((item: unknown) => canonical(item, items) ?? item);
  }
  if (typeof value !== "object") return value;
  if (shape.is !== "message") {
    // Within a map, an empty map is unset too.
    const { of } = shape as { of?: Shape };
    const kept =
      of?.is === "map"
        ? present(Object.entries(value).map(([key, item]) => [key, canonical(item, of)]))
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
function itemShape(shape: Shape | undefined): Shape | undefined {
  if (shape?.is !== "set" && shape?.is !== "list" && shape?.is !== "map") return undefined;
  return shape.of.is === "message" || itemShape(shape.of) !== undefined ? shape.of : undefined;
}

function mapped(values: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]: [string, unknown]) => [name, change(value)]));
}

/** The value of an undeclared member: one that was added by hand is drift. */
function undeclared(value: unknown): unknown {
  return isDefault(value) ? undefined : value;
}

/** True for what a platform writes for an unset member of any type (docs/platform-api.md#defaults). `"0"` is a 64-bit number. */
function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isDefault);
  if (typeof value === "string") return value === "" || value === "0" || value.endsWith("_UNSPECIFIED");
  return value === undefined || value === null || value === false || value === 0;
}

function isUnset(value: unknown, { is }: Shape, { unset }: Traits): boolean {
  if (value === "" || (is === "enum" && typeof value === "string" && value.endsWith("_UNSPECIFIED"))) return true;
  if (unset !== undefined) return value === unset;
  return (is === "flag" && value === false) || (is === "number" && value === 0) || (Array.isArray(value) && value.length === 0);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The own member `name`, never one of the prototype. */
export function own(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** True for a field that a program declares, and for an undeclared one. */
export function isInput(field: Field | undefined): boolean {
  return field === undefined || (field.by !== "output" && field.by !== "detail" && field.by !== "check");
}

/** True for a field that the platform knows and a program declares, and for an undeclared one. */
export function isSent(field: Field | undefined): boolean {
  return isInput(field) && field?.by !== "local" && field?.by !== "reference";
}

/** The inputs among `values`, in canonical form. */
export function canonicalInputs(fields: Fields, values: Values): Record<string, unknown> {
  const inputs = Object.entries(fields).filter(([, field]) => isInput(field));
  return present(inputs.map(([name, { shape, traits }]) => [name, canonical(values[name], shape, traits)]));
}

/** The members that have a value. */
export function present<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Exclude<Value, undefined>> {
  return Object.fromEntries(entries.filter((entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined));
}

/** A field, or a member of a message, by the names that lead to it. */
export type Path = readonly string[];

/** A path at which two values differ, and the declared fields along it. An undeclared member has no field. */
export interface Difference {
  readonly path: Path;
  readonly fields: readonly Field[];
}

/**
 * Where the canonical inputs `before` and `after` differ, down to the members of messages. Fields that `isIgnored` never differ, nor do
 * references: their uids do.
 */
export function differencesOf(
  fields: Fields,
  before: Values,
  after: Values,
  isIgnored: (field: Field) => boolean = () => false,
): Difference[] {
  const isFilled = (name: string, { traits }: Field) =>
    traits.filledWhile !== undefined && after[name] === undefined && after[traits.filledWhile] !== undefined;
  return Object.entries(fields)
    .filter(([name, field]) => isInput(field) && field.by !== "reference" && !isFilled(name, field))
    .flatMap(([name, field]) => differences([name], [field], before[name], after[name], isIgnored));
}

function differences(
  path: Path,
  fields: readonly Field[],
  before: unknown,
  after: unknown,
  isIgnored: (field: Field) => boolean,
): Difference[] {
  const field = fields.at(-1);
  // The platform keeps the value that it filled in.
  if (field !== undefined && (isIgnored(field) || (field.by === "filled" && after === undefined))) return [];
  const [shape, traits] = [field?.shape, field?.traits];
  const items = path.length > fields.length ? undefined : itemShape(shape);
  if (items !== undefined && typeof before === "object" && before !== null && typeof after === "object" && after !== null) {
    return haveSameItems(before as Values, after as Values, items, isIgnored) ? [] : [{ path, fields }];
  }
  if (path.length > fields.length || shape?.is !== "message" || !isValues(before ?? {}) || !isValues(after ?? {})) {
    return isDeepStrictEqual(comparable(before, shape, traits), comparable(after, shape, traits)) ? [] : [{ path, fields }];
  }
  const [old, now] = [(before ?? {}) as Values, (after ?? {}) as Values];
  const names = [...new Set([...Object.keys(shape.members), ...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const member = own(shape.members, name);
    if (!isInput(member)) return [];
    const inner = member === undefined ? fields : [...fields, member];
    return differences([...path, name], inner, ownValue(old, name), ownValue(now, name), isIgnored);
  });
}

/** True if two lists or maps have the same items. A member of an item that the platform filled in is not a difference. */
function haveSameItems(before: Values, after: Values, shape: Shape, isIgnored: (field: Field) => boolean): boolean {
  const names = Object.keys(before);
  if (Array.isArray(before) !== Array.isArray(after) || names.length !== Object.keys(after).length) return false;
  const item: Field = { by: "required", shape, traits: {} };
  return names.every(
    (name) => Object.hasOwn(after, name) && differences([name], [item], before[name], after[name], isIgnored).length === 0,
  );
}

function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** True for an object with named members. */
export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `path` within `values`; undefined if there is none. */
export function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[name] : undefined),
    values,
  );
}

/** `value` in a form in which two spellings of the same time or text are equal. */
function comparable(value: unknown, shape: Shape | undefined, traits: Traits | undefined): unknown {
  // Objects from elsewhere may have another prototype, which `isDeepStrictEqual` compares too.
  if (typeof value === "object" && value !== null) return JSON.parse(JSON.stringify(value)) as unknown;
  if (typeof value !== "string") return value;
  if (shape?.is === "time" && !Number.isNaN(Date.parse(value))) return Date.parse(value);
  return traits?.normalise?.(value) ?? value;
}

/**
 * `observed`, completed from `known` with the values that the platform does not return: always the write-only and local ones, those
 * that only a create returns if they are missing, texts in place of the uids that they still stand for, and references whose uid is
 * the same. Volatile values that are not known are left out, unless nothing is known.
 *
 * @param outputs where the uids of such texts are. Default: in `known`
 */
export function withKept(fields: Fields, observed: Values, known: Values, outputs: Values = known): Record<string, unknown> {
  return present(
    [...new Set([...Object.keys(observed), ...Object.keys(fields)])].map((name): [string, unknown] => {
      const { by, shape, traits } = own(fields, name) ?? {};
      const [seen, kept] = [ownValue(observed, name), ownValue(known, name)];
      if (shape?.is === "reference") {
        const uid = ownValue(observed, shape.uid);
        return [name, uid !== undefined && uid === resolvedUid(known, shape.uid) ? kept : undefined];
      }
      if (traits?.writeOnly || by === "local") return [name, kept];
      if (shape && traits?.once) return [name, canonical(seen, shape, traits) ?? kept];
      if (traits?.volatile && kept === undefined && Object.keys(outputs).length > 0) return [name, undefined];
      if (traits?.resolvedTo) return [name, standsFor(kept, seen, outputs[traits.resolvedTo]) ? kept : seen];
      if (shape?.is !== "message" || !isValues(seen)) return [name, seen];
      return [name, withKept(shape.members, seen, isValues(kept) ? kept : {}, outputs)];
    }),
  );
}

/** Whether `text` stands for the object `uid`. @param last the uid that it stood for before; undefined if it was just sent */
function standsFor(text: unknown, uid: unknown, last: unknown): boolean {
  if (typeof text !== "string" || typeof uid !== "string") return false;
  return last === undefined ? !hasPlatformForm(text) : last === uid;
}
