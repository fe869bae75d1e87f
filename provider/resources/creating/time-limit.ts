import type { PlatformClient } from "../../client/client";
import { interruptionOf, unlessAborted, whyAborted } from "../../client/interruption";

/** Time limit of a create, in budgets of one call: one to prepare, one to send. */
const budgets = 2;

/** Until when a create may go on: until its time limit, or until the engine's call is interrupted. */
export class TimeLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  readonly #totalMs: number;
  readonly #interruption = interruptionOf("sent");

  constructor({ clock, timing }: Pick<PlatformClient, "clock" | "timing">) {
    this.#totalMs = budgets * timing.budgetMs;
    const limit = clock.deadline(this.#totalMs);
    this.signal = this.#interruption ? AbortSignal.any([limit, this.#interruption]) : limit;
  }

  /** The result of `work`, which others may share, unless the time is over before. */
  within<Result>(work: Promise<Result>): Promise<Result> {
    return unlessAborted(work, this.signal, () => "No response yet.");
  }

  /** Until when there was time, for messages. */
  get text(): string {
    return this.#interruption?.aborted ? `in time. ${whyAborted(this.#interruption)}` : `within ${this.#totalMs / 1_000} s.`;
  }
}
