import type { PlatformClient } from "../../client/client";
import { interruptionOf, unlessAborted, whyAborted } from "../../client/interruption";

/** Time limit of a create, in budgets of one call: one to prepare, one to send. */
const budgets = 2;

/**
 * Until when a create may go on: until its time limit, or until the engine's call is interrupted. From the first POST on, all attempts and
 * look-ups share the budget of one call.
 */
export class TimeLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  readonly #client: Pick<PlatformClient, "clock" | "timing">;
  readonly #sending = new AbortController();
  readonly #interruption = interruptionOf("sent");
  #limitOfSends: AbortSignal | undefined;

  constructor(client: Pick<PlatformClient, "clock" | "timing">) {
    this.#client = client;
    const limit = client.clock.deadline(budgets * client.timing.budgetMs);
    const limits = [limit, this.#sending.signal];
    this.signal = AbortSignal.any(this.#interruption ? [...limits, this.#interruption] : limits);
  }

  /** Starts the budget of the sends with the first of them. */
  sends(): void {
    if (this.#limitOfSends !== undefined) return;
    const { clock, timing } = this.#client;
    const limit = clock.deadline(timing.budgetMs);
    limit.addEventListener("abort", () => this.#sending.abort(limit.reason), { once: true });
    this.#limitOfSends = limit;
  }

  /** The result of `work`, which others may share, unless the time is over before. */
  within<Result>(work: Promise<Result>): Promise<Result> {
    return unlessAborted(work, this.signal, () => "No response yet.");
  }

  /** Until when there was time, for messages. */
  get text(): string {
    if (this.#interruption?.aborted) return `in time. ${whyAborted(this.#interruption)}`;
    const { budgetMs } = this.#client.timing;
    return `within ${((this.#limitOfSends?.aborted ? 1 : budgets) * budgetMs) / 1_000} s.`;
  }
}
