import { isDeepStrictEqual } from "node:util";
import { itemShape } from "./canonical";
import { type Field, type Fields, inputsIn, isInput, own, type Shape, type Traits } from "./field";
import { isValues, ownValue, type Path, type Values } from "./values";

/** A path at which two values differ, and the declared fields along it. An undeclared member has no field. */
export interface Difference {
  readonly path: Path;
  readonly fields: readonly Field[];
}

/**
 * The differences between the canonical inputs `before` and `after`, down to the members of messages. Fields that `isIgnored` never differ.
 * References do not differ either, but their uids may.
 */
export function differencesOf(
  fields: Fields,
  before: Values,
  after: Values,
  isIgnored: (field: Field) => boolean = () => false,
): Difference[] {
  return inputsIn(fields).flatMap(([name, field]) => {
    const [old, now, { filledWhile }] = [before[name], after[name], field.traits];
    const isFilled = filledWhile !== undefined && now === undefined && after[filledWhile] !== undefined;
    if (old === now || isFilled || field.by === "reference") return [];
    return differences({ path: [name], fields: [field] }, old, now, isIgnored);
  });
}

function differences(at: Difference, before: unknown, after: unknown, isIgnored: (field: Field) => boolean): Difference[] {
  const { path, fields } = at;
  const field = fields.at(-1);
  // The platform keeps the value that it filled in.
  if (field !== undefined && (isIgnored(field) || (field.by === "filled" && after === undefined))) return [];
  const [shape, traits] = [field?.shape, field?.traits];
  const items = path.length > fields.length ? undefined : itemShape(shape);
  if (items !== undefined && typeof before === "object" && before !== null && typeof after === "object" && after !== null) {
    return haveSameItems(before as Values, after as Values, items, isIgnored) ? [] : [at];
  }
  const [old, now] = [before ?? {}, after ?? {}];
  if (path.length > fields.length || shape?.is !== "message" || !isValues(old) || !isValues(now)) {
    return isDeepStrictEqual(comparable(before, shape, traits), comparable(after, shape, traits)) ? [] : [at];
  }
  const names = [...new Set([...Object.keys(shape.members), ...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const member = own(shape.members, name);
    if (!isInput(member)) return [];
    const inner = { path: [...path, name], fields: member === undefined ? fields : [...fields, member] };
    const [one, other] = [ownValue(old, name), ownValue(now, name)];
    return one === other ? [] : differences(inner, one, other, isIgnored);
  });
}

/** True if two lists or maps have the same items. A member of an item is no difference if the platform filled it in. */
function haveSameItems(before: Values, after: Values, shape: Shape, isIgnored: (field: Field) => boolean): boolean {
  const names = Object.keys(before);
  if (Array.isArray(before) !== Array.isArray(after) || names.length !== Object.keys(after).length) return false;
  const fields: Field[] = [{ by: "required", shape, traits: {} }];
  return names.every(
    (name) =>
      Object.hasOwn(after, name) && differences({ path: [name], fields }, before[name], after[name], isIgnored).length === 0,
  );
}

/** `value` in a form in which two spellings of the same time or text are equal. */
function comparable(value: unknown, shape: Shape | undefined, traits: Traits | undefined): unknown {
  // Objects of other origin may have another prototype, which `isDeepStrictEqual` compares too.
  if (typeof value === "object" && value !== null) return JSON.parse(JSON.stringify(value)) as unknown;
  if (typeof value !== "string") return value;
  if (shape?.is === "time" && !Number.isNaN(Date.parse(value))) return Date.parse(value);
  return (traits?.normalise ?? traits?.sentAs)?.(value) ?? value;
}
