import { forOthersToo, untilInterrupted } from "./interruption";

/**
 * Shares one answer among calls with the same key. A caller joins a call in flight. If a caller is interrupted, the call continues for the
 * others. A failure is not kept, and the next caller asks again.
 */
export class SingleFlight<Answer> {
  readonly #calls = new Map<string, Promise<Answer>>();

  /** @param keeps `answers`: later callers get them until they are forgotten. `nothing`: a caller after the answer asks again */
  constructor(private readonly keeps: "answers" | "nothing" = "answers") {}

  /** The answer for `key`. Calls `ask` if there is no answer and no call in flight. */
  once(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    return untilInterrupted(this.call(key, ask));
  }

  /** The same as {@link once}, for a caller that ends its own wait when it is interrupted. */
  call(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const call = forOthersToo(ask);
    this.#calls.set(key, call);
    const forget = () => this.forget(key, call);
    call.then(this.keeps === "answers" ? undefined : forget, forget);
    return call;
  }

  /** The call for `key`, answered or in flight; undefined if there was none. */
  known(key: string): Promise<Answer> | undefined {
    return this.#calls.get(key);
  }

  /** Makes the next caller for `key` ask again. @param call forgotten only if no other call has replaced it. Default: any */
  forget(key: string, call: Promise<Answer> | undefined = this.#calls.get(key)): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
