import type { Collection, Filter, WireObject } from "./collection";
import { PlatformError } from "./errors";
import { fetchPage, maxPageSize, noEnvelope, type Page } from "./list-page";
import type { Query, Transport } from "./transport";
import { isBelow, parentOf, uidPath } from "./uid";

/** Fields that a List is known to sort by; the platform may know more. */
export type SortField = "uid" | "name" | "created_at" | "updated_at";

/** A sort field, ascending unless it is followed by `desc` (SPEC §4). */
export type OrderBy = SortField | `${SortField} asc` | `${SortField} desc` | (string & {});

/** What every List can be asked (SPEC §4, API-FACTS §3.1). */
export interface Scope {
  /** Only objects anywhere below this uid. */
  descendantsOf?: string;
  /** Only direct children of this uid. */
  childrenOf?: string;
  /** Only the objects that this uid lies in. */
  ancestorsOf?: string;
  /** Only objects at the root, outside every group. */
  inRoot?: boolean;
  /** Only the objects with these uids. */
  uids?: string[];
  /** Order of the rows. Default: by uid. */
  orderBy?: OrderBy;
  /** Rows per request, 1 to 200; the result always holds every page. Default 200. */
  pageSize?: number;
}

/** More pages than any organisation has: a server that never ends its list is stopped here. */
const maxPages = 2_000;

/** Pages that are fetched at once when the total is known. */
const pagesAtOnce = 8;

/** Uids per request, so that the address stays below what servers accept (API-FACTS §3.3). */
const uidsPerRequest = 40;

const scopeFilters: { [Name in "descendantsOf" | "childrenOf" | "ancestorsOf" | "inRoot"]: Filter<WireObject, never> } = {
  descendantsOf: { parameter: "uidp.descendants_of", matches: (row, uid: string) => isBelow(row.uid, uid) },
  childrenOf: { parameter: "uidp.children_of", matches: (row, uid: string) => parentOf(row.uid) === uid },
  // What lies upward of a uid is clear for groups alone; for other kinds only the platform can tell.
  ancestorsOf: { parameter: "uidp.ancestors_of" },
  inRoot: { parameter: "uidp.in_root", matches: (row, inRoot: boolean) => !inRoot || parentOf(row.uid) === undefined },
};

/**
 * Every row of a List, each uid once, in the order asked for.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` when the pages do not end; `INVALID_INPUT` for a scope that is no uid
 */
export async function listAll<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Scope & Values,
  signal?: AbortSignal,
): Promise<Wire[]> {
  const { uids, ...rest } = query;
  verifyScope(query);
  if (uids === undefined) return listQuery(transport, collection, query, signal);
  const rows: Wire[] = [];
  const wanted = [...new Set(uids)];
  for (let start = 0; start < wanted.length; start += uidsPerRequest) {
    const chunk = wanted.slice(start, start + uidsPerRequest);
    const found = await listQuery(transport, collection, rest as Scope & Values, signal, chunk);
    rows.push(...found.filter((row) => chunk.includes(row.uid)));
  }
  return wanted.length > uidsPerRequest ? sorted(rows, query.orderBy) : rows;
}

/** The platform takes an empty scope for none and would answer everything. */
function verifyScope({ descendantsOf, childrenOf, ancestorsOf, uids = [] }: Scope): void {
  for (const uid of [descendantsOf, childrenOf, ancestorsOf, ...uids]) if (uid !== undefined) uidPath(uid);
}

function ascending(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Rows of several requests in one order, equal ones by uid: the platform could order each request alone. */
function sorted<Wire extends WireObject>(rows: Wire[], orderBy: OrderBy = "uid"): Wire[] {
  const [field = "", direction] = orderBy.split(" ");
  const isTime = field.endsWith("_at");
  // The query says `created_at` where rows say `createTime` (SPEC §4).
  const member = field.replace(/d_at$/, "Time");
  const keyed = rows.map((row) => {
    const value = (row as Record<string, unknown>)[member];
    const text = typeof value === "string" ? value : "";
    return { row, key: isTime ? Date.parse(text) || 0 : text };
  });
  const sign = direction === "desc" ? -1 : 1;
  keyed.sort((one, other) => sign * (ascending(one.key, other.key) || ascending(one.row.uid, other.row.uid)));
  return keyed.map(({ row }) => row);
}

/**
 * The first page of one row, which shows that the List of a collection works.
 *
 * @returns the row, or undefined when the list is empty
 * @throws PlatformError `UNEXPECTED_ANSWER` for an answer without the envelope of a List, `{}` among them: it proves nothing
 */
export async function listOne<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
): Promise<Wire | undefined> {
  const page = await fetchPage(transport, collection, { page_size: 1 });
  if (page.isBare) throw noEnvelope(collection.segment);
  return page.rows[0];
}

/**
 * The rows of the first page that fit the query: enough to see what a List shows.
 *
 * @param most rows of the page
 */
export async function listSome<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Omit<Scope, "uids"> & Values,
  most: number,
): Promise<Wire[]> {
  verifyScope(query);
  const asked = ask(collection, { ...query, pageSize: most });
  const page = await fetchPage(transport, collection, asked.parameters);
  return page.rows.filter(asked.matches);
}

