import { gatewayError, invalidArgument } from "../wire/errors";
import type { ObjectKind, OrderField } from "../objects/object-kind";
import { listParameters, type Schema } from "../contract/document";
import type { Query } from "../wire/query";
import { below, within, type Condition } from "../storage/store";
import { ancestorsOf, isWithin } from "../storage/uid";

const defaultPageSize = 50;
const maximumPageSize = 200;

/** Order of a List, by a column and then by the uid in the same direction. */
export interface Order {
  readonly column: Exclude<OrderField, "group">;
  readonly direction: "ASC" | "DESC";
}

/** The parameters of a List. */
export interface ListQuery {
  readonly conditions: readonly Condition[];
  /** Identifies filters and order, independent of page and caller. */
  readonly identity: string;
  readonly order: Order;
  readonly pageSize: number;
  readonly skip: number;
  readonly pageToken: string;
}

/**
 * Reads the parameters of a List (docs/platform-api.md#list-filters).
 * @param visible the groups in which the caller may list; nothing outside them is found
 * @param place replaces the scope filters and `visible`
 * @throws {ApiError} code 3 for an invalid value.
 */
export function readListQuery(kind: ObjectKind, query: Query, visible: readonly string[], place?: Condition): ListQuery {
  const asked = [...(place === undefined ? scopeConditions(kind, query) : [place]), ...ownConditions(kind, query)];
  const order = readOrder(kind, query.one("order_by") ?? "");
  return {
    conditions: place !== undefined || isInSight(query, visible) ? asked : [...asked, sight(kind, visible)],
    identity: JSON.stringify([kind.collection, asked, order]),
    order,
    pageSize: Math.min(readCount(query, "page_size") || defaultPageSize, maximumPageSize),
    skip: readCount(query, "skip"),
    pageToken: query.one("page_token") ?? "",
  };
}

/** The condition that a row comes after a given value and uid. */
export function after({ column, direction }: Order, value: string, uid: string): Condition {
  const operator = direction === "ASC" ? ">" : "<";
  return column === "uid"
    ? { sql: `uid ${operator} ?`, values: [uid] }
    : { sql: `(${column}, uid) ${operator} (?, ?)`, values: [value, uid] };
}

/** The ORDER BY clause of an order. */
export function orderClause({ column, direction }: Order): string {
  return column === "uid" ? `ORDER BY uid ${direction}` : `ORDER BY ${column} ${direction}, uid ${direction}`;
}

function readCount(query: Query, name: string): number {
  const value = query.one(name);
  if (value === undefined) return 0;
  if (!/^[+-]?\d+$/.test(value) || Number(value) > 0x7fffffff)
    throw gatewayError(`parsing field ${name}: "${value}" is not an int32`);
  if (Number(value) < 0) throw invalidArgument({ field: name, description: `must not be negative, got ${value}` });
  return Number(value);
}

function readOrder(kind: ObjectKind, orderBy: string): Order {
  const asked = orderBy === "" ? (kind.defaultOrder ?? "uid") : orderBy;
  const [, name = "", direction = "asc"] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/i.exec(asked) ?? [];
  const field = kind.orders.find((known) => known === name);
  if (field === undefined) {
    const description = `"${orderBy}" is not an order of ${kind.collection}; use one of ${kind.orders.join(", ")}, then asc or desc`;
    throw invalidArgument({ field: "order_by", description });
  }
  const column = field === "group" ? "uid" : field;
  return { column, direction: direction.toLowerCase() === "desc" ? "DESC" : "ASC" };
}

function scopeConditions(kind: ObjectKind, query: Query): Condition[] {
  const conditions: Condition[] = [];
  const descendantsOf = query.one("uidp.descendants_of") ?? "";
  const childrenOf = query.one("uidp.children_of") ?? "";
  const ancestors = query.one("uidp.ancestors_of") ?? "";
  const ids = query.all("uidp.ids").filter((id) => id !== "");
  if (descendantsOf !== "") conditions.push(below(descendantsOf));
  if (childrenOf !== "") conditions.push({ sql: "parent = ?", values: [childrenOf] });
  if (ancestors !== "") conditions.push(placedAt(kind, ancestorsOf(ancestors)));
  if (query.flag("uidp.in_root")) conditions.push({ sql: "parent = ''", values: [] });
  if (ids.length > 0) conditions.push(anyUid("uid", ids));
  return conditions;
}

/** If the caller sees a scope as a whole, no second condition is needed, and the index walks one range instead of two. */
function isInSight(query: Query, visible: readonly string[]): boolean {
  const scopes = [query.one("uidp.descendants_of"), query.one("uidp.children_of")];
  return scopes.some((scope) => scope !== undefined && visible.some((root) => isWithin(root, scope)));
}

function sight(kind: ObjectKind, visible: readonly string[]): Condition {
  const inGroups = within(visible);
  // Every caller sees built-in roles, which are at the root.
  return kind.collection === "roles" ? { sql: `parent = '' OR (${inGroups.sql})`, values: inGroups.values } : inGroups;
}

/** `ancestors_of`: the groups above a uid, or the objects in those groups for other kinds. */
function placedAt(kind: ObjectKind, groups: readonly string[]): Condition {
  return anyUid(kind.collection === "groups" ? "uid" : "parent", groups);
}

function anyUid(column: string, uids: readonly string[]): Condition {
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(uids)] };
}

function ownConditions(kind: ObjectKind, query: Query): Condition[] {
  const parameters = listParameters(kind.area, kind.collection);
  const given = new Map(
    Object.keys(kind.filters)
      .map((name): [string, readonly string[]] => [name, readValues(query, name, parameters.get(name) ?? {})])
      .filter(([, values]) => values.length > 0),
  );
  for (const [name, ignored] of Object.entries(kind.overrides ?? {})) if (given.has(name)) given.delete(ignored);
  const chosen = [...given].flatMap(([name, values]) => kind.filters[name]?.(values) ?? []);
  const hidden = Object.entries(kind.hidden ?? {}).filter(([name]) => !query.flag(name));
  return [...chosen, ...hidden.map(([, condition]) => condition)];
}

function readValues(query: Query, name: string, schema: Schema): readonly string[] {
  const { enum: names, format } = schema.items ?? schema;
  if (schema.items === undefined) query.one(name);
  if (names !== undefined) return query.oneOf(name, names);
  if (format === "date-time") return [query.time(name) ?? []].flat();
  return query.all(name).filter((value) => value !== "");
}
