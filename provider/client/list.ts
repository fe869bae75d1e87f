import type { Collection, Filter, WireObject } from "./collection";
import { isTooLarge } from "./errors";
import { endless, fetchPage, maxPages, maxPageSize, type Page, type Pages, unique } from "./list-page";
import { type OrderBy, sorted } from "./list-order";
import { incomplete, type Listed, rowsInWindows, type UnreadRow } from "./list-windows";
import type { Query, Transport } from "./transport";
import { isBelow, parentOf, uidPath } from "./uid";
import { uidParts } from "./uid-parts";

/** The scope of a List (docs/platform-api.md#list-filters). */
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
  /** The total number of rows; Infinity if the platform does not return a total. */
  readonly total: number;
}

/** Pages fetched at once when the total is known. */
const pagesAtOnce = 8;

const scopeFilters: { [Name in "descendantsOf" | "childrenOf" | "ancestorsOf" | "inRoot"]: Filter<WireObject, never> } = {
  descendantsOf: { parameter: "uidp.descendants_of", matches: (row, uid: string) => isBelow(row.uid, uid) },
  childrenOf: { parameter: "uidp.children_of", matches: (row, uid: string) => parentOf(row.uid) === uid },
  // Uids show the ancestors only of groups; for other kinds the platform decides.
  ancestorsOf: { parameter: "uidp.ancestors_of" },
  inRoot: { parameter: "uidp.in_root", matches: (row, inRoot: boolean) => !inRoot || parentOf(row.uid) === undefined },
};

/**
 * Every row of a List, each uid once, in the requested order, and the rows that are too large to be read.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` when the pages do not end; `INVALID_INPUT` for a scope that is not a uid
 */
export async function listReadable<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
  signal?: AbortSignal,
): Promise<Listed<Wire>> {
  verifyScope(query);
  if (query.uids === undefined) return readableRows(pagesOf(transport, collection, query, signal));
  const rows: Wire[] = [];
  const unread: UnreadRow[] = [];
  const wanted = [...new Set(query.uids)];
  const parts = uidParts(wanted);
  let isDivided = parts.length > 1;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const chunk = part;
    const pages = pagesOf(transport, collection, { ...query, uids: chunk }, signal);
    const found = await unlessTooLarge(allRows(pages));
    if (found !== undefined) rows.push(...found.filter((row) => chunk.includes(row.uid)));
    else if (chunk.length > 1) {
      // Halves the objects until a single one is left, which is then known to be too large.
      const half = Math.ceil(chunk.length / 2);
      parts.unshift(chunk.slice(0, half), chunk.slice(half));
      isDivided = true;
    } else unread.push(...chunk.map((uid) => ({ uid, position: 1 })));
  }
  return { rows: isDivided ? sorted(rows, query.orderBy) : rows, unread };
}

/** Undefined for an answer that is too large. */
async function unlessTooLarge<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (isTooLarge(error)) return undefined;
    throw error;
  });
}

/**
 * Every row of a List, each uid once, in the requested order.
 *
 * @throws PlatformError see {@link listReadable}; `isTooLarge` if a part of it cannot be read
 */
export async function listAll<Wire extends WireObject, Values extends object>(
  transport: Transport,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
  signal?: AbortSignal,
): Promise<Wire[]> {
  return complete(collection, await listReadable(transport, collection, query, signal));
}

/** The rows of a complete List. @throws PlatformError */
function complete<Wire extends WireObject>(
  { segment }: Pick<Collection<Wire>, "segment">,
  { rows, unread }: Listed<Wire>,
): Wire[] {
  if (unread.length > 0) throw incomplete(`List of ${segment}`, unread);
  return rows;
}

/** The platform treats an empty scope as absent and would return everything. */
function verifyScope({ descendantsOf, childrenOf, ancestorsOf, uids = [] }: ListScope): void {
  for (const uid of [descendantsOf, childrenOf, ancestorsOf, ...uids]) if (uid !== undefined) uidPath(uid);
}

/**
 * The rows of the first page that match the query.
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
  for (let size = most; size > 1; size = Math.floor(size / 2)) {
    const found = await unlessTooLarge(page({ page_size: size }));
    if (found !== undefined) return found.rows.filter(matches);
  }
  return (await page({ page_size: 1 })).rows.filter(matches);
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
  const first = await unlessTooLarge(pages.page());
  if (first === undefined) {
    const rows = complete(collection, await readableRows(pages));
    return { rows: rows.length > most ? undefined : rows, total: rows.length };
  }
  const total = first.nextPageToken === "" ? first.rows.length : (first.total ?? Infinity);
  return { rows: total > most ? undefined : complete(collection, await readableRows(pages, first)), total };
}

/** Every matching row, and the rows that are too large to be read. */
async function readableRows<Wire extends WireObject>(pages: Pages<Wire>, first?: Page<Wire>): Promise<Listed<Wire>> {
  const rows = await unlessTooLarge(allRows(pages, first));
  if (rows !== undefined) return { rows, unread: [] };
  const listed = await rowsInWindows(pages);
  return { ...listed, rows: listed.rows.filter(pages.matches) };
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

/** Every matching row, by offset if that is faster, otherwise by cursor. */
async function allRows<Wire extends WireObject>(pages: Pages<Wire>, start?: Page<Wire>): Promise<Wire[]> {
  const { pageSize, matches } = pages;
  const first = start ?? (await pages.page());
  const unread = first.total === undefined ? 0 : first.total - first.rows.length;
  const isWorthwhile = pageSize > 1 && unread > pageSize && unread < maxPages * pageSize;
  // If the first page is not of the requested size, offsets would skip or repeat rows.
  const canSkip = isWorthwhile && first.nextPageToken !== "" && first.rows.length === pageSize;
  const rows = (canSkip ? await rowsByOffset(pages, first) : undefined) ?? (await rowsByCursor(pages, first));
  return rows.filter(matches);
}

/**
 * Fetches pages that overlap by one row. If all overlaps agree and the last page ends the list, every row that existed throughout was read.
 *
 * @returns undefined when they do not agree, because rows came or went meanwhile; a cursor cannot miss a row
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
    if (seen.has(token) || count >= maxPages) throw endless(what, count);
    seen.add(token);
    const next = await page({ page_token: token });
    rows.push(...next.rows);
    token = next.nextPageToken;
  }
  return unique(rows);
}
