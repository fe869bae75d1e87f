import type { KindFixture } from "./kind-fixture";
import type { Answer, Asked, FaultProxy, Outcome } from "../support/fault-proxy";
import { shortTimeouts } from "../support/timeouts";

/** Whether a fault occurs once, or at every request from its position on. */
export const durations = ["once", "for good"] as const;
export type Duration = (typeof durations)[number];

type Interfere = (asked: Asked, forward: () => Promise<Answer>, fixture: Pick<KindFixture, "move">) => Promise<Outcome> | Outcome;

/** A fault of one request. */
export interface Fault {
  name: string;
  /** Requests that it can affect. Default: all. */
  on?: (asked: Asked) => boolean;
  /** Injected by the emulator, by the proxy before it, or by an outage of the proxy. */
  by: { platform: object } | { proxy: Interfere } | "outage";
  /** The cause that the error names. */
  cause: RegExp;
  /** True for requests that recover from one occurrence without an error. */
  healed(asked: Asked): boolean;
  /** True when it never matters. */
  isHarmless?: true;
}

export const isExchange = (asked: Asked) => asked.path.startsWith("/sts/");
export const isList = ({ method, path }: Asked) => method === "GET" && /^\/(iam|registry|events)\/[^/]+\/[^/]+$/.test(path);
const isCreate = ({ method }: Asked) => method === "POST";
const hasBody = (asked: Asked) => asked.method !== "DELETE" && !isExchange(asked);
const always = () => true;

/** The client retries, or looks up whether its POST was applied. It retries a token exchange only after an answer. */
const sentAgain = (asked: Asked) => !isExchange(asked);
/** The client does not retry after a malformed answer. After a POST it looks the object up, because it may have been created. */
const lookedUp = isCreate;

const json = { "content-type": "application/json" };
const html = { "content-type": "text/html" };
const page = "<!doctype html><html><body>Welcome to the network</body></html>";

function answered(status: number, more: object = {}): { platform: object } {
  return { platform: { status, ...more } };
}

/** The platform processes the request; `change` alters its answer. */
function changed(change: (answer: Answer) => Outcome): { proxy: Interfere } {
  return { proxy: async (_asked, forward) => change(await forward()) };
}

function rewritten(change: (body: Record<string, unknown>, asked: Asked) => unknown): { proxy: Interfere } {
  return {
    proxy: async (asked, forward) => {
      const answer = await forward();
      const isJson = answer.status === 200 && answer.body !== "";
      return isJson
        ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Record<string, unknown>, asked)) }
        : answer;
    },
  };
}

/** Members with their default value, which the platform may omit (docs/platform-api.md#defaults). It always sends the total, a string. */
function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false || value === 0 || value === null;
}

function mapDefaults(value: unknown, present: "absent" | "null"): unknown {
  if (Array.isArray(value)) return value.map((item) => mapDefaults(item, present));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, isDefault(member) ? null : mapDefaults(member, present)] as const)
      .filter(([, member]) => present === "null" || member !== null),
  );
}

const serverErrors: Fault[] = [500, 502, 503, 504].flatMap((status): Fault[] => {
  const healed = (asked: Asked) => (isExchange(asked) ? status !== 500 : status !== 500 || isCreate(asked));
  const cause = new RegExp(`HTTP ${status}|INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED`);
  const code = { 500: 13, 502: 14, 503: 14, 504: 4 }[status];
  const body = JSON.stringify({ code, message: "injected", details: [] });
  return [
    { name: `${status}, not applied`, by: answered(status, { code }), cause, healed },
    { name: `${status}, applied`, by: changed(() => ({ status, headers: json, body })), cause, healed },
  ];
});

const aborted = JSON.stringify({ code: 10, message: "injected", details: [] });

const conflicts: Fault[] = [
  { name: "409, aborted", by: answered(409, { code: 10 }), cause: /ABORTED/, healed: always },
  {
    name: "409, aborted and yet applied",
    by: changed(() => ({ status: 409, headers: json, body: aborted })),
    cause: /ABORTED/,
    // Of a create that says it was not applied, an equal object may be somebody else's.
    healed: (asked) => !isCreate(asked),
  },
  {
    name: "409 in HTML",
    by: answered(409, { body: page, contentType: "text/html" }),
    cause: /HTTP 409/,
    healed: always,
  },
];

