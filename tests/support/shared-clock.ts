import type { Clock } from "../../provider/client/clock";
import type { TestPlatform } from "./test-platform";

/** A clock that moves only by its own sleeps and {@link pass}, and moves that of the platform along. Sleeps follow each other. */
export class SharedClock implements Clock {
  /** Milliseconds slept since the last {@link pass}. */
  slept = 0;
  #time = 0;

  constructor(private readonly platform: TestPlatform) {}

  now(): number {
    return this.#time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept += ms;
    await this.#moveTo(this.#time + ms);
  }

  /** Moves both clocks as time would pass between two runs. */
  async pass(ms: number): Promise<void> {
    await this.#moveTo(this.#time + ms);
    this.slept = 0;
  }

  async #moveTo(time: number): Promise<void> {
    this.#time = time;
    await this.platform.settings({ clockOffsetSeconds: time / 1_000 });
  }
}
