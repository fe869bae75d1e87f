import { isObject, type Json, type JsonObject } from "../wire/json";

/** What goes wrong with a request. Exactly one of the kinds that `POST /admin/faults` takes. */
export type Fault =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: string | undefined;
      readonly headers: Record<string, string>;
      readonly code: number | undefined;
      readonly message: string;
    }
  | { readonly kind: "reset" | "hang"; readonly when: When }
  | { readonly kind: "delay"; readonly when: When; readonly delayMs: number }
  | { readonly kind: "truncate" }
  | { readonly kind: "rewrite"; readonly patch: JsonObject }
  | { readonly kind: "replaceBody"; readonly body: string; readonly headers: Record<string, string> };

/** Before or after the request is applied. */
type When = "before" | "after";

interface Rule {
  readonly id: string;
  readonly declared: JsonObject;
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly skip: number;
  readonly times: number;
  readonly fault: Fault;
  hits: number;
}

/** The faults that tests have asked for, each with the requests that it concerns. */
export class Faults {
  private rules: Rule[] = [];
  private added = 0;

  /**
   * Adds a fault as `POST /admin/faults` describes it; returns its id.
   * @throws {Error} saying what is wrong with the description.
   */
  add(declared: Json): string {
    const { match = {}, skip = 0, times = 1, fault } = object(declared, "a fault", ["match", "skip", "times", "fault"]);
    const { method, path, query } = object(match, "match", ["method", "path", "query"]);
    this.added += 1;
    const id = String(this.added);
    this.rules.push({
      id,
      declared: declared as JsonObject,
      method: method === undefined ? undefined : text(method, "match.method").toUpperCase(),
      path: pattern(path, "match.path"),
      query: pattern(query, "match.query"),
      skip: count(skip, "skip"),
      times: count(times, "times"),
      fault: readFault(fault),
      hits: 0,
    });
    return id;
  }

  /** Removes all faults. */
  clear(): void {
    this.rules = [];
  }

  /** Every fault as it was declared, with how many requests it has matched so far. */
  list(): JsonObject[] {
    return this.rules.map(({ id, declared, hits }) => ({ id, ...declared, hits }));
  }

  /** The fault that a request meets, the first one added that is due. */
  take(method: string, path: string, query: string): Fault | undefined {
    for (const rule of this.rules) {
      if ((rule.method ?? method) !== method || !rule.path.test(path) || !rule.query.test(query)) continue;
      rule.hits += 1;
      const nth = rule.hits - rule.skip;
      if (nth >= 1 && (rule.times === 0 || nth <= rule.times)) return rule.fault;
    }
    return undefined;
  }
}

type Reader = (fault: JsonObject) => Fault;

/** How each kind of fault is read: the member that names it, which others it may have, and what they come to. */
const readers: Readonly<Record<string, { readonly others: readonly string[]; readonly read: Reader }>> = {
  status: {
    others: ["code", "message", "headers", "body", "contentType"],
    read: ({ status, code, message = "injected fault", headers = {}, body, contentType }) => ({
      kind: "answer",
      status: count(status, "fault.status"),
      code: code === undefined ? undefined : count(code, "fault.code"),
      message: text(message, "fault.message"),
      body: body === undefined ? undefined : text(body, "fault.body"),
      headers: { ...typeHeader(contentType), ...readHeaders(headers) },
    }),
  },
  reset: { others: [], read: ({ reset }) => ({ kind: "reset", when: moment(reset, "fault.reset") }) },
  hang: { others: [], read: ({ hang }) => ({ kind: "hang", when: moment(hang, "fault.hang") }) },
  delayMs: {
    others: ["then"],
    read: ({ delayMs, then = "before" }) => ({
      kind: "delay",
      delayMs: count(delayMs, "fault.delayMs"),
      when: moment(then, "fault.then"),
    }),
  },
  truncate: { others: [], read: () => ({ kind: "truncate" }) },
  rewrite: { others: [], read: ({ rewrite }) => ({ kind: "rewrite", patch: object(rewrite, "fault.rewrite") }) },
  replaceBody: {
    others: ["contentType"],
    read: ({ replaceBody, contentType }) => ({
      kind: "replaceBody",
      body: text(replaceBody, "fault.replaceBody"),
      headers: typeHeader(contentType),
    }),
  },
};

function readFault(declared: Json | undefined): Fault {
  const fault = object(declared, "fault");
  const [chosen, ...more] = Object.entries(readers).filter(([name]) => name in fault);
  if (chosen === undefined || more.length > 0)
    throw new Error(`fault must hold exactly one of ${Object.keys(readers).join(", ")}`);
  const [name, { others, read }] = chosen;
  return read(object(fault, "fault", [name, ...others]));
}

function readHeaders(headers: Json): Record<string, string> {
  const given = Object.entries(object(headers, "fault.headers"));
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), text(value, `fault.headers.${name}`)]));
}

function typeHeader(contentType: Json | undefined): Record<string, string> {
  return contentType === undefined ? {} : { "content-type": text(contentType, "fault.contentType") };
}

function object(value: Json | undefined, what: string, names?: readonly string[]): JsonObject {
  if (!isObject(value)) throw new Error(`${what} must be a JSON object`);
  const stranger = Object.keys(value).find((name) => names !== undefined && !names.includes(name));
  if (stranger !== undefined) throw new Error(`${what} has no member "${stranger}"; known are ${names?.join(", ") ?? ""}`);
  return value;
}

function text(value: Json | undefined, what: string): string {
  if (typeof value !== "string") throw new Error(`${what} must be a string`);
  return value;
}

function count(value: Json | undefined, what: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new Error(`${what} must be a whole number, 0 or more`);
  return value;
}

function moment(value: Json | undefined, what: string): When {
  if (value !== "before" && value !== "after") throw new Error(`${what} must be "before" or "after"`);
  return value;
}

function pattern(value: Json | undefined, what: string): RegExp {
  const source = text(value ?? "", what);
  try {
    return new RegExp(source);
  } catch {
    throw new Error(`${what} is not a regular expression: ${source}`);
  }
}
