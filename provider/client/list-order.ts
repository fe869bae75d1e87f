import type { WireObject } from "./collection";

/** Fields that Lists are known to sort by; the platform may take more. */
export type SortField = "uid" | "name" | "created_at" | "updated_at";

/** A sort field, ascending unless followed by `desc` (docs/platform-api.md#list-order). */
export type OrderBy = SortField | `${SortField} asc` | `${SortField} desc` | (string & {});

function ascending(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Rows of several requests in one order, with ties by uid. The platform ordered each request separately. */
export function sorted<Wire extends WireObject>(rows: Wire[], orderBy: OrderBy = "uid"): Wire[] {
  const [field = "", direction] = orderBy.split(" ");
  const isTime = field.endsWith("_at");
  // The query says `created_at`, but rows say `createTime`.
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
