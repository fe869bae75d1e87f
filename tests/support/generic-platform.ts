import { HttpDouble, type Reaction, type Seen } from "./http-double";

/** An object of any kind. */
export type Row = Record<string, unknown> & { uid: string };

/** How a collection of {@link GenericPlatform} differs from the ordinary. */
export interface Manner {
  /** Uid of a new object. Default: a segment below the parent. */
  uid?: (parent: string, count: number) => string;
  /** The stored part of a body. Default: all of it. */
  store?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** The part of an object in answers. Default: all of it. */
  show?: (row: Row) => Record<string, unknown>;
  /** Values that only the answer of the create shows. */
  showOnce?: Record<string, unknown>;
  /** Answers 501 to every PATCH. */
  refusesPatch?: true;
  /** The create overwrites an object of the same name. */
  overwrites?: true;
  /** Status of every List. Default: 200. */
  listStatus?: number;
  /** Objects have no createTime. */
  isTimeless?: true;
}

/** A platform that knows any collection, in memory: for kinds that exist in tests only. The group `root` always exists. */
export class GenericPlatform extends HttpDouble {
  readonly rows = new Map<string, Map<string, Row>>([["groups", new Map([["root", { uid: "root", name: "root" }]])]]);
  readonly manners: Record<string, Manner> = {};
  #count = 0;

  constructor() {
    super(() => "reset");
    this.react = (seen) => this.#handle(seen);
  }

  in(segment: string): Map<string, Row> {
    const rows = this.rows.get(segment) ?? new Map<string, Row>();
    this.rows.set(segment, rows);
    return rows;
  }

  #handle({ method, path, query, body }: Seen): Reaction {
    const [, , , segment = "", ...rest] = path.split("/");
    const [status, answer] = this.#answer(method, segment, rest.join("/"), query, bodyOf(body));
    return { status, body: answer ?? "" };
  }

  #answer(
    method: string,
    segment: string,
    uid: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): [number, unknown?] {
    const rows = this.in(segment);
    const { show = (row: Row) => row, ...manner } = this.manners[segment] ?? {};
    if (method === "GET" && uid === "") return this.#list(segment, rows, query);
    if (method === "POST") return this.#create(segment, uid, body);
    const row = rows.get(uid);
    if (row === undefined) return [404, { code: 5, message: "not found", details: [] }];
    if (method === "DELETE") return rows.delete(uid) ? [200] : [404];
    if (method === "PATCH") {
      if (manner.refusesPatch) return [501, { code: 12, message: "Method Not Allowed", details: [] }];
      for (const path of (query.get("updateMask") ?? "").split(",")) change(row, path.split("."), body);
    }
    return [200, show(row)];
  }

  #create(segment: string, parent: string, body: Record<string, unknown>): [number, unknown] {
    const {
      uid,
      store = (all: Record<string, unknown>) => all,
      show = (row: Row) => row,
      ...manner
    } = this.manners[segment] ?? {};
    const rows = this.in(segment);
    const same = [...rows.values()].find((row) => row["name"] === body["name"] && row.uid.startsWith(`${parent}/`));
    const id = manner.overwrites && same ? same.uid : (uid?.(parent, ++this.#count) ?? `${parent}/${++this.#count}`);
    const row: Row = {
      ...store(body),
      uid: id,
      ...(!manner.isTimeless && { createTime: new Date(Date.now() + this.#count).toISOString() }),
    };
    rows.set(id, row);
    return [200, { ...show(row), ...manner.showOnce }];
  }

  #list(segment: string, rows: Map<string, Row>, query: URLSearchParams): [number, unknown] {
    const { listStatus = 200, show = (row: Row) => row } = this.manners[segment] ?? {};
    if (listStatus !== 200) return [listStatus, { code: 7, message: "denied", details: [] }];
    const all = [...rows.values()].map(show);
    return [
      200,
      { [segment]: all.slice(0, Number(query.get("page_size") ?? 50)), nextPageToken: "", totalCount: String(all.length) },
    ];
  }
}

/** The members of a request's body; none of an empty one. */
function bodyOf(body: string): Record<string, unknown> {
  return body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
}

/** Sets what a mask names, as the platform does: the path is in snake_case, the body in camelCase. */
function change(row: Record<string, unknown>, [step = "", ...rest]: string[], body: Record<string, unknown>): void {
  const camel = step.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const name = step in body ? step : camel;
  if (rest.length === 0) row[name] = body[name];
  else change((row[name] ??= {}) as Record<string, unknown>, rest, body[name] as Record<string, unknown>);
}
