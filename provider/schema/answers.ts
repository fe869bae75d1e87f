import { isValues, present, type Values } from "./values";
import type { Field, Fields, Shape } from "./field";

/** The value of a field in an answer. */
export function answered(name: string, { traits }: Field, wire: Values): unknown {
  return traits.read ? traits.read(wire) : wire[traits.wire ?? name];
}

/** The values that state keeps of an answer besides the inputs. */
export function outputsOf(fields: Fields, wire: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const value = field.by === "output" ? answered(name, field, wire) : undefined;
      if (value === undefined || value === null) return [];
      return [[name, field.shape.is === "message" && isValues(value) ? outputsOf(field.shape.members, value) : value]];
    }),
  );
}

/** True for a field that data sources return. False if the platform never returns it, or only once. */
export function isShown({ by, traits }: Field): boolean {
  if (by === "check" || by === "local" || by === "reference" || traits.writeOnly || traits.once) return false;
  return by !== "parent" || traits.read !== undefined;
}

/** The result of data sources for an answer, which contains its fields by their declared names and every member newer than this package. */
export function resultOf(fields: Fields, wire: Values): Record<string, unknown> {
  const read = Object.entries(fields).filter(([, field]) => isShown(field) && field.traits.read !== undefined);
  return { ...shownMembers(fields, wire), ...present(read.map(([name, field]) => [name, answered(name, field, wire)])) };
}

function shownMembers(fields: Fields, wire: Values): Record<string, unknown> {
  const declared = new Map(Object.entries(fields).map(([name, field]) => [field.traits.wire ?? name, { name, ...field }]));
  return Object.fromEntries(
    Object.entries(wire).flatMap(([wireName, value]): [string, unknown][] => {
      const field = declared.get(wireName);
      if (field === undefined) return [[wireName, value]];
      // The platform may return an empty member for a value that it never returns.
      return isShown(field) ? [[field.name, shown(field.shape, value)]] : [];
    }),
  );
}

function shown(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return "of" in shape && shape.is !== "uid" ? value.map((item) => shown(shape.of, item)) : value;
  if (!isValues(value)) return value;
  if (shape.is === "message") return shownMembers(shape.members, value);
  if (shape.is !== "map") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(shape.of, item)]));
}
