import { type ErrorDetails, noDetails } from "./error-details";
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

/** The codes that this package adds to those of the platform. */
const ownCodes = [
  /** A setting is missing, contradictory or unknown. */
  "CONFIGURATION",
  /** There is no token, or a token was rejected before it was sent. */
  "CREDENTIALS",
  /** Rejected before anything was sent. */
  "INVALID_INPUT",
  /** The connection was never made, so nothing was applied. */
  "NOT_CONNECTED",
  /** Sent, but the outcome is unknown. */
  "CONNECTION_LOST",
  /** Sent, but the outcome is unknown. */
  "TIMEOUT",
  /** The caller's signal aborted. */
  "CALLER_ABORTED",
  /** The address answered, but not as the platform does. */
  "UNEXPECTED_ANSWER",
  /** The answer is about another object than the one asked for. */
  "WRONG_OBJECT",
  /** Another object has the natural key of the one to create. */
  "KEY_TAKEN",
  /** Several objects match where one is needed. */
  "AMBIGUOUS",
  /** A create may or may not have been applied, and looking it up does not decide. */
  "OUTCOME_UNKNOWN",
  /** The platform answers "not found", but that does not prove a deletion. */
  "NOT_GONE",
  /** The change would end the access of the identity that this run uses. */
  "SELF_LOCKOUT",
  /** A guard of the program forbids the deletion. */
  "PROTECTED",
  /** Somebody else has changed the object since the last run, and the change would overwrite theirs. */
  "CHANGED_MEANWHILE",
  /** The run may only read, so the change was not sent. */
  "READ_ONLY",
  /** The run may only do what was rehearsed, and this was not, so it was not sent. */
  "NOT_REHEARSED",
] as const;

/** Every {@link PlatformErrorCode}. */
export const platformErrorCodes = [...rpcCodes, ...ownCodes] as const;

/** Stable codes of every error that this package throws. The RPC codes come from the platform, the others from this package. */
export type PlatformErrorCode = (typeof platformErrorCodes)[number];

/** The members of an error besides its message. */
export interface PlatformErrorOptions {
  /** HTTP status of the answer, if there was one. */
  status?: number | undefined;
  /** The platform's id of the request, if the answer has one. */
  requestId?: string | undefined;
  /** The platform's details besides the message. Default: none. */
  details?: ErrorDetails;
  /** Milliseconds that the platform asked to wait (`Retry-After`, or the `RetryInfo` of its error). */
  retryAfterMs?: number | undefined;
  /** True when the body was the platform's own error (a JSON object with an integer `code`). */
  fromPlatform?: boolean;
  /** True if the answer was not read because of its size. A request with a smaller answer may succeed. */
  isTooLarge?: boolean;
  /** The error that led to this one. */
  cause?: unknown;
}

/** Marks the errors of every loaded copy of this package. */
export const brand = Symbol.for("pulumi-platform.error");

