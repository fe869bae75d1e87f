import type { Filter } from "./object-kind";

/** A filter by equality with an SQL expression. */
export function equals(expression: string): Filter {
  return ([value = ""]) => ({ sql: `${expression} = ?`, values: [value] });
}

/** The filter by name. Without the hint that few objects have one, SQLite reads everything in scope. */
export const byName: Filter = ([name = ""]) => ({ sql: "unlikely(name = ?)", values: [name] });

/** A repeatable filter, by which one of the values equals an SQL expression. */
export function isOneOf(expression: string): Filter {
  return (values) => ({ sql: `${expression} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] });
}
