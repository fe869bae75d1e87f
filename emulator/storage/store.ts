import type { SQLInputValue } from "node:sqlite";
import type { Database } from "./database";
import type { JsonObject } from "../wire/json";
import { newUid } from "./uid";

/** One stored object. `fields` holds the members that have no column, by wire name. */
export interface Row {
  readonly kind: string;
  readonly uid: string;
  readonly parent: string;
  readonly createTime: string;
  readonly updateTime: string;
  readonly fields: JsonObject;
}

/** A condition of a query, with SQL and the values of its placeholders. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const columns = "kind, uid, parent, created_at, updated_at, fields";

/** Order and page of a query. */
export interface Page {
  /** An ORDER BY clause. */
  readonly order?: string;
  /** Defaults to all rows. */
  readonly limit?: number;
  readonly offset?: number;
}

/** The objects of all kinds. */
export class Store {
  constructor(private readonly database: Database) {}

  /** One object, or undefined. */
  get(kind: string, uid: string): Row | undefined {
    return this.select(kind, [{ sql: "uid = ?", values: [uid] }])[0];
  }

  /** Objects of a kind that meet the conditions. */
  select(kind: string, conditions: readonly Condition[], { order = "", limit = -1, offset = 0 }: Page = {}): Row[] {
    const { sql, values } = conjunction(conditions);
    return this.database
      .statement(`SELECT ${columns} FROM objects WHERE kind = ?${sql} ${order} LIMIT ? OFFSET ?`)
      .all(kind, ...values, limit, offset)
      .map(rowOf);
  }

  /** The number of objects of a kind that meet the conditions. */
  count(kind: string, conditions: readonly Condition[]): number {
    const { sql, values } = conjunction(conditions);
    const counted = this.database.statement(`SELECT count(*) AS total FROM objects WHERE kind = ?${sql}`).get(kind, ...values);
    return Number(counted?.["total"]);
  }

  /** Adds an object, by default with a new uid and without later updates; returns it. */
  insert(given: Omit<Row, "uid" | "updateTime"> & Partial<Row>): Row {
    const row = { uid: newUid(given.parent), updateTime: given.createTime, ...given };
    this.database
      .statement("INSERT INTO objects (kind, uid, parent, created_at, updated_at, fields) VALUES (?, ?, ?, ?, ?, ?)")
      .run(row.kind, row.uid, row.parent, row.createTime, row.updateTime, JSON.stringify(row.fields));
    return row;
  }

  /** Writes an object's fields and times. */
  update(row: Row): void {
    this.database
      .statement("UPDATE objects SET created_at = ?, updated_at = ?, fields = ? WHERE kind = ? AND uid = ?")
      .run(row.createTime, row.updateTime, JSON.stringify(row.fields), row.kind, row.uid);
  }

  /** Deletes an object, everything below it, and every grant to a deleted identity or of a deleted role. */
  remove(uid: string): void {
    const removed = this.database.statement("DELETE FROM objects WHERE kind = ? AND uid >= ? AND uid < ? RETURNING uid");
    const gone = this.#kinds().flatMap((kind) => removed.all(kind, uid, `${uid}0`));
    // An invite outlives its role (docs/platform-api.md#invites).
    const unbind = this.database.statement("DELETE FROM objects WHERE (identity = ?1 OR role = ?1) AND kind <> 'groupInvites'");
    for (const each of gone) unbind.run(each["uid"] ?? null);
  }

  /** Deletes one object, and nothing else with its uid or below it. */
  removeAlone(kind: string, uid: string): void {
    this.database.statement("DELETE FROM objects WHERE kind = ? AND uid = ?").run(kind, uid);
  }

  /** Runs `work` in a transaction. */
  transaction<Result>(work: () => Result): Result {
    return this.database.transaction(work);
  }

  #kinds(): string[] {
    // Skips through the index instead of reading every row.
    const next = this.database.statement("SELECT min(kind) AS kind FROM objects WHERE kind > ?");
    const kinds: string[] = [];
    for (let kind = next.get("")?.["kind"]; typeof kind === "string"; kind = next.get(kind)?.["kind"]) kinds.push(kind);
    return kinds;
  }
}

function conjunction(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => ` AND (${sql})`).join(""),
    values: conditions.flatMap(({ values }) => values),
  };
}

function rowOf(found: Record<string, unknown>): Row {
  return {
    kind: String(found["kind"]),
    uid: String(found["uid"]),
    parent: String(found["parent"]),
    createTime: String(found["created_at"]),
    updateTime: String(found["updated_at"]),
    fields: JSON.parse(String(found["fields"])) as JsonObject,
  };
}

/** The condition that an object is one of `roots` or below one. */
export function within(roots: readonly string[]): Condition {
  const [only] = roots;
  // "0" follows "/" in ASCII and segments have a fixed length, so this range is exactly the object and its subtree.
  if (roots.length === 1 && only !== undefined) return { sql: "uid >= ? AND uid < ?", values: [only, `${only}0`] };
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(?) AS root WHERE uid >= root.value AND uid < root.value || '0')",
    values: [JSON.stringify(roots)],
  };
}

/** The condition that an object is below `root`, at any depth. */
export function below(root: string): Condition {
  return { sql: "uid > ? AND uid < ?", values: [`${root}/`, `${root}0`] };
}
