import { RunError } from "@pulumi/pulumi/errors";
import { brand, messageOf, PlatformError, type PlatformErrorCode, textOf } from "../../provider/client/errors";

/**
 * The error for a program. It is a `RunError`, which the engine prints without a stack, and a `PlatformError` for `isInstance` and
 * `instanceof`. The engine prints its message, so the message contains the code.
 */
export class ProgramFailure extends RunError implements PlatformError {
  override readonly name = "PlatformError";
  readonly status: PlatformError["status"];
  readonly requestId: PlatformError["requestId"];
  readonly details: PlatformError["details"];
  readonly retryAfterMs: PlatformError["retryAfterMs"];
  readonly fromPlatform: boolean;
  readonly isTooLarge: boolean;
  readonly [brand] = true;
  /** The message without the code, for the message of another error. */
  readonly plain: string;

  /** @param cause its answer of the platform, or the answer of its own cause, becomes the answer of this error */
  constructor(
    readonly code: PlatformErrorCode,
    message: string,
    cause?: unknown,
  ) {
    const failed = new PlatformError(code, message);
    super(textOf(failed), cause === undefined ? undefined : { cause });
    const { status, requestId, details, retryAfterMs, fromPlatform, isTooLarge } = answeredIn(cause) ?? failed;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
    this.fromPlatform = fromPlatform;
    this.isTooLarge = isTooLarge;
    this.plain = failed.message;
  }
}

/** A wrong argument, option or name in a program. Nothing was sent. */
export function invalid(message: string): ProgramFailure {
  return new ProgramFailure("INVALID_INPUT", message);
}

/** The message of anything thrown, without the code of a {@link ProgramFailure}. */
export function plainMessageOf(error: unknown): string {
  return error instanceof ProgramFailure ? error.plain : messageOf(error);
}

/** The error with the answer that led to `error`, which is `error` itself or the nearest of its causes. */
function answeredIn(error: unknown): PlatformError | undefined {
  if (!(error instanceof Error)) return undefined;
  return PlatformError.isInstance(error) && error.status !== undefined ? error : answeredIn(error.cause);
}
