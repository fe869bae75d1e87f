import type { Timing } from "../../provider/client/retry";

/** Timeouts of a run that meets a fault: so short that a test can sit them out. */
export const shortTimeouts: Timing = {
  attemptMs: 500,
  budgetMs: 3_000,
  firstDelayMs: 10,
  longestDelayMs: 40,
  propagationMs: 300,
};

/** Enough for a busy machine. */
export const longTimeouts: Timing = { ...shortTimeouts, attemptMs: 2_500, budgetMs: 16_000 };
