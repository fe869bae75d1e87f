import type { Kind } from "../../provider/schema/kind";
import { type Answer, type Asked, type Interference, json, type Outcome } from "./fault-proxy";

/** The fate of a request. */
export type Fault = (forward: () => Promise<Answer>, asked: Asked) => ReturnType<Interference>;

/** The answer is `outcome`, and the platform never sees the request. */
export const instead =
  (outcome: Outcome): Fault =>
  () =>
    outcome;

/** The platform does what it is asked for, and the answer is `outcome`. */
export const after =
  (outcome: Outcome): Fault =>
  async (forward) => {
    await forward();
    return outcome;
  };

/** The platform answers, and `rewrite` changes the members of its body. */
export const rewritten =
  (rewrite: (body: Record<string, unknown>) => object): Fault =>
  async (forward) => {
    const answer = await forward();
    return { ...answer, body: JSON.stringify(rewrite(JSON.parse(answer.body) as Record<string, unknown>)) };
  };

/** An error of the platform itself. */
export const refusal = (status: number, code: number, message = "injected"): Answer =>
  json(status, { code, message, details: [] });

/** The platform's answer about what is not there. */
export const notFound = refusal(404, 5, "not found");

/** A page of another server. */
export const html = (status: number): Answer => ({ status, headers: { "content-type": "text/html" }, body: "<html>" });

/** An answer with no body. */
export const empty: Answer = { status: 200, headers: {}, body: "" };

/** A whole List of the kind. */
export const listOf = ({ collection }: Kind, rows: readonly object[] = []): Answer =>
  json(200, { [collection.segment]: rows, nextPageToken: "", totalCount: String(rows.length), skipped: 0 });

/** Selects requests. */
export type Selection = (asked: Asked) => boolean;

/** Selects the requests of a method. */
const isMethod =
  (wanted: string): Selection =>
  ({ method }) =>
    method === wanted;

export const [isPost, isPatch, isDelete] = [isMethod("POST"), isMethod("PATCH"), isMethod("DELETE")];

/** Selects the Lists of a kind. */
export const isListOf =
  ({ collection }: Kind): Selection =>
  ({ method, path }) =>
    method === "GET" && path.endsWith(`/${collection.segment}`);

/** Applies `fault` to the requests that `which` selects: to `count` of them, from number `from` on, counted from 0. */
export function on(which: Selection, fault: Fault, { from = 0, count = Infinity } = {}): Interference {
  let met = 0;
  return (asked, forward) => {
    if (!which(asked)) return undefined;
    const number = met++;
    return number >= from && number < from + count ? fault(forward, asked) : undefined;
  };
}
