import { setTimeout as sleep } from "node:timers/promises";

/** Time as this process measures it. Tests pass their own clock. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never moves back. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborts with a `TimeoutError` after `ms` milliseconds. Does not keep the process alive. */
  deadline(ms: number): AbortSignal;
}

/** The clock of every program. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  deadline: (ms) => AbortSignal.timeout(ms),
};
