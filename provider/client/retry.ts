import { type Clock, monotonicClock } from "./clock";
import { hasCode, isTooLarge, PlatformError, type PlatformErrorCode } from "./errors";
import { type Attempt, retried } from "./wait";

/** How long calls may take, in milliseconds. */
export interface Timing {
  /** Deadline of one attempt. Default 30,000. */
  attemptMs: number;
  /** Deadline of one call with all its attempts and delays. Default 120,000. */
  budgetMs: number;
  /** First delay between attempts; doubles up to {@link longestDelayMs}. Default 200. */
  firstDelayMs: number;
  /** Longest delay without a `Retry-After`, which may ask for more. Default 5,000. */
  longestDelayMs: number;
  /** How long a create or an update waits for the platform to see objects that this run has just created. Default 30,000. */
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

/** Attempts of a call without a `Retry-After`: with doubling delays, about six seconds. */
const maxAttempts = 6;

/** Transient faults: a call that changes nothing, or repeats the same change, is sent again. */
const transient: PlatformErrorCode[] = [
  "NOT_CONNECTED",
  "CONNECTION_LOST",
  "TIMEOUT",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  // A conflict with another change, which is over soon. `ALREADY_EXISTS` has the same HTTP status, and stays.
  "ABORTED",
];

/** Faults after which the platform cannot have applied anything. */
const notApplied: PlatformErrorCode[] = ["NOT_CONNECTED", "RESOURCE_EXHAUSTED"];

/** `repeatable`: the same call again has the same effect (GET, PATCH, DELETE). `once`: it does not (POST). */
export type Repetition = "repeatable" | "once";

/** True when `error` is worth another attempt of a call of this `repetition`. */
export function isWorthRetrying(error: unknown, repetition: Repetition): error is PlatformError {
  // The same question has the same answer.
  return !isTooLarge(error) && hasCode(error, ...(repetition === "repeatable" ? transient : notApplied));
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): a delay that doubles, less a random part of up to a half, so
 * that many clients do not return together; or what the platform asked for, if that is more. `Retry-After: 0` causes no storm.
 */
export function delayBefore(attempt: number, error: PlatformError, timing: Timing, random: () => number = Math.random): number {
  const longest = Math.min(timing.longestDelayMs, timing.firstDelayMs * 2 ** (attempt - 1));
  return Math.max(error.retryAfterMs ?? 0, longest * (0.5 + random() / 2));
}

/** What a call of the API is retried by. */
export interface CallRetries {
  repetition: Repetition;
  timing: Timing;
  signal?: AbortSignal | undefined;
  clock?: Clock;
  /** Called before each attempt but the first, with the error of the last one. What it throws ends the call, unless that is transient. */
  beforeRepeat?: ((error: PlatformError) => Promise<void>) | undefined;
}

/**
 * Runs one call of the API: retries it until it succeeds, fails for good, or its budget is spent. Throws the last error unchanged.
 *
 * @param attempt calls `timeLeft` right before it sends, for the whole milliseconds that an answer may take
 */
export async function withRetries<Result>(
  attempt: (timeLeft: () => number) => Promise<Result>,
  { repetition, timing, signal, clock = monotonicClock, beforeRepeat }: CallRetries,
): Promise<Result> {
  const end = clock.now() + timing.budgetMs;
  let failure: PlatformError | undefined;
  const timeLeft = () => {
    const left = Math.ceil(Math.min(timing.attemptMs, end - clock.now()));
    if (left > 0) return left;
    // The error of an earlier attempt says more.
    if (failure !== undefined) throw failure;
    throw new PlatformError(
      "NOT_CONNECTED",
      `Nothing was sent: waiting for other calls or for a token took the whole ${timing.budgetMs / 1000} s. Run again with a lower --parallel.`,
    );
  };
  const delayMs = (error: PlatformError, { count }: Attempt) =>
    error.retryAfterMs === undefined && count >= maxAttempts ? Infinity : delayBefore(count, error, timing);
  const isPending = (error: unknown): error is PlatformError => {
    if (PlatformError.isInstance(error)) failure = error;
    return isWorthRetrying(error, repetition);
  };
  return retried({ timeoutMs: timing.budgetMs, delayMs, signal, clock }, isPending, async () => {
    if (failure !== undefined) await beforeRepeat?.(failure);
    return attempt(timeLeft);
  });
}
