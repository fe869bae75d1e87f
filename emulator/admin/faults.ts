import { z } from "zod";
import { InputError, parseInput, pause } from "../wire/input";
import type { JsonObject } from "../wire/json";

const count = z.int().nonnegative();
const moment = z.enum(["before", "after"]);
const members = z.record(z.string(), z.json());
const pattern = z.string().refine(isPattern, "is not a regular expression").default("");

const typeHeader = (contentType: string | undefined): Record<string, string> =>
  contentType === undefined ? {} : { "content-type": contentType };

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Each form of a fault, by the member that names it, and its value for the server. */
const forms = {
  status: z
    .strictObject({
      status: z.int().min(200).max(599),
      code: count.optional(),
      message: z.string().default("injected fault"),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string().optional(),
      contentType: z.string().optional(),
    })
    .transform(({ contentType, headers, ...answer }) => ({
      kind: "answer" as const,
      ...answer,
      headers: { ...typeHeader(contentType), ...lowerCase(headers) },
    })),
  reset: z.strictObject({ reset: moment }).transform(({ reset }) => ({ kind: "reset" as const, when: reset })),
  hang: z.strictObject({ hang: moment }).transform(({ hang }) => ({ kind: "hang" as const, when: hang })),
  delayMs: z
    .strictObject({ delayMs: pause, then: moment.default("before") })
    .transform(({ delayMs, then }) => ({ kind: "delay" as const, delayMs, when: then })),
  truncate: z.strictObject({ truncate: z.literal(true) }).transform(() => ({ kind: "truncate" as const })),
  rewrite: z.strictObject({ rewrite: members }).transform(({ rewrite }) => ({ kind: "rewrite" as const, patch: rewrite })),
  replaceBody: z
    .strictObject({ replaceBody: z.string(), contentType: z.string().optional() })
    .transform(({ replaceBody, contentType }) => ({
      kind: "replaceBody" as const,
      body: replaceBody,
      headers: typeHeader(contentType),
    })),
};

/** The fault of a request. */
export type Fault = z.output<(typeof forms)[keyof typeof forms]>;

const declaration = z.strictObject({
  match: z
    .strictObject({ method: z.string().toUpperCase().optional(), path: pattern, query: pattern })
    .prefault({})
    .transform(({ method, path, query }) => ({ method, path: new RegExp(path), query: new RegExp(query) })),
  skip: count.default(0),
  times: count.default(1),
  fault: members,
});

interface Rule extends Omit<z.output<typeof declaration>, "fault"> {
  readonly id: string;
  readonly declared: JsonObject;
  readonly fault: Fault;
  hits: number;
}

/** The faults that tests have injected, each with the requests that it hits. */
export class Faults {
  #rules: Rule[] = [];
  #added = 0;

  /**
   * Adds a fault in the form of `POST /admin/faults`; returns its id.
   * @throws {InputError} with the mistake in the description.
   */
  add(declared: JsonObject): string {
    const rule = parseInput(declaration, declared, "fault declaration");
    const fault = readFault(rule.fault);
    this.#added += 1;
    const id = String(this.#added);
    this.#rules.push({ ...rule, id, declared, fault, hits: 0 });
    return id;
  }

  /** Removes all faults. */
  clear(): void {
    this.#rules = [];
  }

  /** Every fault as declared, with the number of requests that have matched it so far. */
  list(): JsonObject[] {
    return this.#rules.map(({ id, declared, hits }) => ({ id, ...declared, hits }));
  }

  /** The fault for a request, which is the first added one that is due. */
  take(method: string, path: string, query: string): Fault | undefined {
    for (const rule of this.#rules) {
      const { match } = rule;
      if ((match.method ?? method) !== method || !match.path.test(path) || !match.query.test(query)) continue;
      rule.hits += 1;
      const nth = rule.hits - rule.skip;
      if (nth >= 1 && (rule.times === 0 || nth <= rule.times)) return rule.fault;
    }
    return undefined;
  }
}

function readFault(declared: JsonObject): Fault {
  const [form, ...more] = Object.entries(forms).filter(([name]) => name in declared);
  if (form === undefined || more.length > 0)
    throw new InputError(`fault must have exactly one of ${Object.keys(forms).join(", ")}`);
  return parseInput(form[1] as z.ZodType<Fault>, declared, "fault");
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
