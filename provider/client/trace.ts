import { printable } from "./printable";
import { redact } from "./redact";

/** The variable that turns on the trace of every request: `debug`. */
export const logVariable = "PLATFORM_LOG";

/** One sent request and its outcome. */
export interface Exchange {
  method: string;
  url: URL;
  /** HTTP status of the answer, or the code of the error instead of one. */
  outcome: number | string;
  requestId?: string | undefined;
  /** Milliseconds from sending to the end of the answer. */
  durationMs: number;
}

/**
 * One line about a request for support, with time, method, address without query, outcome, duration and the platform's request id. It never
 * contains a header, a query or a body, because these contain tokens and secrets.
 */
export function traceLine({ method, url, outcome, requestId, durationMs }: Exchange, now = new Date()): string {
  const id = requestId ? ` (request ${requestId})` : "";
  const line = `${now.toISOString()} ${method} ${url.origin}${url.pathname} ${outcome} in ${Math.round(durationMs)} ms${id}`;
  return `platform: ${printable(redact(line)).replaceAll("\n", " ")}\n`;
}
