import type { Clock } from "./clock";
import { PlatformError } from "./errors";
import { interruptionOf, whyAborted } from "./interruption";

/** The probe reached what the caller waits for. */
export interface Target<Result> {
  readonly state: "target";
  readonly value: Result;
}

/** Not yet: probe again after a delay. */
export interface Pending<Reason> {
  readonly state: "pending";
  /** What the last probe saw, such as the error that is worth another attempt. */
  readonly reason: Reason;
}

/** The time was up before the target was reached. */
export interface Timeout<Reason> {
  readonly state: "timeout";
  /** The reason of the last pending probe. */
  readonly reason: Reason;
}

/** What a probe knows of the wait that it is part of. */
export interface Attempt {
  /** Number of this probe, from 1. */
  readonly count: number;
  /** Milliseconds since the wait began. */
  readonly elapsedMs: number;
  /** Milliseconds until the wait times out, 0 at least. */
  readonly timeLeftMs: number;
}

/** How to wait. */
export interface WaitOptions<Reason> {
  /** Milliseconds from now to the timeout. A probe that is running then is not interrupted. */
  readonly timeoutMs: number;
  /** Milliseconds between the end of a probe and the next one. `Infinity` stops waiting. */
  readonly delayMs: number | ((reason: Reason, attempt: Attempt) => number);
  /**
   * What to do if the delay would pass the timeout. False (default): time out at once. True: shorten the delay and probe once more at
   * the timeout, for callers that need to know the state at that time.
   */
  readonly lastProbe?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Calls `probe` until it returns its target or the time is up. The first probe runs at once.
 *
 * @returns the target, or the reason of the last probe. The caller decides whether a timeout is an error.
 * @throws whatever the probe throws, at once; PlatformError `CALLER_ABORTED` when `signal` aborts, or an interruption comes, during a delay
 */
export async function pollUntil<Result, Reason>(
  { timeoutMs, delayMs, lastProbe = false, signal, clock }: WaitOptions<Reason>,
  probe: (attempt: Attempt) => Promise<Target<Result> | Pending<Reason>>,
): Promise<Target<Result> | Timeout<Reason>> {
  const start = clock.now();
  const attemptNow = (count: number): Attempt => {
    const elapsedMs = clock.now() - start;
    return { count, elapsedMs, timeLeftMs: Math.max(0, timeoutMs - elapsedMs) };
  };
  const first: Attempt = { count: 1, elapsedMs: 0, timeLeftMs: Math.max(0, timeoutMs) };
  for (let count = 1, isLast = timeoutMs <= 0; ; count++) {
    const state = await probe(count === 1 ? first : attemptNow(count));
    if (state.state === "target") return state;
    const attempt = attemptNow(count);
    const delay = typeof delayMs === "number" ? delayMs : delayMs(state.reason, attempt);
    const passesTimeout = delay >= attempt.timeLeftMs;
    if (isLast || (passesTimeout && !lastProbe)) return { state: "timeout", reason: state.reason };
    isLast = passesTimeout;
    const interruption = interruptionOf("waits", signal);
    await clock.sleep(Math.min(delay, attempt.timeLeftMs), interruption).catch((error: unknown) => {
      if (!interruption?.aborted) throw error;
      const why = PlatformError.isInstance(interruption.reason) ? ` ${whyAborted(interruption)}` : "";
      throw new PlatformError("CALLER_ABORTED", `Cancelled while waiting to try again.${why}`, { cause: state.reason });
    });
  }
}
