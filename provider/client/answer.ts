import { z } from "zod";
import { text } from "./collection";
import { detailsOf, type ErrorDetails, retryDelay, wireDetails } from "./error-details";
import { PlatformError, type PlatformErrorCode, rpcCodeName } from "./errors";
import type { HttpResponse } from "./http";
import { isTooDeep } from "./json-depth";
import { quoted } from "./printable";

/** A `code` that is no RPC status does not come from the platform, and then the HTTP status decides. */
const errorBody = z.looseObject({
  code: z.number().int().min(1).max(16),
  message: text.catch(""),
  details: wireDetails,
});

/** Codes for errors whose body is not the platform's own, by HTTP status (docs/platform-api.md#status-codes). */
const codeOfStatus: Record<number, PlatformErrorCode> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/**
 * The text with which gRPC servers and gateways reject a message that is too long (docs/platform-api.md#large-answers). The code is that of
 * a rate limit or of a server fault, so only the text distinguishes them.
 */
const tooLarge = /\b(message|response)\b.{0,30}\b(larger than|exceeds maximum size)/i;

/** The codes of such rejections, by implementation. */
const codesOfTooLarge: readonly string[] = ["RESOURCE_EXHAUSTED", "OUT_OF_RANGE", "INTERNAL", "UNKNOWN"];

/** Most characters of a header that a message quotes. */
const longestHeader = 100;

/**
 * The JSON of a successful answer; undefined for an empty body, which a delete may have.
 *
 * @throws PlatformError the platform's own error, or `UNEXPECTED_ANSWER`
 */
export function parseAnswer(response: HttpResponse, what: string): unknown {
  if (response.status < 200 || response.status >= 300) throw errorOf(response, what);
  if (response.text.trim() === "") return undefined;
  const json = tryJson(response.text);
  if (json === undefined || isTooDeep(json)) throw unexpected(response, what);
  return json;
}

/** The advice for an answer of the API that no platform sends. */
export const checkApi = "Check the API address and version.";

/**
 * Parses `json` by `schema`.
 *
 * @throws PlatformError `UNEXPECTED_ANSWER` with the name of the first member that does not match
 */
export function parseAs<Shape>(schema: z.ZodType<Shape>, json: unknown, what: string, nextStep = checkApi): Shape {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.length ? `member ${issue.path.join(".")}: ` : "";
  throw new PlatformError(
    "UNEXPECTED_ANSWER",
    `${what}: the response does not have the expected form (${quoted(where + (issue?.message ?? "unknown"))}). ${nextStep}`,
  );
}

/** The error in an answer without success. */
export function errorOf(response: HttpResponse, what: string): PlatformError {
  const parsed = errorBody.safeParse(tryJson(response.text));
  const details = parsed.data?.details ?? [];
  const waits = [
    retryAfter(response.headers["retry-after"], Date.parse(response.headers["date"] ?? "") || Date.now()),
    retryDelay(details),
  ].filter((ms) => ms !== undefined);
  const options = {
    status: response.status,
    requestId: requestIdOf(response) ?? details.map(({ requestId }) => requestId).find(Boolean),
    retryAfterMs: waits.length === 0 ? undefined : Math.max(...waits),
  };
  const suffix = options.requestId ? ` (request ${options.requestId})` : "";
  if (parsed.success) {
    const name = rpcCodeName(parsed.data.code);
    const said = detailsOf(details);
    const why = quoted(`${parsed.data.message}${causesIn(said, parsed.data.message)}`);
    // The context of the call names the failed operation. The address is added if the platform gives no reason, or does not know the path.
    const isBare = why === "" || (details.length === 0 && ["NOT_FOUND", "UNIMPLEMENTED"].includes(name));
    const text = isBare ? `${what}: ${name}: ${why}${suffix}` : `${name}: ${why}${suffix}`;
    const isTooLarge = codesOfTooLarge.includes(name) && tooLarge.test(parsed.data.message);
    return new PlatformError(name, text, { ...options, details: said, fromPlatform: true, isTooLarge });
  }
  const code = codeOfStatus[response.status];
  if (code === undefined) return unexpected(response, what);
  return new PlatformError(code, `${what}: HTTP ${response.status}, not a response of the platform${suffix}`, options);
}

/** The causes that the details add to `message`, for people: ` [name: must match; RESOURCE_NOT_EMPTY]`. */
function causesIn({ fieldViolations, preconditionViolations, quotaViolations }: ErrorDetails, message: string): string {
  const causes = [
    ...fieldViolations.map(({ field, description }) => [field, description] as const),
    ...[...preconditionViolations, ...quotaViolations].map(({ type, description }) => [type, description] as const),
  ]
    .map(([name, description]) => [name, quoted(message).includes(description) ? "" : description])
    .map((parts) => parts.filter(Boolean).join(": "))
    .filter((cause) => cause !== "");
  return causes.length > 0 ? ` [${causes.join("; ")}]` : "";
}

function unexpected(response: HttpResponse, what: string): PlatformError {
  const type = quoted(response.headers["content-type"] ?? "no content type", longestHeader);
  const start = quoted(response.text, 80);
  return new PlatformError(
    "UNEXPECTED_ANSWER",
    `${what}: HTTP ${response.status} with ${type}, not a response of the platform${start ? ` (it starts ${JSON.stringify(start)})` : ""}.`,
    { status: response.status, requestId: requestIdOf(response) },
  );
}

function requestIdOf({ headers }: HttpResponse): string | undefined {
  return headers["x-request-id"] && quoted(headers["x-request-id"], longestHeader);
}

/**
 * Milliseconds in a `Retry-After` header with seconds or an HTTP date (RFC 9110 §10.2.3). Undefined if it has neither.
 *
 * @param now milliseconds since 1970 by the clock of the server that sent the header
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** `body` as JSON; undefined if it is not JSON. */
export function tryJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
