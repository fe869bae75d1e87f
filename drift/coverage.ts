import { z } from "zod";
import type { InventoryObject } from "../inventory/objects";

/** A row of the coverage: the objects of one kind in one group. */
export const coverageSchema = z.object({
  kind: z.string(),
  group: z.string().describe("Path of the group that the objects are in; its uid if unknown."),
  managed: z.number().int().describe("Objects on the platform that a state has."),
  unmanaged: z.number().int().describe("Objects on the platform that no state has."),
  unreadable: z.number().int().describe("Objects in states of which it is not known whether they exist."),
});

/** A row of {@link coverageSchema}. */
export type CoverageRow = z.infer<typeof coverageSchema>;
type Counted = "managed" | "unmanaged" | "unreadable";

/** The number of managed objects, by group and kind. */
export class Coverage {
  readonly #rows = new Map<string, CoverageRow>();

  constructor(private readonly pathOf: (uid: string) => string | undefined) {}

  count({ kind, uid, place = uid }: InventoryObject, what: Counted): void {
    const key = `${place} ${kind}`;
    const row = this.#rows.get(key) ?? { kind, group: this.pathOf(place) ?? place, managed: 0, unmanaged: 0, unreadable: 0 };
    row[what]++;
    this.#rows.set(key, row);
  }

  /** The number of objects of the kind that are unreadable. */
  unreadable(kind: string): number {
    return this.byKind().find((row) => row.kind === kind)?.unreadable ?? 0;
  }

  byKind(): Omit<CoverageRow, "group">[] {
    const byKind = Map.groupBy(this.#rows.values(), ({ kind }) => kind);
    const sum = (rows: readonly CoverageRow[], what: Counted) => rows.reduce((total, row) => total + row[what], 0);
    return [...byKind]
      .map(([kind, rows]) => ({
        kind,
        managed: sum(rows, "managed"),
        unmanaged: sum(rows, "unmanaged"),
        unreadable: sum(rows, "unreadable"),
      }))
      .sort((one, other) => (one.kind < other.kind ? -1 : 1));
  }

  byGroup(): CoverageRow[] {
    const key = ({ group, kind }: CoverageRow) => `${group}\n${kind}`;
    return [...this.#rows.values()].sort((one, other) => (key(one) < key(other) ? -1 : 1));
  }
}
