import { PlatformError } from "../../client/errors";
import { interruptedBy, type Interruption, whyAborted } from "../../client/interruption";

/** How long what was sent may take after the engine has cancelled the run, in milliseconds. */
const graceMs = 1_000;

/** The longest time of a timer of Node.js, about 25 days: a longer one would end at once. */
const longestMs = 2 ** 31 - 1;

/**
 * What ends the calls of one engine early: its Cancel, which ends all of them, and for each the time limit that the program sets
 * (`customTimeouts`). What calls share ends with Cancel alone.
 */
export class Interruptions {
  readonly #waits = new AbortController();
  readonly #sent = new AbortController();
  readonly #cancel: Interruption = { waits: this.#waits.signal, sent: this.#sent.signal };
  readonly #all: Interruption = { ...this.#cancel, shared: this.#cancel };

  /**
   * Ends waits, retries and reads now. What was sent to change something may still settle for a moment: otherwise its object would be
   * on the platform and not in state.
   */
  cancel(): void {
    const reason = new PlatformError("CALLER_ABORTED", "The run was cancelled.");
    this.#waits.abort(reason);
    setTimeout(() => this.#sent.abort(reason), graceMs).unref();
  }

  /** Runs `work`. @param seconds its time limit; 0 for none */
  async within<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    // What begins now would only be looked up and given up.
    if (this.#waits.signal.aborted)
      throw new PlatformError("CALLER_ABORTED", `${whyAborted(this.#waits.signal)} Nothing was sent.`);
    if (!(seconds > 0)) return interruptedBy(this.#all, work);
    const deadline = new AbortController();
    const limitMs = Math.min(seconds * 1_000, longestMs);
    const timer = setTimeout(() => {
      deadline.abort(new PlatformError("CALLER_ABORTED", `The time limit of ${seconds} s (customTimeouts) has passed.`));
    }, limitMs);
    const ending = (signal: AbortSignal) => AbortSignal.any([signal, deadline.signal]);
    try {
      const { waits, sent } = this.#cancel;
      return await interruptedBy({ waits: ending(waits), sent: ending(sent), shared: this.#cancel }, work);
    } finally {
      clearTimeout(timer);
    }
  }
}
