import { hasCode, isTooLarge, PlatformError } from "./errors";
import { whyAborted } from "./interruption";

/**
 * Limits how many calls run at once, and adapts the limit to the platform. A 429 halves the limit, and every full round of successful calls
 * raises it by one (additive increase, multiplicative decrease: RFC 5681 §3.1).
 */
export class AdaptiveLimit {
  #limit: number;
  #running = 0;
  /** Number of the call that started last, and of the last one started before the limit was last cut. */
  #latest = 0;
  #latestAtCut = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param ceiling the initial limit, never exceeded; at least 1 */
  constructor(private readonly ceiling: number) {
    this.#limit = ceiling;
  }

  /** How many calls may run at once now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Runs `work` once the limit allows it. Callers are served in order.
   *
   * @throws PlatformError `CALLER_ABORTED` when `signal` aborts before that
   */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#running >= this.limit) await this.#turn(signal);
    else this.#running++;
    const call = ++this.#latest;
    try {
      const result = await work();
      this.#limit = Math.min(this.ceiling, this.#limit + 1 / this.#limit);
      return result;
    } catch (error) {
      if (hasCode(error, "RESOURCE_EXHAUSTED") && !isTooLarge(error)) this.#cut(call);
      throw error;
    } finally {
      this.#leave();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        if (signal) reject(cancelled(signal));
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Calls sent together are rejected together, so calls that started before the last cut do not cut the new limit again. */
  #cut(call: number): void {
    if (call <= this.#latestAtCut) return;
    this.#latestAtCut = this.#latest;
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** Starts the next waiting calls, as many as the limit now allows. */
  #leave(): void {
    this.#running--;
    while (this.#running < this.limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running++;
      next();
    }
  }
}

function cancelled(signal: AbortSignal): PlatformError {
  return new PlatformError("CALLER_ABORTED", `Still waiting for other calls. ${whyAborted(signal)}`);
}
