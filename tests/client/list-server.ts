import { type Answer, type HttpDouble, type Seen, startServer } from "../support/http-double";
import { group } from "./support";

/** A row of a list; every object has at least this. */
export interface Row {
  uid: string;
  [member: string]: unknown;
}

/** The behaviour of a List that a test may change (docs/platform-api.md#lists). */
export interface ListBehaviour {
  /** Key of the envelope. Default `groups`. */
  key?: string;
  /** Does something before the `count`-th request is answered, from 1. */
  before?: (count: number, rows: Row[]) => void;
  /** Total in the answer. Default: the true one; null omits it. */
  total?: (rows: Row[]) => string | number | null;
  /** Changes the answer to the `count`-th request. */
  answer?: (page: Page, seen: Seen, count: number) => Answer | undefined;
}

/** One page (docs/platform-api.md#list-envelope). */
export interface Page {
  rows: Row[];
  nextPageToken: string;
}

/** Groups `root/00000` and so on. */
export function manyRows(count: number, more: (index: number) => object = () => ({})): Row[] {
  return Array.from({ length: count }, (_, index) => ({ ...group(`root/${String(index).padStart(5, "0")}`), ...more(index) }));
}

/**
 * A List over `rows`, which is kept sorted by uid: pages by cursor (the uid of the last row, so that changes before it do
 * not move it) and by `skip`, with scopes by uid.
 */
export async function startList(rows: Row[], { key = "groups", before, total, answer }: ListBehaviour = {}): Promise<HttpDouble> {
  return startServer((seen, count) => {
    before?.(count, rows);
    const [field = "uid", direction] = (seen.query.get("order_by") ?? "uid").split(" ");
    const sign = direction === "desc" ? -1 : 1;
    const text = (row: Row) => `${String(row[field.replace(/d_at$/, "Time")])}\0${row.uid}`;
    const sorted = rows.toSorted((one, other) => (text(one) < text(other) ? -sign : sign));
    const ids = seen.query.getAll("uidp.ids");
    const listed = sorted.filter((row) => ids.length === 0 || ids.includes(row.uid));
    const cursor = seen.query.get("page_token");
    const after =
      cursor === null ? -1 : listed.findIndex((row) => sign * (text(row) < cursor ? -1 : text(row) > cursor ? 1 : 0) > 0);
    const start = (cursor === null ? 0 : after < 0 ? listed.length : after) + Number(seen.query.get("skip") ?? 0);
    const size = Number(seen.query.get("page_size") ?? 50);
    const page = listed.slice(start, start + size);
    const last = page.at(-1);
    const nextPageToken = last && start + size < listed.length ? text(last) : "";
    const changed = answer?.({ rows: page, nextPageToken }, seen, count);
    if (changed) return changed;
    const shown = total ? total(listed) : String(listed.length);
    return { body: { [key]: page, nextPageToken, skipped: 0, ...(shown !== null && { totalCount: shown }) } };
  });
}

/** How a list was read: the requests by `skip`, and by cursor after the first page. */
export function ways(server: HttpDouble): { bySkip: number; byCursor: number } {
  return {
    bySkip: server.seen.filter((seen) => seen.query.has("skip")).length,
    byCursor: server.seen.filter((seen) => seen.query.has("page_token")).length,
  };
}
