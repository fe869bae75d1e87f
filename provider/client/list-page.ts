import { z } from "zod";
import { parseAs } from "./answer";
import type { Collection, WireObject } from "./collection";
import { PlatformError } from "./errors";
import type { Query, Transport } from "./transport";

/** A page may hold this many rows at most (SPEC §8). */
export const maxPageSize = 200;

/** Characters of a cursor, which goes into an address: no server takes a longer one. */
const longestPageToken = 4_096;

/** One page of a List. */
export interface Page<Wire> {
  rows: Wire[];
  nextPageToken: string;
  total: number | undefined;
  /** True for `{}`: an empty list of a server that leaves out every default, or no platform at all. */
  isBare: boolean;
}

/**
 * Reads one page.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` for anything but the envelope of a List (SPEC §2)
 */
export async function fetchPage<Wire extends WireObject>(
  transport: Transport,
  collection: Collection<Wire>,
  query: Query,
  signal?: AbortSignal,
): Promise<Page<Wire>> {
  const { segment } = collection;
  const envelope = await fetchEnvelope(transport, collection, { ...collection.listParameters, ...query }, signal);
  const isBare = isEmptyObject(envelope);
  const isList = [envelope[segment], envelope.totalCount, envelope.nextPageToken].some((member) => member !== undefined);
  if (isBare ? !(await leavesDefaultsOut(transport)) : !isList) throw noEnvelope(segment);
  const what = `List of ${segment}`;
  const rows = parseAs(rowsSchema, envelope[segment] ?? [], what);
  if (rows.length > maxPageSize)
    throw new PlatformError("UNEXPECTED_ANSWER", `${what}: a page of ${rows.length} rows, where ${maxPageSize} are the most.`);
  return {
    rows: parseAs(z.array(collection.schema), rows, what),
    nextPageToken: envelope.nextPageToken ?? "",
    total: envelope.totalCount === undefined ? undefined : Number(envelope.totalCount),
    isBare,
  };
}

/** Whether the platform behind a transport writes members that have their default value, as its Lists have shown. */
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
 * True where `{}` can be an empty List: the platform leaves out every member that says nothing (API-FACTS §2.0). Elsewhere, and
 * where nothing shows which it is, `{}` is an answer gone wrong, and to take it for "none there" would double what is.
 */
async function leavesDefaultsOut(transport: Transport): Promise<boolean> {
  if (!writesDefaults.has(transport)) await fetchEnvelope(transport, groupList, { page_size: 1 });
  return writesDefaults.get(transport) === false;
}

/** The List that is never empty: whoever has credentials sees a group. */
const groupList = { area: "iam", segment: "groups" } as const;

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

/** What an answer is that does not have the envelope of a List. */
export function noEnvelope(segment: string): PlatformError {
  return new PlatformError("UNEXPECTED_ANSWER", `List of ${segment}: the answer has no ${segment}. Is the address right?`);
}
