import { hasCode, PlatformError } from "./errors";

/**
 * Bounds how many calls are under way at once, and finds the bound that the platform bears: a 429 halves it, every full
 * round of calls that go through raises it by one (additive increase, multiplicative decrease: RFC 5681 §3.1).
 */
export class AdaptiveLimit {
  #limit: number;
  #running = 0;
  #lastCut = -Infinity;
  readonly #waiting: (() => void)[] = [];

  /** @param ceiling the bound to start from, and never to exceed */
  constructor(private readonly ceiling: number) {
    this.#limit = ceiling;
  }

  /** Calls that may be under way at once. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Runs `work` when there is room for it.
   *
   * @throws PlatformError `CALLER_ABORTED` when `signal` fires before that
   */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#running >= this.limit) await this.#turn(signal);
    else this.#running++;
    const started = performance.now();
    try {
      const result = await work();
      this.#limit = Math.min(this.ceiling, this.#limit + 1 / this.#limit);
      return result;
    } catch (error) {
      if (hasCode(error, "RESOURCE_EXHAUSTED")) this.#cut(started);
      throw error;
    } finally {
      this.#leave();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(new PlatformError("CALLER_ABORTED", "Cancelled while waiting for other calls to end."));
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Calls that were sent together are refused together: those sent before the last cut say nothing about the new bound. */
  #cut(started: number): void {
    if (started <= this.#lastCut) return;
    this.#lastCut = performance.now();
    this.#limit = Math.max(1, this.#limit / 2);
  }

  /** Hands the place on, or gives it up where the bound has come down. */
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
