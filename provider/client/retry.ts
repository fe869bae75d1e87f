import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, PlatformError, type PlatformErrorCode } from "./errors";

/** How long calls may take, in milliseconds. */
export interface Timing {
  /** Deadline of one attempt. Default 30,000. */
  attemptMs: number;
  /** Budget of one call with all its attempts and waits. Default 120,000. */
  budgetMs: number;
  /** First wait between attempts; it doubles up to {@link longestDelayMs}. Default 200. */
  firstDelayMs: number;
  /** Longest wait that this side chooses; `Retry-After` may ask for more. Default 5,000. */
  longestDelayMs: number;
  /** How long a create waits until the platform knows what this run made just before. Default 30,000. */
  propagationMs: number;
}

/** The values that every program runs with. */
export const defaultTiming: Timing = {
  attemptMs: 30_000,
  budgetMs: 120_000,
  firstDelayMs: 200,
  longestDelayMs: 5_000,
  propagationMs: 30_000,
};

/** Attempts of a call that is not told how long to wait: with doubling waits, about six seconds. */
const maxAttempts = 6;

/** Passing faults: a call that changes nothing, or changes the same thing again, is sent once more. */
const passing: PlatformErrorCode[] = [
  "NOT_CONNECTED",
  "CONNECTION_LOST",
  "TIMEOUT",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
];

/** Faults after which nothing can have been applied. */
const notApplied: PlatformErrorCode[] = ["NOT_CONNECTED", "RESOURCE_EXHAUSTED"];

/** `repeatable`: the same call again has the same effect (GET, PATCH, DELETE). `once`: it does not (POST). */
export type Repetition = "repeatable" | "once";

/** True when `error` is worth another attempt of a call of this `repetition`. */
export function isWorthRetrying(error: unknown, repetition: Repetition): error is PlatformError {
  return hasCode(error, ...(repetition === "repeatable" ? passing : notApplied));
}

/**
 * Milliseconds to wait before the attempt after number `attempt` (from 1): a doubling delay of which up to
 * a half is left out at random, so that many clients do not return together; more where the platform asked
 * for more. `Retry-After: 0` thus makes no storm.
 */
export function delayBefore(attempt: number, error: PlatformError, timing: Timing, random: () => number = Math.random): number {
  const longest = Math.min(timing.longestDelayMs, timing.firstDelayMs * 2 ** (attempt - 1));
  return Math.max(error.retryAfterMs ?? 0, longest * (0.5 + random() / 2));
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the budget is spent. The last error is thrown
 * as it is.
 *
 * @param attempt asks `timeLeft`, right before it sends, for the whole milliseconds that an answer may take
 */
export async function withRetries<Result>(
  attempt: (timeLeft: () => number) => Promise<Result>,
  repetition: Repetition,
  timing: Timing,
  signal?: AbortSignal,
): Promise<Result> {
  const end = performance.now() + timing.budgetMs;
  const timeLeft = () => {
    const left = Math.ceil(Math.min(timing.attemptMs, end - performance.now()));
    if (left > 0) return left;
    throw new PlatformError(
      "NOT_CONNECTED",
      `Not sent: waiting for its turn or its token took all of ${timing.budgetMs / 1000} s.`,
    );
  };
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(timeLeft);
    } catch (error) {
      if (!isWorthRetrying(error, repetition)) throw error;
      const delay = delayBefore(attempts, error, timing);
      const outOfAttempts = error.retryAfterMs === undefined && attempts >= maxAttempts;
      if (outOfAttempts || performance.now() + delay >= end) throw error;
      await sleep(delay, undefined, signal ? { signal } : {}).catch(() => {
        throw new PlatformError("CALLER_ABORTED", "Cancelled while waiting to try again.", { cause: error });
      });
    }
  }
}
