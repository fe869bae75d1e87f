import { checkApi } from "./answer";
import { isLoginAtProxy, PlatformError, type PlatformErrorCode, withAdvice } from "./errors";
import type { Repetition } from "./retry";

/** The remedy for an answer that is too large. */
export const makeSmaller = "Find the objects with texts of such a size. Make them smaller, or remove them.";

/** The remedy for an error after which nothing was applied. */
const nextSteps: Partial<Record<PlatformErrorCode, string>> = {
  INVALID_ARGUMENT: "Fix the cause named above.",
  OUT_OF_RANGE: "Fix the cause named above.",
  UNIMPLEMENTED: checkApi,
  UNEXPECTED_ANSWER: checkApi,
  NOT_CONNECTED: "Check the API address, the network, and that the server is up.",
  RESOURCE_EXHAUSTED: "Run again later, or with a lower --parallel or concurrency.",
};

/**
 * The remedy for an error after which the same call can be sent again. A create cannot be sent again, and its caller looks it up instead.
 */
const nextStepsOfRepeatable: Partial<Record<PlatformErrorCode, string>> = {
  CONNECTION_LOST: "Check the network and run again.",
  TIMEOUT: "Check the network and run again.",
  UNAVAILABLE: "Run again later.",
  DEADLINE_EXCEEDED: "Run again later.",
  ABORTED: "Run again.",
  CANCELLED: "Run again.",
  INTERNAL: "Run again; if it persists, report it to the platform.",
  UNKNOWN: "Run again; if it persists, report it to the platform.",
  DATA_LOSS: "Report it to the platform.",
};

/** `error` with its remedy for the user, if the code implies one. */
export function withNextStep(error: unknown, repetition: Repetition): unknown {
  if (!PlatformError.isInstance(error)) return error;
  if (error.isTooLarge) return withAdvice(error, makeSmaller);
  // The error already says what to do.
  if (isLoginAtProxy(error)) return error;
  const step = nextSteps[error.code] ?? (repetition === "repeatable" ? nextStepsOfRepeatable[error.code] : undefined);
  return step === undefined ? error : withAdvice(error, step);
}
