import type { Clock } from "../../client/clock";
import { forOthersToo, untilInterrupted } from "../../client/interruption";

/** How long a question waits for others to join, in milliseconds: the engine makes several calls at once. */
const gatherMs = 5;

/** A question that was not sent yet. */
interface Waiting<Item, Answer> {
  items: Item[];
  answer: Promise<Answer>;
}

/**
 * Shares answers that must be newer than the calls that need them. Calls that are waiting when a question is sent share its answer; a
 * later call waits for the next question. Questions with the same key are sent one at a time, so that calls accumulate.
 */
export class SharedQuestions<Item, Answer> {
  readonly #waiting = new Map<string, Waiting<Item, Answer>>();
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly clock: Clock,
    private readonly ask: (items: readonly Item[]) => Promise<Answer>,
  ) {}

  /** The answer to a question with `key` about `item` and others, sent after this call. Failures are shared too. */
  about(key: string, item: Item): Promise<Answer> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      waiting.items.push(item);
      return untilInterrupted(waiting.answer);
    }
    const items = [item];
    const answer = forOthersToo(() =>
      this.#turn(key).then(() => {
        this.#waiting.delete(key);
        return this.ask(items);
      }),
    );
    this.#waiting.set(key, { items, answer });
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return untilInterrupted(answer);
  }

  async #turn(key: string): Promise<void> {
    await this.#last.get(key);
    await this.clock.sleep(gatherMs);
  }
}
