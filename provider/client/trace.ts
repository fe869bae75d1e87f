import { printable } from "./printable";
import { redact } from "./redact";

/** The variable that switches the trace of every request on: `debug`. */
export const logVariable = "PLATFORM_LOG";

/** One request that was sent, and how it ended. */
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
 * One line about a request, for support: when, method, address without query, outcome, duration, and the platform's request id.
 * Never a header, a query or a body: these hold tokens and secrets.
 */
export function traceLine({ method, url, outcome, requestId, durationMs }: Exchange, now = new Date()): string {
  const id = requestId ? ` (request ${requestId})` : "";
  const line = `${now.toISOString()} ${method} ${url.origin}${url.pathname} ${outcome} in ${Math.round(durationMs)} ms${id}`;
  return `platform: ${printable(redact(line)).replaceAll("\n", " ")}\n`;
}
