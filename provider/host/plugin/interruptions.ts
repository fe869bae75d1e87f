import { PlatformError } from "../../client/errors";
import { interruptedBy, type Interruption, whyAborted } from "../../client/interruption";

/** The longest time of a timer of Node.js, about 25 days. A longer timer would end at once. */
const longestMs = 2 ** 31 - 1;

/**
 * The early end of the calls of an engine. Calls end by the engine's Cancel, sent once for each Ctrl-C and when it closes the plugin, and
 * each call ends by the time limit in the program (`customTimeouts`). Shared work ends by Cancel alone.
 */
export class Interruptions {
  readonly #waits = new AbortController();
  readonly #sent = new AbortController();
  readonly #cancel: Interruption = { waits: this.#waits.signal, sent: this.#sent.signal };
  readonly #all: Interruption = { ...this.#cancel, shared: this.#cancel };
  #inProgress = 0;
  #isCutShort = false;

  /**
   * The first cancel ends waits, retries and reads. It does not end requests that change something, for which the engine still waits;
   * otherwise an object would be on the platform and not in state. The second cancel ends them too, and the engine with them.
   */
  cancel(): void {
    const reason = new PlatformError("CALLER_ABORTED", "The run was cancelled.");
    if (this.isCancelled) {
      this.#isCutShort ||= this.#inProgress > 0;
      this.#sent.abort(reason);
    }
    this.#waits.abort(reason);
  }

  /** True once the engine has cancelled the run, or closed the plugin. */
  get isCancelled(): boolean {
    return this.#waits.signal.aborted;
  }

  /** True if calls are in progress, or were at the second cancel. The engine may not have saved the results of others. */
  get isCutShort(): boolean {
    return this.#isCutShort || this.#inProgress > 0;
  }

  /** Runs `work`. @param seconds its time limit; 0 for none */
  async within<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    this.#inProgress++;
    try {
      return await this.#limited(seconds, work);
    } finally {
      this.#inProgress--;
    }
  }

  async #limited<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
    // Work that starts now would be aborted halfway.
    if (this.isCancelled) throw new PlatformError("CALLER_ABORTED", `${whyAborted(this.#waits.signal)} Nothing was sent.`);
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
