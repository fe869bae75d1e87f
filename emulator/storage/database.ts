import { closeSync, existsSync, openSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

const schemaVersion = 1;

/**
 * All kinds share one table. A uid contains its whole path, so a subtree is a range of the index on (kind, uid).
 * `name`, `identity` and `role` are computed from the JSON in `fields`; their indexes store the values.
 */
const schema = `
  CREATE TABLE objects (
    kind TEXT NOT NULL,
    uid TEXT NOT NULL,
    parent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    fields TEXT NOT NULL,
    name TEXT AS (fields ->> 'name'),
    identity TEXT AS (fields ->> 'identityUid'),
    role TEXT AS (fields ->> 'roleUid')
  );
  CREATE UNIQUE INDEX objects_by_uid ON objects (kind, uid);
  CREATE INDEX objects_by_name ON objects (kind, name, uid);
  CREATE INDEX objects_by_creation ON objects (kind, created_at, uid);
  CREATE INDEX objects_by_update ON objects (kind, updated_at, uid);
  CREATE INDEX children_by_uid ON objects (kind, parent, uid);
  CREATE INDEX children_by_name ON objects (kind, parent, name, uid);
  CREATE INDEX bindings_by_identity ON objects (identity, uid) WHERE identity IS NOT NULL;
  CREATE INDEX bindings_by_role ON objects (role, uid) WHERE role IS NOT NULL;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  PRAGMA user_version = ${schemaVersion};
`;

/** The SQLite database, with prepared statements, and named facts such as signing keys. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens or creates the database; `file` may be ":memory:".
   * @throws {Error} if another emulator uses the file, if it holds other data, or if its folder does not exist.
   */
  constructor(file: string) {
    this.#connection = openConnection(file);
    this.#connection.function("regexp", { deterministic: true }, (pattern, text) =>
      new RegExp(String(pattern)).test(String(text)) ? 1 : 0,
    );
  }

  /** A prepared statement, cached by its SQL. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** Runs `work` in a transaction. */
  transaction<Result>(work: () => Result): Result {
    this.#connection.exec("BEGIN");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** SQLite itself ends a transaction in some cases, for example if its disk is full. */
  #rollBack(): void {
    try {
      this.#connection.exec("ROLLBACK");
    } catch (error) {
      if (!String(error).includes("no transaction is active")) throw error;
    }
  }

  /** A fact by name; undefined if it was never set. */
  fact(name: string): string | undefined {
    return this.statement("SELECT value FROM facts WHERE name = ?").get(name)?.["value"]?.toString();
  }

  /** Sets a fact. */
  setFact(name: string, value: string): void {
    this.statement("INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(name, value);
  }

  /** Closes the database and releases its lock. */
  close(): void {
    this.#connection.close();
  }
}

/**
 * Loaded on first use, so that an older Node can still run everything else.
 * @throws {Error} naming the required Node version.
 */
function sqlite(): typeof import("node:sqlite") {
  if (!isBuiltin("node:sqlite"))
    throw new Error(`The emulator needs Node.js 22.13 or newer, for node:sqlite; this is Node.js ${process.versions.node}.`);
  return process.getBuiltinModule("node:sqlite");
}

function openConnection(file: string): DatabaseSync {
  const { DatabaseSync } = sqlite();
  // Creating the folder would hide a misspelled path.
  if (file !== ":memory:" && !existsSync(dirname(file)))
    throw new Error(`cannot open the emulator's data file ${file}: the folder ${dirname(file)} does not exist; create it first`);
  let connection: DatabaseSync | undefined;
  try {
    // Readable only by its owner, because it will hold signing keys.
    if (file !== ":memory:") closeSync(openSync(file, "a", 0o600));
    connection = new DatabaseSync(file);
    // The exclusive lock keeps a second emulator out, and the system releases it with the process. `synchronous = OFF` does not wait for
    // the disk. Data survives a crash of the process but not of the machine, which is enough here and much faster.
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    const version = connection.prepare("PRAGMA user_version").get()?.["user_version"];
    const isEmpty = connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (version === 0 && isEmpty) connection.exec(schema);
    else if (version !== schemaVersion) throw new Error("it holds other data, or data of another version of the emulator");
    connection.exec("COMMIT");
    return connection;
  } catch (error) {
    connection?.close();
    const why = error instanceof Error ? error.message : String(error);
    const hint = /locked|busy/.test(why)
      ? "another emulator is using it: stop that one or name another file"
      : `${why}: name a file that can be written, or remove it to start empty`;
    throw new Error(`cannot open the emulator's data file ${file}: ${hint}`, { cause: error });
  }
}
