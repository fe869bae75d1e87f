import { hasCode, isTooLarge, type PlatformError } from "./errors";

/** True if the POST may have been applied although no answer confirms it. */
export function isOutcomeUnknown(error: unknown): error is PlatformError {
  // The answer of a successful call may be too large.
  if (isTooLarge(error)) return true;
  if (hasCode(error, "UNEXPECTED_ANSWER")) return error.status === undefined || error.status < 300 || error.status >= 500;
  return hasCode(
    error,
    "CONNECTION_LOST",
    "TIMEOUT",
    "CALLER_ABORTED",
    "CANCELLED",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
    "UNKNOWN",
    "DATA_LOSS",
    // It should mean that nothing was applied. A proxy may send it too, and two objects cost more than a look-up.
    "ABORTED",
  );
}
