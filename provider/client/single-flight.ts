import { forOthersToo, untilInterrupted } from "./interruption";

/**
 * Calls that share one answer, by key: who asks while a call is on its way joins it. An interrupted caller leaves, and the call goes
 * on for the others. A failure is for those who wait for it: the next one asks again.
 */
export class SingleFlight<Answer> {
  readonly #calls = new Map<string, Promise<Answer>>();

  /** @param keeps `answers`: until they are forgotten. `nothing`: who asks after an answer has arrived asks again */
  constructor(private readonly keeps: "answers" | "nothing" = "answers") {}

  /** The answer for `key`; calls `ask` if there is none and none is on its way. */
  once(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    return untilInterrupted(this.call(key, ask));
  }

  /** The same for a caller that says itself when it leaves. */
  call(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const call = forOthersToo(ask);
    this.#calls.set(key, call);
    const forget = () => this.forget(key, call);
    call.then(this.keeps === "answers" ? undefined : forget, forget);
    return call;
  }

  /** The call for `key`, answered or on its way; undefined if nothing has asked. */
  known(key: string): Promise<Answer> | undefined {
    return this.#calls.get(key);
  }

  /** Lets the next one ask again. @param call only if this is the call for `key` by now. Default: whichever is */
  forget(key: string, call: Promise<Answer> | undefined = this.#calls.get(key)): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
