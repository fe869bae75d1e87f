import type { JsonObject } from "./json";

/** Numeric RPC status codes (API-FACTS §7). */
export const Code = {
  InvalidArgument: 3,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  FailedPrecondition: 9,
  Unimplemented: 12,
  Internal: 13,
  Unauthenticated: 16,
} as const;

const httpStatusOf: Readonly<Record<number, number>> = {
  1: 499,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  14: 503,
  16: 401,
};

/** The HTTP status that accompanies a status code; 500 for the codes that have none of their own (API-FACTS §7). */
export function httpStatus(code: number): number {
  return httpStatusOf[code] ?? 500;
}

/** The status code that best fits an HTTP status: the lowest one that maps to it, 13 when none does. */
export function codeOfHttpStatus(status: number): number {
  const match = Object.entries(httpStatusOf).find(([, mapped]) => mapped === status);
  return match === undefined ? Code.Internal : Number(match[0]);
}

/** One field that a request got wrong; `field` is spelled as in the protocol, for example `claim_match.issuer`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** One reason why an object cannot be removed now; `subject` is the uid of that object. */
export interface PreconditionViolation {
  readonly type: "RESOURCE_NOT_EMPTY" | "RESOURCE_IN_USE";
  readonly subject: string;
  readonly description: string;
}

/** An error that becomes the answer to a request. Without a `reason` it is one of the gateway's own, which carry no details. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly reason?: string,
    private readonly detail?: JsonObject,
  ) {
    super(message);
  }

  /** The JSON body (SPEC §7, API-FACTS §2.0); `area` is the part of the service that answers, such as `iam`. */
  body(area: string): JsonObject {
    const { code, message, reason, detail } = this;
    if (reason === undefined) return { code, message, details: [] };
    const info = { "@type": typeUrl("ErrorInfo"), reason, domain: `${area}.platform.localhost`, metadata: {} };
    return { code, message, details: detail === undefined ? [info] : [info, detail] };
  }
}

/** An error of the gateway in front of the service: no prefix and no details (API-FACTS §2.0). */
export function gatewayError(message: string, code: number = Code.InvalidArgument): ApiError {
  return new ApiError(code, message);
}

/** Code 3, naming every field that failed. */
export function invalidArgument(...violations: readonly FieldViolation[]): ApiError {
  const detail = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return new ApiError(Code.InvalidArgument, `Invalid argument: ${detail}`, "INVALID_ARGUMENT", {
    "@type": typeUrl("BadRequest"),
    fieldViolations: violations.map((violation) => ({ ...violation, reason: "", localizedMessage: null })),
  });
}

/** Code 9, naming everything that stands in the way. */
export function failedPrecondition(violations: readonly PreconditionViolation[]): ApiError {
  const detail = violations.map(({ description }) => description).join("; ");
  return new ApiError(Code.FailedPrecondition, `Precondition failed: ${detail}`, "FAILED_PRECONDITION", {
    "@type": typeUrl("PreconditionFailure"),
    violations: violations.map((violation) => ({ ...violation })),
  });
}

/** Code 5: the object does not exist, or the caller may not know that it does. */
export function notFound(resourceType: string, resourceName: string): ApiError {
  const detail = { "@type": typeUrl("ResourceInfo"), resourceType, resourceName, owner: "", description: "" };
  return new ApiError(Code.NotFound, `Not found: ${resourceType} ${resourceName}`, "NOT_FOUND", detail);
}

/** Code 6. */
export function alreadyExists(what: string): ApiError {
  return new ApiError(Code.AlreadyExists, `Already exists: ${what}`, "ALREADY_EXISTS");
}

/** Code 7. */
export function permissionDenied(why: string): ApiError {
  return new ApiError(Code.PermissionDenied, `Permission denied: ${why}`, "PERMISSION_DENIED");
}

/** Code 16. */
export function unauthenticated(why: string): ApiError {
  return new ApiError(Code.Unauthenticated, `Unauthenticated: ${why}`, "UNAUTHENTICATED");
}

function typeUrl(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}
