import { z } from "zod";
import { parseAs } from "./answer";
import type { Collection, WireObject } from "./collection";
import { PlatformError } from "./errors";
import type { Query, Transport } from "./transport";

/** Maximum number of rows of a page (docs/platform-api.md#list-pages). */
export const maxPageSize = 200;

/** More pages than any organisation has, to stop a List that never ends. */
export const maxPages = 2_000;

/** Maximum number of characters of a cursor. A cursor is part of an address, and servers reject longer ones. */
const longestPageToken = 4_096;

/** One page of a List. */
export interface Page<Wire> {
  rows: Wire[];
  nextPageToken: string;
  total: number | undefined;
}

/** A List that is ready to be fetched page by page. */
export interface Pages<Wire> {
  /** The subject of the query, for errors. */
  readonly what: string;
  readonly pageSize: number;
  /** Fetches one page, either the first or the page of `where`. */
  readonly page: (where?: Query) => Promise<Page<Wire>>;
  /** Whether a row matches the query. Checked here because the platform ignores unknown filters. */
  readonly matches: (row: Wire) => boolean;
}

/**
 * Fetches one page.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` for anything but the envelope of a List (docs/platform-api.md#list-envelope)
 */
export async function fetchPage<Wire extends WireObject>(
  transport: Transport,
  collection: Collection<Wire>,
  query: Query,
  signal?: AbortSignal,
): Promise<Page<Wire>> {
  const { segment } = collection;
  const envelope = await fetchEnvelope(transport, collection, { ...collection.listParameters, ...query }, signal);
  const { totalCount, nextPageToken } = envelope;
  const isList = [envelope[segment], totalCount, nextPageToken].some((member) => member !== undefined);
  const mayBeEmpty = isEmptyObject(envelope) || isEndAfterOthers(envelope, query);
  if (!isList && !(mayBeEmpty && (await leavesDefaultsOut(transport)))) throw noEnvelope(segment);
  const what = `List of ${segment}`;
  const rows = parseAs(rowsSchema, envelope[segment] ?? [], what);
  if (rows.length > maxPageSize)
    throw new PlatformError(
      "UNEXPECTED_ANSWER",
      `${what}: a page of ${rows.length} rows, more than the maximum of ${maxPageSize}. Check the API address.`,
    );
  return {
    rows: parseAs(z.array(collection.schema), rows, what),
    nextPageToken: nextPageToken ?? "",
    total: totalCount === undefined ? undefined : Number(totalCount),
  };
}

/** The error for a List that has no end. @param count number of pages read */
export function endless(what: string, count: number): PlatformError {
  const why = `the pages do not end (after ${count}). Run again; if it persists, report it to the platform.`;
  return new PlatformError("UNEXPECTED_ANSWER", `${what}: ${why}`);
}

/** An expired cursor silently restarts from the beginning (docs/platform-api.md#list-pages), so a row may appear twice. */
export function unique<Wire extends WireObject>(rows: readonly Wire[]): Wire[] {
  return [...new Map(rows.map((row) => [row.uid, row])).values()];
}

/** Whether the platform behind a transport writes members with default values, as observed in its Lists. */
const writesDefaults = new WeakMap<Transport, boolean>();

async function fetchEnvelope(
  transport: Transport,
  { area, segment }: Pick<Collection<WireObject>, "area" | "segment">,
  query: Query,
  signal?: AbortSignal,
): Promise<z.infer<typeof envelopeSchema>> {
  const path = `/${area}/{version}/${segment}`;
  const json = await transport.call({ method: "GET", path, query, repetition: "repeatable", signal });
  const envelope = parseAs(envelopeSchema, json, `List of ${segment}`);
  const rows = envelope[segment];
  const hasDefault = envelope.nextPageToken === "" || envelope["skipped"] === 0 || (Array.isArray(rows) && rows.length === 0);
  if (hasDefault) writesDefaults.set(transport, true);
  else if (Array.isArray(rows) && !writesDefaults.has(transport)) writesDefaults.set(transport, false);
  return envelope;
}

/**
 * True if `{}` can be an empty List because the platform omits members with default values (docs/platform-api.md#defaults). If it does not
 * omit them, or this is unknown, `{}` is a broken answer, and reading it as "no rows" would lead to duplicates.
 */
async function leavesDefaultsOut(transport: Transport): Promise<boolean> {
  if (!writesDefaults.has(transport)) await fetchEnvelope(transport, groupList, { page_size: 1 });
  return writesDefaults.get(transport) === false;
}

/** A List that is never empty, because every identity sees at least one group. */
const groupList = { area: "iam", segment: "groups" } as const;

/** True for a later page that contains only the number of rows before it (docs/platform-api.md#list-envelope). */
function isEndAfterOthers({ skipped, ...others }: Record<string, unknown>, query: Query): boolean {
  const isLater = query["skip"] !== undefined || query["page_token"] !== undefined;
  return isLater && isEmptyObject(others) && /^[1-9]\d*$/.test(String(skipped));
}

function isEmptyObject(envelope: object): boolean {
  return Object.values(envelope).every((member) => member === undefined);
}

const rowsSchema = z.array(z.unknown());

const envelopeSchema = z.looseObject({
  nextPageToken: z
    .string()
    .max(longestPageToken)
    .nullish()
    .transform((value) => value ?? undefined),
  totalCount: z
    .union([z.string().regex(/^\d+$/), z.number().int().min(0)])
    .nullish()
    .transform((value) => value ?? undefined),
});

/** The error for an answer without the envelope of a List. */
function noEnvelope(segment: string): PlatformError {
  return new PlatformError("UNEXPECTED_ANSWER", `List of ${segment}: the response has no ${segment}. Check the API address.`);
}
