import { inspect } from "node:util";
import type { JsonObject } from "./json";

/** Numeric RPC status codes (docs/platform-api.md#status-codes). */
export const Code = {
  InvalidArgument: 3,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  FailedPrecondition: 9,
  Aborted: 10,
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

/** The HTTP status of a status code; 500 by default (docs/platform-api.md#status-codes). */
export function httpStatus(code: number): number {
  return httpStatusOf[code] ?? 500;
}

/** The lowest status code that maps to an HTTP status; 13 by default. */
export function codeOfHttpStatus(status: number): number {
  const match = Object.entries(httpStatusOf).find(([, mapped]) => mapped === status);
  return match === undefined ? Code.Internal : Number(match[0]);
}

/** An invalid field of a request. `field` is a snake_case path such as `claim_match.issuer`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** A reason why an object cannot be deleted or changed now. `subject` is its uid. */
export interface PreconditionViolation {
  readonly type: "RESOURCE_NOT_EMPTY" | "RESOURCE_IN_USE" | "TOKEN_EXISTS" | "TOO_FEW_OWNERS";
  readonly subject: string;
  readonly description: string;
}

/** An error answer. An error without `reason` comes from the gateway and has no details. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly reason?: string,
    private readonly detail?: JsonObject,
  ) {
    super(message);
  }

  /** The JSON body (docs/platform-api.md#error-body). `area` is the API area, such as `iam`. */
  body(area: string): JsonObject {
    const { code, message, reason, detail } = this;
    if (reason === undefined) return { code, message, details: [] };
    const info = { "@type": typeUrl("ErrorInfo"), reason, domain: `${area}.platform.localhost`, metadata: {} };
    return { code, message, details: detail === undefined ? [info] : [info, detail] };
  }
}

/** An error of the gateway in front of the platform, without prefix and details (docs/platform-api.md#error-body). */
export function gatewayError(message: string, code: number = Code.InvalidArgument): ApiError {
  return new ApiError(code, message);
}

/** Code 3, with every invalid field. */
export function invalidArgument(...violations: readonly FieldViolation[]): ApiError {
  const detail = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return new ApiError(Code.InvalidArgument, `Invalid argument: ${detail}`, "INVALID_ARGUMENT", {
    "@type": typeUrl("BadRequest"),
    fieldViolations: violations.map((violation) => ({ ...violation, reason: "", localizedMessage: null })),
  });
}

/** Code 9, with everything that blocks the call. */
export function failedPrecondition(violations: readonly PreconditionViolation[]): ApiError {
  const detail = violations.map(({ description }) => description).join("; ");
  return new ApiError(Code.FailedPrecondition, `Precondition failed: ${detail}`, "FAILED_PRECONDITION", {
    "@type": typeUrl("PreconditionFailure"),
    violations: violations.map((violation) => ({ ...violation })),
  });
}

/** Code 5. The object does not exist, or is hidden from the caller (docs/platform-api.md#not-found). */
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

/** Code 10. The object changed since its etag was read (AIP-154). */
export function aborted(why: string): ApiError {
  return new ApiError(Code.Aborted, `Aborted: ${why}`, "ABORTED");
}

/** Code 16. */
export function unauthenticated(why: string): ApiError {
  return new ApiError(Code.Unauthenticated, `Unauthenticated: ${why}`, "UNAUTHENTICATED");
}

/** Code 13, for any other error, which is a fault of the emulator. Its stack goes to stderr. */
export function internalError(error: unknown): ApiError {
  process.stderr.write(`emulator: unexpected error: ${inspect(error)}\n`);
  return new ApiError(Code.Internal, `Internal: ${error instanceof Error ? String(error) : inspect(error)}`, "INTERNAL");
}

function typeUrl(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}
