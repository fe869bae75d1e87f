import type { Collection, Filter, WireObject } from "./collection";
import { PlatformError } from "./errors";
import { fetchPage, maxPageSize, type Page } from "./list-page";
import type { Query, Transport } from "./transport";
import { isBelow, parentOf, uidPath } from "./uid";

/** Fields that Lists are known to sort by; the platform may take more. */
export type SortField = "uid" | "name" | "created_at" | "updated_at";

/** A sort field, ascending unless followed by `desc` (docs/platform-api.md#list-order). */
export type OrderBy = SortField | `${SortField} asc` | `${SortField} desc` | (string & {});

/** What every List can be asked for (docs/platform-api.md#list-filters). */
export interface ListScope {
  /** Only objects anywhere below this uid. */
  descendantsOf?: string;
  /** Only direct children of this uid. */
  childrenOf?: string;
  /** Only the ancestors of this uid. */
  ancestorsOf?: string;
  /** Only objects at the root, outside every group. */
  inRoot?: boolean;
  /** Only the objects with these uids. */
  uids?: string[];
  /** Field to sort by: `uid`, `name`, `created_at` or `updated_at`, alone or followed by ` desc`. Default: `uid`. */
  orderBy?: OrderBy;
  /** Rows per request, 1 to 200; the result always holds every page. Default: 200. */
  pageSize?: number;
}

/** A List of limited length. */
export interface Limited<Wire> {
  /** Every row; undefined if there are more than the limit. */
  readonly rows: Wire[] | undefined;
  /** How many there are; Infinity where the platform does not return a total. */
  readonly total: number;
}

/** More pages than any organisation has, so that a server which never ends its list is stopped. */
const maxPages = 2_000;

/** Pages fetched at once when the total is known. */
const pagesAtOnce = 8;

/** Uids per request, so that the address stays as short as servers require (RFC 9110 §4.1). */
const uidsPerRequest = 40;

const scopeFilters: { [Name in "descendantsOf" | "childrenOf" | "ancestorsOf" | "inRoot"]: Filter<WireObject, never> } = {
  descendantsOf: { parameter: "uidp.descendants_of", matches: (row, uid: string) => isBelow(row.uid, uid) },
  childrenOf: { parameter: "uidp.children_of", matches: (row, uid: string) => parentOf(row.uid) === uid },
  // Uids show the ancestors of groups only; for other kinds the platform decides.
  ancestorsOf: { parameter: "uidp.ancestors_of" },
  inRoot: { parameter: "uidp.in_root", matches: (row, inRoot: boolean) => !inRoot || parentOf(row.uid) === undefined },
};

/**
 * Every row of a List, each uid once, in the requested order.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` when the pages do not end; `INVALID_INPUT` for a scope that is not a uid
 */
export async function listAll<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
  signal?: AbortSignal,
): Promise<Wire[]> {
  verifyScope(query);
  if (query.uids === undefined) return listQuery(transport, collection, query, signal);
  const rows: Wire[] = [];
  const wanted = [...new Set(query.uids)];
  for (let start = 0; start < wanted.length; start += uidsPerRequest) {
    const chunk = wanted.slice(start, start + uidsPerRequest);
    const found = await listQuery(transport, collection, { ...query, uids: chunk }, signal);
    rows.push(...found.filter((row) => chunk.includes(row.uid)));
  }
  return wanted.length > uidsPerRequest ? sorted(rows, query.orderBy) : rows;
}

/** The platform treats an empty scope as absent and would return everything. */
function verifyScope({ descendantsOf, childrenOf, ancestorsOf, uids = [] }: ListScope): void {
  for (const uid of [descendantsOf, childrenOf, ancestorsOf, ...uids]) if (uid !== undefined) uidPath(uid);
}

function ascending(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Rows of several requests in one order, ties by uid: the platform ordered each request alone. */
function sorted<Wire extends WireObject>(rows: Wire[], orderBy: OrderBy = "uid"): Wire[] {
  const [field = "", direction] = orderBy.split(" ");
  const isTime = field.endsWith("_at");
  // The query says `created_at` where rows say `createTime`.
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
 * The rows of the first page that match the query: enough to see what a List shows.
 *
 * @param most rows of the page
 */
export async function listSome<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Omit<ListScope, "uids"> & Values,
  most: number,
): Promise<Wire[]> {
  verifyScope(query);
  const { page, matches } = pagesOf(transport, collection, { ...query, pageSize: most });
  return (await page()).rows.filter(matches);
}

/** Every row of a List with at most `most` rows. */
export async function listUpTo<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: Omit<ListScope, "uids"> & Values,
  { most, signal }: { most: number; signal?: AbortSignal | undefined },
): Promise<Limited<Wire>> {
  verifyScope(query);
  const pages = pagesOf(transport, collection, query, signal);
  const first = await pages.page();
  const total = first.nextPageToken === "" ? first.rows.length : (first.total ?? Infinity);
  return { rows: total > most ? undefined : await allRows(pages, first), total };
}

