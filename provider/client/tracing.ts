import { codeOf } from "./errors";
import type { HttpResponse } from "./http";
import { redact } from "./redact";

/**
 * One call of the API with all its attempts, for traces. It never contains a body, a header, a query, a uid or a token, because collectors
 * of traces are read by many.
 */
export interface CallSpan {
  /** Method and {@link templateOf}: `GET /iam/v2beta1/groups/{uid}`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The code of the error; undefined after a success. */
  readonly error: string | undefined;
}

/** Receives each call when it has ended, in the asynchronous context of the call. */
export type Recorder = (span: CallSpan) => void;

/** Receives the progress of a call. */
export interface CallTrace {
  /** An attempt is being sent. */
  sent(): void;
  /** The attempt has this answer. */
  answered(response: Pick<HttpResponse, "status" | "headers">): void;
}

/** Characters of request ids. Any other text of a server stays out of traces. */
const plainId = /^[\w.:-]{1,128}$/;

let recorder: Recorder | undefined;

/** Sends the calls of this process to `record` from now on. Without a recorder, a call costs nothing more. */
export function recordSpans(record: Recorder | undefined): void {
  recorder = record;
}

/** `path` without a uid: `/iam/v2beta1/groups/{uid}`. Only an action after the uid stays: `{uid}:validate`. */
export function templateOf(path: string): string {
  const parts = path.split("/");
  const [collection, uid] = [parts.slice(0, 4).join("/"), parts.slice(4).join("/")];
  return uid === "" ? collection : `${collection}/{uid}${/:[A-Za-z]+$/.exec(uid)?.[0] ?? ""}`;
}

/**
 * Runs `work`, one call of the API, and records it.
 *
 * @param call its path includes the version of the API
 */
export async function traced<Result>(
  { method, path }: { readonly method: string; readonly path: string },
  work: (trace?: CallTrace) => Promise<Result>,
): Promise<Result> {
  const record = recorder;
  if (record === undefined) return work();
  const start = now();
  let [attempts, firstSent]: [number, number | undefined] = [0, undefined];
  let answer: Record<string, string | number> = {};
  const finish = (error?: string) => {
    const end = now();
    const template = templateOf(path);
    const attributes = {
      "http.request.method": method,
      "url.template": template,
      "platform.collection": template.split(/[/:]/)[3] ?? "",
      "platform.attempts": attempts,
      "platform.queued_ms": Math.round((firstSent ?? end) - start),
      ...answer,
      ...(error !== undefined && { "error.type": error }),
    };
    record({ name: `${method} ${template}`, start, end, attributes, error });
  };
  const trace: CallTrace = {
    sent() {
      attempts++;
      firstSent ??= now();
      answer = {};
    },
    answered({ status, headers }) {
      const id = redact(headers["x-request-id"] ?? "");
      answer = { "http.response.status_code": status, ...(plainId.test(id) && { "platform.request_id": id }) };
    },
  };
  try {
    const result = await work(trace);
    finish();
    return result;
  } catch (error) {
    finish(codeOf(error));
    throw error;
  }
}

/** Milliseconds since 1970 with a fraction. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
