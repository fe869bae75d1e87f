import type { Clock } from "./clock";
import { PlatformError } from "./errors";
import { interruptionOf, whyAborted } from "./interruption";

/** The result of a probe. It is the awaited target, or the present reason to wait, such as an error that is worth another attempt. */
export type Probed<Result, Reason> =
  { readonly state: "target"; readonly value: Result } | { readonly state: "pending"; readonly value: Reason };

/** The progress of a wait, for its probes. */
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
  /** Milliseconds from now to the timeout. A running probe is not interrupted at the timeout. */
  readonly timeoutMs: number;
  /** Milliseconds between the end of a probe and the next one. `Infinity` stops waiting. */
  readonly delayMs: number | ((reason: Reason, attempt: Attempt) => number);
  /**
   * `at timeout`: if the delay would pass the timeout, probe once more at the timeout to know the state at that time. Default: time out at
   * once.
   */
  readonly lastProbe?: "at timeout";
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Calls `probe` until it returns its target or the time is up. The first probe runs at once.
 *
 * @returns the result of the last probe. The caller decides whether a timeout is an error.
 * @throws any error of the probe, at once; PlatformError `CALLER_ABORTED` when `signal` aborts, or an interruption comes, during a delay
 */
export async function pollUntil<Result, Reason>(
  { timeoutMs, delayMs, lastProbe, signal, clock }: WaitOptions<Reason>,
  probe: (attempt: Attempt) => Promise<Probed<Result, Reason>>,
): Promise<Probed<Result, Reason>> {
  const start = clock.now();
  const attemptNow = (count: number): Attempt => {
    const elapsedMs = clock.now() - start;
    return { count, elapsedMs, timeLeftMs: Math.max(0, timeoutMs - elapsedMs) };
  };
  const first: Attempt = { count: 1, elapsedMs: 0, timeLeftMs: Math.max(0, timeoutMs) };
  for (let count = 1, isLast = timeoutMs <= 0; ; count++) {
    const probed = await probe(count === 1 ? first : attemptNow(count));
    if (probed.state === "target") return probed;
    const attempt = attemptNow(count);
    const delay = typeof delayMs === "number" ? delayMs : delayMs(probed.value, attempt);
    const passesTimeout = delay >= attempt.timeLeftMs;
    if (isLast || (passesTimeout && lastProbe === undefined)) return probed;
    isLast = passesTimeout;
    const interruption = interruptionOf("waits", signal);
    await clock.sleep(Math.min(delay, attempt.timeLeftMs), interruption).catch((error: unknown) => {
      if (!interruption?.aborted) throw error;
      const why = PlatformError.isInstance(interruption.reason) ? ` ${whyAborted(interruption)}` : "";
      throw new PlatformError("CALLER_ABORTED", `Cancelled while waiting to try again.${why}`, { cause: probed.value });
    });
  }
}

/**
 * The result of `work`, which is repeated as long as it fails with an error that `isPending`. @throws the last error, or see {@link
 * pollUntil}
 */
export async function retried<Result>(
  options: WaitOptions<PlatformError>,
  isPending: (error: unknown) => error is PlatformError,
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const end = await pollUntil<Result, PlatformError>(options, async (attempt) => {
    try {
      return { state: "target", value: await work(attempt) };
    } catch (error) {
      if (!isPending(error)) throw error;
      return { state: "pending", value: error };
    }
  });
  if (end.state === "pending") throw end.value;
  return end.value;
}
