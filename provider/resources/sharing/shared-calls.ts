import { forOthersToo, untilInterrupted } from "../../client/interruption";

/** Calls made once per key, whose answers are shared. Failures are not cached. */
export class SharedCalls<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();

  /** The answer for `key`; calls `ask` if there is none yet. */
  once(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return untilInterrupted(known);
    const asked = forOthersToo(ask);
    this.#answers.set(key, asked);
    asked.catch(() => this.#answers.delete(key));
    return untilInterrupted(asked);
  }

  /** The answer for `key`, possibly still on its way; undefined if nothing has asked for it. */
  known(key: string): Promise<Answer> | undefined {
    return this.#answers.get(key);
  }
}
