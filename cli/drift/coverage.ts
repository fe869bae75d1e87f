import type { InventoryObject } from "../../inventory/objects";
import type { DriftDocument } from "../documents/drift";

type Row = DriftDocument["groups"][number];
type Counted = "managed" | "unmanaged" | "unreadable";

/** How many objects are managed, by group and kind. */
export class Coverage {
  readonly #rows = new Map<string, Row>();

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

  byKind(): Omit<Row, "group">[] {
    const byKind = Map.groupBy(this.#rows.values(), ({ kind }) => kind);
    const sum = (rows: readonly Row[], what: Counted) => rows.reduce((total, row) => total + row[what], 0);
    return [...byKind]
      .map(([kind, rows]) => ({
        kind,
        managed: sum(rows, "managed"),
        unmanaged: sum(rows, "unmanaged"),
        unreadable: sum(rows, "unreadable"),
      }))
      .sort((one, other) => (one.kind < other.kind ? -1 : 1));
  }

  byGroup(): Row[] {
    const key = ({ group, kind }: Row) => `${group}\n${kind}`;
    return [...this.#rows.values()].sort((one, other) => (key(one) < key(other) ? -1 : 1));
  }
}
