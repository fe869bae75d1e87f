import { availableParallelism } from "node:os";
import type { Clock } from "../client/clock";

/** How many calls the engine has in progress at once, unless `--parallel` sets another number (docs/scale.md#settings-that-help). */
const workers = 4 * availableParallelism();

/** Before anything is known, in milliseconds. */
const firstGapMs = 30;

/** In milliseconds. A state that takes longer to save costs requests instead of time. */
const longestLullMs = 1_000;

/**
 * The deletions that the engine has in progress. It saves its state between two steps, so the deletions of its workers begin one after the
 * other, as far apart as a save takes.
 */
export class Pace {
  #inProgress = 0;
  /** When a deletion last began or ended. */
  #changedAt = NaN;
  /** From one change to the next beginning, in the mean of the last few. */
  #gapMs = firstGapMs;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Runs `work`, a deletion that the engine waits for. */
  async deleting<Result>(work: () => Promise<Result>): Promise<Result> {
    const gapMs = this.clock.now() - this.#changedAt;
    if (!Number.isNaN(gapMs)) this.#gapMs += (Math.min(gapMs, longestLullMs) - this.#gapMs) / 4;
    this.#changed(1);
    try {
      return await work();
    } finally {
      this.#changed(-1);
    }
  }

  /**
   * True if another deletion is likely to begin soon: some are in progress, a worker may be free, and not much more time has passed than
   * between others.
   */
  isNextNear(): boolean {
    const lullMs = Math.min(3 * this.#gapMs, longestLullMs);
    return this.#inProgress > 0 && this.#inProgress < workers && this.clock.now() - this.#changedAt <= lullMs;
  }

  #changed(by: 1 | -1): void {
    this.#inProgress += by;
    this.#changedAt = this.clock.now();
  }
}