async function listQuery<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
  signal: AbortSignal | undefined,
): Promise<Wire[]> {
  const pages = pagesOf(transport, collection, query, signal);
  return allRows(pages, await pages.page());
}

/** A List that is ready to be fetched page by page. */
interface Pages<Wire> {
  /** What the query is about, for errors. */
  what: string;
  pageSize: number;
  /** Fetches one page: the first, or the one that `where` says. */
  page: (where?: Query) => Promise<Page<Wire>>;
  /** Whether a row matches the query: the platform ignores filters that it does not know. */
  matches: (row: Wire) => boolean;
}

function pagesOf<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
  signal?: AbortSignal,
): Pages<Wire> {
  const { orderBy, pageSize = maxPageSize, uids, ...values } = query as ListScope;
  const filters = Object.entries({ ...scopeFilters, ...collection.filters }) as [string, Filter<Wire, unknown>][];
  const applied = filters.flatMap(([name, filter]) => {
    const value = (values as Record<string, unknown>)[name];
    return value === undefined ? [] : [{ filter, value }];
  });
  const parameters: Query = { page_size: pageSize, order_by: orderBy, "uidp.ids": uids };
  for (const { filter, value } of applied) parameters[filter.parameter] = value as Query[string];
  return {
    what: `List of ${collection.segment}`,
    pageSize,
    page: (where) => fetchPage(transport, collection, { ...parameters, ...where }, signal),
    matches: (row) => applied.every(({ filter, value }) => filter.matches?.(row, value) ?? true),
  };
}

/** Every row that matches, by offset where that is faster, else by cursor. */
async function allRows<Wire extends WireObject>(pages: Pages<Wire>, first: Page<Wire>): Promise<Wire[]> {
  const { pageSize, matches } = pages;
  const unread = first.total === undefined ? 0 : first.total - first.rows.length;
  const isWorthwhile = pageSize > 1 && unread > pageSize && unread < maxPages * pageSize;
  // If the first page is not of the requested size, offsets would skip or repeat rows.
  const canSkip = isWorthwhile && first.nextPageToken !== "" && first.rows.length === pageSize;
  const rows = (canSkip ? await rowsByOffset(pages, first) : undefined) ?? (await rowsByCursor(pages, first));
  return rows.filter(matches);
}

/**
 * Fetches pages that overlap by one row. If all overlaps agree and the last page ends the list, no row that existed throughout
 * is missing.
 *
 * @returns undefined when they do not, because rows came or went meanwhile; a cursor cannot miss a row
 */
async function rowsByOffset<Wire extends WireObject>(
  { page, pageSize }: Pages<Wire>,
  first: Page<Wire>,
): Promise<Wire[] | undefined> {
  const { total = 0 } = first;
  const stride = pageSize - 1;
  const count = Math.ceil((total - 1) / stride);
  const found = [first];
  let next = 1;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) found[index] = await page({ skip: index * stride });
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, worker)).catch((error: unknown) => {
    next = count;
    throw error;
  });
  const isJoined = found.every(({ rows }, index) => index === 0 || rows[0]?.uid === found[index - 1]?.rows.at(-1)?.uid);
  const rows = unique(found.flatMap((each) => each.rows));
  return isJoined && found.at(-1)?.nextPageToken === "" && rows.length === total ? rows : undefined;
}

async function rowsByCursor<Wire extends WireObject>({ what, page }: Pages<Wire>, first: Page<Wire>): Promise<Wire[]> {
  const rows = [...first.rows];
  const seen = new Set<string>();
  for (let token = first.nextPageToken, count = 1; token !== ""; count++) {
    if (seen.has(token) || count >= maxPages) {
      const why = `the pages do not end (after ${count}). Run again; if it persists, report it to the platform.`;
      throw new PlatformError("UNEXPECTED_ANSWER", `${what}: ${why}`);
    }
    seen.add(token);
    const next = await page({ page_token: token });
    rows.push(...next.rows);
    token = next.nextPageToken;
  }
  return unique(rows);
}

/** An expired cursor silently restarts from the beginning (docs/platform-api.md#list-pages), so a row may come twice. */
function unique<Wire extends WireObject>(rows: Wire[]): Wire[] {
  return [...new Map(rows.map((row) => [row.uid, row])).values()];
}