/** Every fault. */
export const faults: Fault[] = [
  { name: "connection refused", by: "outage", cause: /cannot connect/, healed: always },
  { name: "reset before", by: { platform: { reset: "before" } }, cause: /connection was lost/, healed: sentAgain },
  { name: "reset after", by: { platform: { reset: "after" } }, cause: /connection was lost/, healed: sentAgain },
  { name: "timeout before", by: { platform: { hang: "before" } }, cause: /no complete response/, healed: sentAgain },
  { name: "timeout after", by: { platform: { hang: "after" } }, cause: /no complete response/, healed: sentAgain },
  {
    name: "429 with Retry-After",
    by: answered(429, { headers: { "retry-after": "1" } }),
    cause: /RESOURCE_EXHAUSTED/,
    healed: always,
  },
  { name: "429", by: answered(429), cause: /RESOURCE_EXHAUSTED/, healed: always },
  { name: "429 in HTML", by: answered(429, { body: page, contentType: "text/html" }), cause: /HTTP 429/, healed: always },
  ...serverErrors,
  ...conflicts,
  {
    name: "502 in HTML",
    by: answered(502, { body: page, contentType: "text/html" }),
    cause: /HTTP 502/,
    healed: always,
  },
  {
    name: "404 in HTML",
    by: answered(404, { body: page, contentType: "text/html" }),
    cause: /HTTP 404/,
    healed: () => false,
  },
  { name: "403", by: answered(403, { code: 7 }), cause: /PERMISSION_DENIED/, healed: () => false },
  {
    name: "cut in the middle",
    on: hasBody,
    by: { platform: { truncate: true } },
    cause: /connection was lost/,
    healed: sentAgain,
  },
  {
    name: "truncated JSON",
    on: hasBody,
    by: changed((answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) })),
    cause: /not a response of the platform/,
    healed: lookedUp,
  },
  {
    name: "HTML, applied",
    by: { platform: { replaceBody: page, contentType: "text/html" } },
    cause: /text\/html/,
    healed: lookedUp,
  },
  {
    name: "HTML, not applied",
    by: answered(200, { body: page, contentType: "text/html" }),
    cause: /text\/html/,
    healed: lookedUp,
  },
  {
    name: "empty body",
    on: hasBody,
    by: changed((answer) => ({ ...answer, body: "" })),
    cause: /answer|response/,
    healed: lookedUp,
  },
  {
    name: "empty object",
    on: hasBody,
    by: changed((answer) => ({ ...answer, body: "{}" })),
    cause: /answer|response/,
    healed: lookedUp,
  },
  {
    name: "slow body",
    by: changed((answer) => ({ ...answer, overMs: shortTimeouts.attemptMs / 4 })),
    cause: /never/,
    healed: always,
    isHarmless: true,
  },
  {
    name: "body that stalls",
    on: hasBody,
    by: changed((answer) => ({ ...answer, stallAfter: Math.ceil(answer.body.length / 2) })),
    cause: /no complete response/,
    healed: sentAgain,
  },
  {
    name: "wrong content type",
    by: changed((answer) => ({ ...answer, headers: { ...answer.headers, ...html } })),
    cause: /never/,
    healed: always,
    isHarmless: true,
  },
  {
    name: "token revoked",
    on: (asked) => !isExchange(asked),
    by: {
      proxy: () => ({
        status: 401,
        headers: json,
        body: JSON.stringify({ code: 16, message: "the API token has been revoked", details: [] }),
      }),
    },
    cause: /UNAUTHENTICATED/,
    healed: always,
  },
  {
    name: "page token that repeats",
    on: (asked) => isList(asked) && asked.query.has("page_token"),
    by: rewritten((body, { query }) => ({ ...body, nextPageToken: query.get("page_token") })),
    cause: /pages do not end/,
    healed: () => false,
  },
  {
    name: "page that moves",
    on: isList,
    by: {
      proxy: async (_asked, forward, fixture) => {
        const answer = await forward();
        await fixture.move();
        return answer;
      },
    },
    cause: /never/,
    healed: always,
    isHarmless: true,
  },
  ...[undefined, "0", "3", "20"].map((totalCount): Fault => ({
    name: `total ${totalCount ?? "absent"}`,
    on: isList,
    by: rewritten((body) => ({ ...body, totalCount })),
    cause: /never/,
    healed: always,
    isHarmless: true,
  })),
  ...(["absent", "null"] as const).map((present): Fault => ({
    name: `defaults ${present}`,
    on: (asked) => hasBody(asked),
    by: rewritten((body) => mapDefaults(body, present)),
    cause: /the response has no/,
    healed: always,
  })),
];

/** A fault at work in one run. */
export interface Injected {
  /** True when some request has met it. */
  wasMet(): Promise<boolean>;
}

/** Where a fault begins: at a request of this index among all, or, since simultaneous requests come in any order, among those it can affect. */
interface Position {
  ordinal: number;
  nth: number;
}

/** Injects `fault` at a request. */
export async function inject(
  fault: Fault,
  { ordinal: position, nth }: Position,
  duration: Duration,
  fixture: Pick<KindFixture, "platform" | "move">,
  proxy: FaultProxy,
): Promise<Injected> {
  if (fault.by === "outage") {
    proxy.planOutage({ from: position, isForGood: duration === "for good" });
    return { wasMet: () => Promise.resolve(proxy.wasAway) };
  }
  if ("platform" in fault.by) {
    await fixture.platform.fault({}, fault.by.platform, { skip: position, times: duration === "once" ? 1 : 0 });
    return {
      wasMet: async () => {
        const { faults: declared } = (await fixture.platform.admin("GET", "faults")) as { faults: { hits: number }[] };
        return (declared[0]?.hits ?? 0) > position;
      },
    };
  }
  const { proxy: interfere } = fault.by;
  const revoked = new Set<string>();
  let isMet = false;
  let affected = 0;
  proxy.interfere = (asked, forward) => {
    const isAffected = fault.on?.(asked) ?? true;
    const index = isAffected ? affected++ : -1;
    const isDue = duration === "once" ? index === nth : index >= nth;
    const isRevoked = fault.name === "token revoked" && revoked.has(asked.token);
    if (!isRevoked && !isDue) return undefined;
    isMet = true;
    revoked.add(asked.token);
    return interfere(asked, forward, fixture);
  };
  return { wasMet: () => Promise.resolve(isMet) };
}
