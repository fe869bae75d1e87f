import { type Clock, monotonicClock } from "./clock";
import { hasCode, isLoginAtProxy, isTooLarge, PlatformError, type PlatformErrorCode, withSentence } from "./errors";
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
  /**
   * How long an answer of the platform may lag behind a write. A create or an update waits that long for objects of the same run
   * (`resources/creating/propagation.ts`), a 404 of a young object is no answer (`sight/old-enough.ts`), a List may still show a deleted
   * object (`sight/deletion-proof.ts`), and a change that looks foreign is read again (`resources/object/changed-meanwhile.ts`). Default
   * 30,000.
   */
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

/** Attempts of a call without a `Retry-After`. With doubling delays, they take about six seconds. */
const maxAttempts = 6;

/** Transient faults, after which a call is sent again if it changes nothing or repeats the same change. */
const transient: PlatformErrorCode[] = [
  "NOT_CONNECTED",
  "CONNECTION_LOST",
  "TIMEOUT",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  // A conflict with another change, which ends soon. `ALREADY_EXISTS` has the same HTTP status but is permanent.
  "ABORTED",
];

/** Faults after which the platform cannot have applied anything. */
const notApplied: PlatformErrorCode[] = ["NOT_CONNECTED", "RESOURCE_EXHAUSTED"];

/** `repeatable`: the call is idempotent (GET, PATCH, DELETE). `once`: it is not (POST). */
export type Repetition = "repeatable" | "once";

/** True if another attempt of a call with this `repetition` may succeed after `error`. */
export function isWorthRetrying(error: unknown, repetition: Repetition): error is PlatformError {
  if (!PlatformError.isInstance(error) || isLoginAtProxy(error)) return false;
  // The same request would get the same answer.
  return !isTooLarge(error) && hasCode(error, ...(repetition === "repeatable" ? transient : notApplied));
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1). It is a doubling delay minus a random part of up to one half, so that many
 * clients do not return together, or the time that the platform asked for, if longer. `Retry-After: 0` causes no storm.
 */
export function delayBefore(attempt: number, error: PlatformError, timing: Timing, random: () => number = Math.random): number {
  const longest = Math.min(timing.longestDelayMs, timing.firstDelayMs * 2 ** (attempt - 1));
  return Math.max(error.retryAfterMs ?? 0, longest * (0.5 + random() / 2));
}

/** The parameters for retries of a call. */
export interface CallRetries {
  repetition: Repetition;
  timing: Timing;
  signal?: AbortSignal | undefined;
  clock?: Clock;
  /** True for more errors after which the call is sent again. */
  isTransient?: ((error: PlatformError) => boolean) | undefined;
  /**
   * Called before each attempt except the first, with the error of the last one. An error thrown here ends the call, unless it is
   * transient.
   */
  beforeRepeat?: ((error: PlatformError) => Promise<void>) | undefined;
}

/**
 * Runs one call of the API. Retries until the call succeeds, fails permanently, or has used up its budget. Throws the last error, with the
 * time to come back if the platform asks for a longer wait than the budget.
 *
 * @param attempt calls `timeLeft` right before sending, and gets the whole milliseconds that an answer may take
 */
export async function withRetries<Result>(
  attempt: (timeLeft: () => number) => Promise<Result>,
  { repetition, timing, signal, clock = monotonicClock, isTransient, beforeRepeat }: CallRetries,
): Promise<Result> {
  const end = clock.now() + timing.budgetMs;
  let failure: PlatformError | undefined;
  const timeLeft = () => {
    const left = Math.ceil(Math.min(timing.attemptMs, end - clock.now()));
    if (left > 0) return left;
    // The error of the earlier attempt is more informative.
    if (failure !== undefined) throw failure;
    throw new PlatformError(
      "NOT_CONNECTED",
      `Nothing was sent: waiting for other calls or for a token took the whole ${timing.budgetMs / 1000} s. Run again with a lower --parallel.`,
    );
  };
  const delayMs = (error: PlatformError, { count }: Attempt) =>
    error.retryAfterMs === undefined && count >= maxAttempts ? Infinity : delayBefore(count, error, timing);
  const isPending = (error: unknown): error is PlatformError => {
    if (!PlatformError.isInstance(error)) return false;
    failure = error;
    return isWorthRetrying(error, repetition) || (isTransient?.(error) ?? false);
  };
  const result = retried({ timeoutMs: timing.budgetMs, delayMs, signal, clock }, isPending, async () => {
    if (failure !== undefined) await beforeRepeat?.(failure);
    return attempt(timeLeft);
  });
  return result.catch((error: unknown) => {
    throw withReturn(error, end - clock.now());
  });
}

/** `error` with the time to come back, if the platform asks for a wait of more than `leftMs`. */
function withReturn(error: unknown, leftMs: number): unknown {
  if (!PlatformError.isInstance(error) || error.retryAfterMs === undefined || error.retryAfterMs < leftMs) return error;
  const time = new Date(Date.now() + error.retryAfterMs);
  if (Number.isNaN(time.getTime())) return error;
  return withSentence(error, `Wait ${Math.ceil(error.retryAfterMs / 1000)} s, until ${time.toISOString()}.`);
}
