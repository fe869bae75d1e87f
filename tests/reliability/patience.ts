import { AsyncLocalStorage } from "node:async_hooks";
import { defaultTiming, type Timing } from "../../provider/client/retry";

/** How long the client waits in a run with a fault: short, so that deadlines pass while a test runs. */
export const patience: Timing = { attemptMs: 500, budgetMs: 3_000, firstDelayMs: 10, longestDelayMs: 40, propagationMs: 300 };

/** Enough for a machine that has much else to do. */
export const longPatience: Timing = { ...patience, attemptMs: 2_500, budgetMs: 16_000 };

const chosen = new AsyncLocalStorage<Timing>();
const original = { ...defaultTiming };

for (const name of Object.keys(original) as (keyof Timing)[])
  Object.defineProperty(defaultTiming, name, { enumerable: true, get: () => (chosen.getStore() ?? original)[name] });

/** Does `work` with a client that waits as `timing` says; other work that goes on beside it keeps its own. */
export function withPatience<Result>(timing: Timing, work: () => Promise<Result>): Promise<Result> {
  return chosen.run(timing, work);
}