/**
 * Every row of a List, if these are `most` at most.
 *
 * @returns the total, when there are more; Infinity from a platform that does not tell it
 */
export async function listUpTo<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Omit<Scope, "uids"> & Values,
  most: number,
  signal?: AbortSignal,
): Promise<Wire[] | number> {
  verifyScope(query);
  const asked = ask(collection, query);
  const first = await fetchPage(transport, collection, asked.parameters, signal);
  const total = first.nextPageToken === "" ? first.rows.length : (first.total ?? Infinity);
  if (total > most) return total;
  const mostPages = Math.min(maxPages, Math.ceil(most / asked.pageSize) + 1);
  return (await pages(transport, collection, { ...asked, mostPages }, first, signal)).filter(asked.matches);
}

async function listQuery<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Scope & Values,
  signal: AbortSignal | undefined,
  uids?: string[],
): Promise<Wire[]> {
  const asked = ask(collection, query, uids);
  const first = await fetchPage(transport, collection, asked.parameters, signal);
  return (await pages(transport, collection, asked, first, signal)).filter(asked.matches);
}

/** What a query sends, and what its rows must be like. */
interface Asked<Wire> {
  parameters: Query;
  pageSize: number;
  /** Pages after which the List is taken not to end. */
  mostPages: number;
  matches: (row: Wire) => boolean;
}

function ask<Wire extends WireObject, Values extends object>(
  collection: Collection<Wire, Values>,
  query: Scope & Values,
  uids?: string[],
): Asked<Wire> {
  const { orderBy, pageSize = maxPageSize, uids: _uids, ...values } = query as Scope;
  const filters = Object.entries({ ...scopeFilters, ...collection.filters }) as [string, Filter<Wire, unknown>][];
  const asked = filters.flatMap(([name, filter]) => {
    const value = (values as Record<string, unknown>)[name];
    return value === undefined ? [] : [{ filter, value }];
  });
  const parameters: Query = { page_size: pageSize, order_by: orderBy, "uidp.ids": uids };
  for (const { filter, value } of asked) parameters[filter.parameter] = value as Query[string];
  return {
    parameters,
    pageSize,
    mostPages: maxPages,
    matches: (row) => asked.every(({ filter, value }) => filter.matches?.(row, value) ?? true),
  };
}

async function pages<Wire extends WireObject>(
  transport: Transport,
  collection: Collection<Wire>,
  { parameters, pageSize, mostPages }: Asked<Wire>,
  first: Page<Wire>,
  signal?: AbortSignal,
): Promise<Wire[]> {
  const unread = first.total === undefined ? 0 : first.total - first.rows.length;
  const isWorthwhile = pageSize > 1 && unread > pageSize && unread < maxPages * pageSize;
  // A first page of another size than asked would make the offsets of the next ones wrong.
  if (isWorthwhile && first.nextPageToken !== "" && first.rows.length === pageSize) {
    const rows = await pagesByOffset(transport, collection, parameters, pageSize, first, signal);
    if (rows !== undefined) return rows;
  }
  return pagesByCursor(transport, collection, parameters, first, mostPages, signal);
}

/**
 * Each page begins with the row that ends the one before. Where all these rows agree and the last page ends the
 * list, no row that was there all the time is missing.
 *
 * @returns undefined when that does not hold, for rows came or went meanwhile; the cursor cannot miss one
 */
async function pagesByOffset<Wire extends WireObject>(
  transport: Transport,
  collection: Collection<Wire>,
  parameters: Query,
  pageSize: number,
  first: Page<Wire>,
  signal: AbortSignal | undefined,
): Promise<Wire[] | undefined> {
  const { total = 0 } = first;
  const stride = pageSize - 1;
  const count = Math.ceil((total - 1) / stride);
  const found = [first];
  let next = 1;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      found[index] = await fetchPage(transport, collection, { ...parameters, skip: index * stride }, signal);
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, worker)).catch((error: unknown) => {
    next = count;
    throw error;
  });
  const isJoined = found.every((page, index) => index === 0 || page.rows[0]?.uid === found[index - 1]?.rows.at(-1)?.uid);
  const rows = unique(found.flatMap((page) => page.rows));
  return isJoined && found.at(-1)?.nextPageToken === "" && rows.length === total ? rows : undefined;
}

async function pagesByCursor<Wire extends WireObject>(
  transport: Transport,
  collection: Collection<Wire>,
  parameters: Query,
  first: Page<Wire>,
  mostPages: number,
  signal: AbortSignal | undefined,
): Promise<Wire[]> {
  const rows = [...first.rows];
  const seen = new Set<string>();
  for (let token = first.nextPageToken, count = 1; token !== ""; count++) {
    if (seen.has(token) || count >= mostPages) {
      throw new PlatformError("UNEXPECTED_ANSWER", `List of ${collection.segment}: the pages do not end (after ${count}).`);
    }
    seen.add(token);
    const page = await fetchPage(transport, collection, { ...parameters, page_token: token }, signal);
    rows.push(...page.rows);
    token = page.nextPageToken;
  }
  return unique(rows);
}

/** A cursor that expired restarts silently from the beginning (SPEC §8), so a row may come twice. */
function unique<Wire extends WireObject>(rows: Wire[]): Wire[] {
  return [...new Map(rows.map((row) => [row.uid, row])).values()];
}
