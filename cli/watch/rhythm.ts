import { setTimeout as wait } from "node:timers/promises";

/** The random part of an interval, so that many watchers do not send requests at the same time. */
const jitter = 0.1;

/** Shortest time between two rounds in milliseconds, regardless of the number of events. */
const leastGap = 5_000;

/** Waits for `milliseconds`, or until `signal` ends it. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** The start of the next round, after an interval or soon after an event. */
export class Rhythm {
  #wakeUp = new AbortController();

  /**
   * @param interval milliseconds between two rounds
   * @param sleep, random for tests
   */
  constructor(
    private readonly interval: number,
    private readonly sleep: Sleep = sleepFor,
    private readonly random: () => number = Math.random,
  ) {}

  /** Lets the next round begin soon. */
  wake(): void {
    this.#wakeUp.abort();
  }

  /** Waits for the next round. */
  async pause(signal: AbortSignal): Promise<void> {
    const whole = Math.round(this.interval * (1 + jitter * (2 * this.random() - 1)));
    const least = Math.min(leastGap, whole);
    await this.sleep(least, signal);
    // An event during the round may concern a part that the round had already read.
    await this.sleep(whole - least, AbortSignal.any([signal, this.#wakeUp.signal]));
    this.#wakeUp = new AbortController();
  }
}

/** Waits by the clock. */
export async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
