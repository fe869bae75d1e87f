import type { Clock } from "../../provider/client/clock";

/** A clock that moves only when somebody sleeps by it. */
export class FakeClock implements Clock {
  /** Every delay asked for, in order. */
  readonly slept: number[] = [];

  constructor(private time = 0) {}

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    await Promise.resolve();
    this.time += ms;
  }

  /** Moves the clock as work would. */
  pass(ms: number): void {
    this.time += ms;
  }
}
