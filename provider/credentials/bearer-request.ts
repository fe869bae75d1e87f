import type { z } from "zod";
import { errorOf, parseAs, tryJson } from "../client/answer";
import { PlatformError } from "../client/errors";
import { type HttpResponse, send } from "../client/http";
import { isTooDeep } from "../client/json-depth";
import { quoted } from "../client/printable";
import { defaultTiming, type Timing, withRetries } from "../client/retry";

/** How to ask an endpoint for a token. */
interface TokenRequest<Shape> {
  readonly schema: z.ZodType<Shape>;
  readonly timing?: Timing;
  /** True for an error of this endpoint that may pass, besides the faults of any server. */
  readonly passes?: (error: PlatformError) => boolean;
}

/** Most characters of a server's own text in a message. */
const longestText = 300;

/** The members in which servers say why they fail: RFC 9457, OAuth (RFC 6749 §5.2), and most others. */
const textMembers = ["message", "error_description", "detail", "error", "title"] as const;

/** Longer words may be a token of an unknown form. */
const opaqueWord = /[\w+/=~-]{40,}/g;

/**
 * Sends a GET with `bearer` and parses the JSON of its answer by `schema`. Messages never quote a successful answer, which contains a
 * token. A fault of the server is retried, although a read of the API with the same fault may not be: at worst a repetition mints another
 * token.
 *
 * @throws PlatformError the last error, with the server's own text; `UNAVAILABLE` for a success without a body
 */
export async function getWithBearer<Shape>(
  url: URL,
  bearer: string,
  { schema, timing = defaultTiming, passes }: TokenRequest<Shape>,
): Promise<Shape> {
  const isTransient = (error: PlatformError) => isServerFault(error) || (passes?.(error) ?? false);
  return withRetries((timeLeft) => getOnce(url, bearer, schema, timeLeft()), { repetition: "repeatable", timing, isTransient });
}

/** True for the error of an endpoint that failed inside, which says nothing about the request. */
export function isServerFault(error: PlatformError): boolean {
  return (error.status ?? 0) >= 500 && error.code !== "UNIMPLEMENTED";
}

async function getOnce<Shape>(url: URL, bearer: string, schema: z.ZodType<Shape>, timeoutMs: number): Promise<Shape> {
  const what = `GET ${url.origin}${url.pathname}`;
  const response = await send({
    method: "GET",
    url,
    headers: { accept: "application/json", authorization: `Bearer ${bearer}` },
    timeoutMs,
  });
  const { status, text } = response;
  if (status < 200 || status >= 300) throw rejection(response, what);
  if (text.trim() === "") throw new PlatformError("UNAVAILABLE", `${what}: HTTP ${status} without a body.`);
  const json = tryJson(text);
  if (json === undefined) {
    const type = response.headers["content-type"] ?? "no content type";
    throw new PlatformError("UNEXPECTED_ANSWER", `${what}: HTTP ${status} with ${type} instead of a token in JSON.`);
  }
  return parseAs(schema, json, what, "");
}

/** The error in a failed answer. The endpoint need not belong to the platform, so the text is quoted in any common form. */
function rejection(response: HttpResponse, what: string): PlatformError {
  const error = errorOf(response, what);
  if (error.fromPlatform) return error;
  const { code, status, requestId, retryAfterMs } = error;
  const suffix = requestId ? ` (request ${requestId})` : "";
  const text = `${what}: HTTP ${response.status}${textIn(response.text)}${suffix}`;
  return new PlatformError(code, text, { status, requestId, retryAfterMs });
}

/** The server's own words in `body`. A member with any other name may be a token, as may a long word. */
function textIn(body: string): string {
  if (body.trim() === "") return "";
  if (body.trimStart().startsWith("<")) return " with a page";
  const json = tryJson(body);
  const words = json === undefined ? body : isTooDeep(json) ? undefined : wordsIn(json);
  return words === undefined ? "" : `: ${quoted(quoted(words).replace(opaqueWord, "[redacted]"), longestText)}`;
}

function wordsIn(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const members = json as Record<string, unknown>;
  const value = textMembers.map((name) => members[name]).find(Boolean);
  return typeof value === "string" ? value : wordsIn(value);
}
