import { asSentence, printable } from "./printable";
import { redact } from "./redact";

/** Names of the RPC status codes, by number (AIP-193). */
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

/** A code that the platform itself answers with. */
export type RpcCode = (typeof rpcCodes)[number];

/**
 * Stable codes of every error that this package throws. The RPC codes come from the platform, the others from this package:
 *
 * - `CONFIGURATION`: a setting is missing, contradictory or unknown.
 * - `CREDENTIALS`: there is no token, or a token was rejected before it was sent.
 * - `INVALID_INPUT`: rejected before anything was sent.
 * - `NOT_CONNECTED`: the connection was never made, so nothing was applied.
 * - `CONNECTION_LOST`, `TIMEOUT`: sent, but the outcome is unknown.
 * - `CALLER_ABORTED`: the caller's signal aborted.
 * - `UNEXPECTED_ANSWER`: the address answered, but not as the platform does.
 * - `WRONG_OBJECT`: the answer is about another object than the one asked for.
 * - `KEY_TAKEN`: another object has the natural key of the one to create.
 * - `AMBIGUOUS`: several objects match where one is needed.
 * - `OUTCOME_UNKNOWN`: a create may or may not have been applied, and looking it up does not decide.
 * - `NOT_GONE`: the platform answers "not found", but that does not prove a deletion.
 * - `SELF_LOCKOUT`: the change would end the access of the identity that this run uses.
 * - `PROTECTED`: a guard of the program forbids the deletion.
 * - `CHANGED_MEANWHILE`: somebody else has changed the object since the last run, and the change would erase that.
 * - `READ_ONLY`: the run may only read, so the change was not sent.
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
  | "SELF_LOCKOUT"
  | "PROTECTED"
  | "CHANGED_MEANWHILE"
  | "READ_ONLY";

/** What an error holds besides its message. */
export interface PlatformErrorOptions {
  /** HTTP status of the answer, where there was one. */
  status?: number | undefined;
  /** The platform's id of the request, if the answer has one. */
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
 * and never holds a token, nor a character that a terminal interprets.
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

  /** The same error with one more sentence in its message. */
  with(sentence: string): PlatformError {
    const { code, status, requestId, retryAfterMs, fromPlatform, cause } = this;
    return new PlatformError(code, `${asSentence(this.message)} ${sentence}`, {
      status,
      requestId,
      retryAfterMs,
      fromPlatform,
      cause,
    });
  }

  /** True for errors of every loaded copy of this package; `instanceof` knows only its own. */
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

/** `error` with what failed in front: `read group P: …`. Keeps the code. */
export function withContext(what: string, error: unknown): PlatformError {
  return new PlatformError(codeOf(error), `${what}: ${messageOf(error)}`, { cause: error });
}

/** The name of RPC status `code`; `UNKNOWN` for a number without one. */
export function rpcCodeName(code: number): RpcCode {
  return rpcCodes[code] ?? "UNKNOWN";
}

/** The message of anything that was thrown, without secrets and safe for a terminal. */
export function messageOf(error: unknown): string {
  return printable(redact(error instanceof Error ? error.message : String(error)));
}
