import { printable } from "./printable";
import { redact } from "./redact";

/** Names of the RPC status codes 1 to 16, by number (API-FACTS §7, AIP-193). */
const rpcCodes = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** The code that the platform itself answered with. */
export type RpcCode = (typeof rpcCodes)[number];

/**
 * Stable codes of every error that this package throws. The RPC codes come from the platform;
 * the others are found on this side:
 *
 * - `CONFIGURATION`: a setting is missing, contradictory or unknown.
 * - `CREDENTIALS`: no token could be had, or a token was refused before it was sent.
 * - `INVALID_INPUT`: refused here, nothing was sent.
 * - `NOT_CONNECTED`: the connection was never made, so nothing was applied.
 * - `CONNECTION_LOST`, `TIMEOUT`: sent, but the outcome is unknown.
 * - `CALLER_ABORTED`: the caller's signal fired.
 * - `UNEXPECTED_ANSWER`: the address answered, but not as the platform does.
 * - `WRONG_OBJECT`: an answer speaks of another object than the one that was asked for.
 * - `SELF_LOCKOUT`: the change would end the access of the identity that this run uses.
 * - `KEY_TAKEN`, `AMBIGUOUS`, `OUTCOME_UNKNOWN`, `NOT_GONE`: see DESIGN §5.
 */
export type PlatformErrorCode =
  | RpcCode
  | "CONFIGURATION"
  | "CREDENTIALS"
  | "INVALID_INPUT"
  | "NOT_CONNECTED"
  | "CONNECTION_LOST"
  | "TIMEOUT"
  | "CALLER_ABORTED"
  | "UNEXPECTED_ANSWER"
  | "WRONG_OBJECT"
  | "KEY_TAKEN"
  | "AMBIGUOUS"
  | "OUTCOME_UNKNOWN"
  | "NOT_GONE"
  | "SELF_LOCKOUT";

/** What an error knows besides its message. */
export interface PlatformErrorOptions {
  /** HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** The platform's id of the request, where it gave one. */
  requestId?: string | undefined;
  /** Milliseconds that the platform asked to wait (`Retry-After`). */
  retryAfterMs?: number | undefined;
  /** True when the body was the platform's own error (a JSON object with an integer `code`). */
  fromPlatform?: boolean;
  cause?: unknown;
}

const brand = Symbol.for("pulumi-platform.error");

/**
 * The one error class of the package. `code` decides what a caller does; `message` is for people
 * and never holds a token, nor a character that a terminal would obey.
 */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly fromPlatform: boolean;
  readonly [brand] = true;

  constructor(
    readonly code: PlatformErrorCode,
    message: string,
    options: PlatformErrorOptions = {},
  ) {
    super(printable(redact(message)), options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.requestId = options.requestId === undefined ? undefined : printable(redact(options.requestId));
    this.retryAfterMs = options.retryAfterMs;
    this.fromPlatform = options.fromPlatform ?? false;
  }

  /** True for errors of every loaded copy of this package, where `instanceof` sees only its own. */
  static isInstance(error: unknown): error is PlatformError {
    return typeof error === "object" && error !== null && brand in error;
  }
}

/** True when `error` is a {@link PlatformError} with one of `codes`. */
export function hasCode(error: unknown, ...codes: PlatformErrorCode[]): error is PlatformError {
  return PlatformError.isInstance(error) && codes.includes(error.code);
}

/** The code of anything that was thrown; `UNKNOWN` for what this package did not throw. */
export function codeOf(error: unknown): PlatformErrorCode {
  return PlatformError.isInstance(error) ? error.code : "UNKNOWN";
}

/** The name of RPC status `code`; `UNKNOWN` for a number that the convention does not have. */
export function rpcCodeName(code: number): RpcCode {
  return rpcCodes[code] ?? "UNKNOWN";
}

/** The message of anything that was thrown, without secrets and fit for a terminal. */
export function messageOf(error: unknown): string {
  return printable(redact(error instanceof Error ? error.message : String(error)));
}
