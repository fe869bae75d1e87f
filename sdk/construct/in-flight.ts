import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";

/** The errors of unawaited promises of the component that is being constructed. */
const unhandled = new AsyncLocalStorage<unknown[]>();

/** The constructions in progress by their engine, with the failed ones that wait for their end. */
const running = new Map<string, { count: number; waiting: (() => void)[] }>();

let isWatching = false;

/**
 * Runs `work`, which constructs a component for the engine `monitor`. An engine ends its run with the first error and closes the connections
 * of all other constructions, whose errors would then hide the first one. So an error waits until all others have ended or failed.
 */
export async function inFlight<Result>(monitor: string, work: () => Promise<Result>): Promise<Result> {
  const all = running.get(monitor) ?? { count: 0, waiting: [] };
  running.set(monitor, all);
  all.count++;
  const outcome = await outcomeOf(work);
  all.count--;
  if (all.count === 0) {
    running.delete(monitor);
    for (const end of all.waiting) end();
  }
  if ("result" in outcome) return outcome.result;
  if (all.count > 0) await new Promise<void>((resolve) => all.waiting.push(resolve));
  throw outcome.error;
}

/** The SDK awaits no registration, so an error of one may reach nothing but {@link watch}. */
async function outcomeOf<Result>(work: () => Promise<Result>): Promise<{ result: Result } | { error: unknown }> {
  watch();
  const errors: unknown[] = [];
  try {
    const result = await unhandled.run(errors, work);
    // Rejections are found unhandled after the present turn.
    await nextTurn();
    return errors.length === 0 ? { result } : { error: errors[0] };
  } catch (error) {
    return { error };
  }
}

/** Gives each unhandled rejection to the construction that caused it. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on("unhandledRejection", (error) => {
    const errors = unhandled.getStore();
    if (errors === undefined) throw error;
    errors.push(error);
  });
}
