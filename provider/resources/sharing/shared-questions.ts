import type { Clock } from "../../client/clock";
import { SingleFlight } from "../../client/single-flight";

/** How long a question waits for others to join, in milliseconds: the engine makes several calls at once. */
const gatherMs = 5;

/**
 * Shares answers that must be newer than their calls. Calls waiting when a question is sent share its answer; a later call waits for the
 * next question. Questions with the same key are sent one at a time, so calls accumulate.
 */
export class SharedQuestions<Item, Answer> {
  /** Items of the questions that were not sent yet. */
  readonly #items = new Map<string, Item[]>();
  readonly #waiting = new SingleFlight<Answer>();
  readonly #sent = new SingleFlight<Answer>("nothing");

  /** @param isAboutToJoin whether a call about this key is expected to join a question that has waited `waitedMs`. Default: never */
  constructor(
    private readonly clock: Clock,
    private readonly ask: (items: readonly Item[]) => Promise<Answer>,
    private readonly isAboutToJoin: (key: string, waitedMs: number) => boolean = () => false,
  ) {}

  /** The answer to a question with `key` about `item` and others, sent after this call. Failures are shared too. */
  about(key: string, item: Item): Promise<Answer> {
    this.#items.set(key, [...(this.#items.get(key) ?? []), item]);
    return this.#waiting.once(key, async () => {
      await this.#turn(key);
      const items = this.#items.get(key) ?? [];
      this.#items.delete(key);
      this.#waiting.forget(key);
      return this.#sent.call(key, () => this.ask(items));
    });
  }

  async #turn(key: string): Promise<void> {
    await this.#sent.known(key)?.then(nothing, nothing);
    const began = this.clock.now();
    do await this.clock.sleep(gatherMs);
    while (this.isAboutToJoin(key, this.clock.now() - began));
  }
}

/** Ignores the outcome of the last question, which only its own callers need. */
function nothing(): void {}