/**
 * The only error class of the package. Callers decide by `code`. `message` is for people, and never contains a token or a character that a
 * terminal interprets.
 */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  /** HTTP status of the answer; undefined without one. */
  readonly status: number | undefined;
  /** The platform's id of the request; undefined if the answer has none. */
  readonly requestId: string | undefined;
  /** The platform's details besides the message. */
  readonly details: ErrorDetails;
  /** Milliseconds that the platform asked to wait; undefined if it did not ask. */
  readonly retryAfterMs: number | undefined;
  /** True for an error in an answer of the platform itself. */
  readonly fromPlatform: boolean;
  /** True if the answer was not read because of its size. A request with a smaller answer may succeed. */
  readonly isTooLarge: boolean;
  readonly [brand] = true;

  constructor(
    /** The code by which callers decide; docs/errors.md lists all codes. */
    readonly code: PlatformErrorCode,
    message: string,
    options: PlatformErrorOptions = {},
  ) {
    super(printable(redact(message)), options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.requestId = options.requestId === undefined ? undefined : printable(redact(options.requestId));
    this.details = options.details ?? noDetails;
    this.retryAfterMs = options.retryAfterMs;
    this.fromPlatform = options.fromPlatform ?? false;
    this.isTooLarge = options.isTooLarge ?? false;
  }

  /** True for errors of every loaded copy of this package. */
  static isInstance(error: unknown): error is PlatformError {
    return typeof error === "object" && error !== null && brand in error;
  }

  /** Makes `instanceof PlatformError` the same as {@link isInstance}. For subclasses `instanceof` is as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === PlatformError ? this.isInstance(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** `error` with one more sentence in its message. */
export function withSentence(error: PlatformError, sentence: string): PlatformError {
  return withMessage(error, `${asSentence(error.message)} ${sentence}`);
}

/** `error` with its remedy on a line of its own. The first line of a message is the failure and its reason. */
export function withAdvice(error: PlatformError, advice: string): PlatformError {
  return withMessage(error, `${asSentence(error.message)}\n${advice}`);
}

function withMessage(error: PlatformError, message: string): PlatformError {
  const { code, status, requestId, details, retryAfterMs, fromPlatform, isTooLarge, cause } = error;
  return new PlatformError(code, message, { status, requestId, details, retryAfterMs, fromPlatform, isTooLarge, cause });
}

/** True when `error` is a {@link PlatformError} with one of `codes`. */
export function hasCode(error: unknown, ...codes: PlatformErrorCode[]): error is PlatformError {
  return PlatformError.isInstance(error) && codes.includes(error.code);
}

/** True for an answer that was not read because of its size. */
export function isTooLarge(error: unknown): error is PlatformError {
  return PlatformError.isInstance(error) && error.isTooLarge;
}

/** True for the error of a proxy without a login, where every other attempt would fail too. */
export function isLoginAtProxy({ status }: Pick<PlatformError, "status">): boolean {
  return status === 407;
}

/** The code of anything thrown; `UNKNOWN` for anything that this package did not throw. */
export function codeOf(error: unknown): PlatformErrorCode {
  return PlatformError.isInstance(error) ? error.code : "UNKNOWN";
}

/** Codes of failures after which something may have been applied. */
const inDoubt: readonly PlatformErrorCode[] = ["OUTCOME_UNKNOWN", "WRONG_OBJECT", "CONNECTION_LOST", "TIMEOUT"];

/** Codes of failures that the next run may not meet. */
const passing: readonly PlatformErrorCode[] = [
  ...(["UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "RESOURCE_EXHAUSTED", "INTERNAL", "UNKNOWN", "CANCELLED"] as const),
  ...(["NOT_CONNECTED", "CALLER_ABORTED"] as const),
];

/**
 * The failures of one operation, the worst first, whose code is that of the whole. An unknown outcome is worse than a refusal, which somebody
 * must mend, and a refusal is worse than a failure that may pass.
 */
export function worstFirst<Failure>(failures: readonly Failure[], errorOf: (failure: Failure) => unknown): Failure[] {
  const rank = (failure: Failure) => {
    const code = codeOf(errorOf(failure));
    if (inDoubt.includes(code)) return 0;
    return passing.includes(code) ? 2 : 1;
  };
  return [...failures].sort((one, other) => rank(one) - rank(other));
}

/** `error` with the failed operation in front: `read group P: …`. Keeps the code. */
export function withContext(what: string, error: unknown): PlatformError {
  return new PlatformError(codeOf(error), `${what}: ${messageOf(error)}`, { cause: error });
}

/** The name of RPC status `code`; `UNKNOWN` for a number without one. */
export function rpcCodeName(code: number): RpcCode {
  return rpcCodes[code] ?? "UNKNOWN";
}

/**
 * The final text of anything thrown, for people and pipelines. It is the message with the code in brackets at the end of the first line
 * (docs/errors.md#match-a-code). Messages themselves do not contain the code, because other messages quote them.
 */
export function textOf(error: unknown): string {
  return withCode(codeOf(error), messageOf(error));
}

/** `message` with `code` at the end of its first line, and nowhere else in that line: `cannot see root/a. [NOT_GONE]`. */
export function withCode(code: PlatformErrorCode, message: string): string {
  const [first = "", ...others] = message.trim().split("\n");
  const line = first.replace(new RegExp(`(^|[:.] )${code}: `, "g"), "$1").trimEnd();
  return printable([`${line} [${code}]`.trimStart(), ...others].join("\n"));
}

/** The message of anything thrown, without secrets and safe for a terminal. */
export function messageOf(error: unknown): string {
  return printable(redact(error instanceof Error ? error.message : String(error)));
}

/** The message of anything thrown, as a part of another message. It contains the failure and its reason, but not the remedy. */
export function causeOf(error: unknown): string {
  return messageOf(error).split("\n", 1).join("");
}

/** For `catch`. Turns the error of a request into `answer`, and rethrows any other error, which is a fault of this package. */
export function platformErrorAs<Answer>(answer: (error: PlatformError) => Answer): (error: unknown) => Answer {
  return (error) => {
    if (PlatformError.isInstance(error)) return answer(error);
    throw error;
  };
}

/** True if `error` is the platform's own "not found" and not another server's 404. */
export function isNotFound(error: unknown): error is PlatformError {
  return hasCode(error, "NOT_FOUND") && error.fromPlatform && error.status === 404;
}
