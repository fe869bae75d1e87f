import type { Collection, Filter, WireObject } from "../client/collection";
import { answered } from "./answers";
import type { Values } from "./values";
import type { Field, Fields, Shape } from "./field";
import { snakeCase } from "./wire-names";

/** A filter of a List other than equality with one field. */
export interface DeclaredFilter<Value = unknown> {
  /** The value in programs; it exists for the compiler only. */
  readonly value?: Value;
  readonly shape: Shape;
  /** Spelling in the query. Default: the filter's name in snake_case. */
  readonly parameter?: string;
  /** See {@link Filter.matches}. */
  matches?(row: never, value: Value): boolean;
}

/** Filters of a List by their names in programs. Each is the name of the compared field, or the filter itself. */
export type FilterDeclarations<F extends Fields> = Readonly<Record<string, (keyof F & string) | DeclaredFilter>>;

// Mapped without `as`, so that editors show the doc comments of the declaration.
/** The values of filters. */
export type FilterValues<Declared> = {
  [Name in keyof Declared]?: (Declared[Name] extends DeclaredFilter<infer Value> ? Value : string) | undefined;
};

/**
 * A filter with values of the form `of`.
 *
 * @param matches the same filter on this side. Absent if a row does not show whether it matches
 */
export function filter<Value>(
  of: Field<Value>,
  matches?: (row: never, value: Value) => boolean,
  parameter?: string,
): DeclaredFilter<Value> {
  return { shape: of.shape, ...(parameter !== undefined && { parameter }), ...(matches && { matches }) };
}

/** The form of the values of each filter. */
export function shapesOf(fields: Fields, declared: FilterDeclarations<Fields>): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, by]) => [name, typeof by === "string" ? (fields[by] as Field).shape : by.shape]),
  );
}

/** The filters in the form for the client. */
export function filtersOf(fields: Fields, declared: FilterDeclarations<Fields>): Collection<WireObject>["filters"] {
  const filters = Object.entries(declared).map(([name, by]): [string, Filter<WireObject, never>] => [
    name,
    typeof by === "string" ? byField(name, by, fields[by] as Field) : { ...by, parameter: by.parameter ?? snakeCase(name) },
  ]);
  return Object.fromEntries(filters);
}

function byField(name: string, by: string, field: Field): Filter<WireObject, unknown> {
  return { parameter: snakeCase(name), matches: (row, value) => answered(by, field, row as unknown as Values) === value };
}
