import { setTimeout as sleep } from "node:timers/promises";

/** How long a question waits for other calls to share it, in milliseconds: the engine makes several calls at once. */
const gatherMs = 5;

/** A question that has not been asked yet. */
interface Waiting<Item, Answer> {
  items: Item[];
  answer: Promise<Answer>;
}

/**
 * Asks questions whose answer must be newer than the call that needs it. Calls that wait when a question is asked share its answer;
 * a call that comes later waits for the next one. Questions with one key are asked one after the other, so that calls gather.
 */
export class SharedQuestions<Item, Answer> {
  readonly #waiting = new Map<string, Waiting<Item, Answer>>();
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(private readonly ask: (items: readonly Item[]) => Promise<Answer>) {}

  /** The answer to the question `key` about `item` and others, asked after this call. A failure is shared too. */
  about(key: string, item: Item): Promise<Answer> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      waiting.items.push(item);
      return waiting.answer;
    }
    const items = [item];
    const answer = this.#turn(key).then(() => {
      this.#waiting.delete(key);
      return this.ask(items);
    });
    this.#waiting.set(key, { items, answer });
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return answer;
  }

  async #turn(key: string): Promise<void> {
    await this.#last.get(key);
    await sleep(gatherMs);
  }
}
