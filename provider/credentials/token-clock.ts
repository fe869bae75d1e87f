import { type Clock, monotonicClock } from "../client/clock";
import { platformErrorAs } from "../client/errors";
import { send } from "../client/http";
import { SingleFlight } from "../client/single-flight";

/** Deadline of the question for the time, in milliseconds. */
const longestQuestionMs = 5_000;

/**
 * The time by which tokens expire. It is the clock of this machine until a token has expired by it. That clock may be wrong, so the
 * server is then asked for its own time, which is used from then on.
 */
export class TokenClock {
  #known: { readonly time: number; readonly at: number } | undefined;
  readonly #asking = new SingleFlight<void>("nothing");

  /**
   * @param address of the server that judges the tokens, where a GET without a token does no harm
   * @param local the clock of this machine, in milliseconds since 1970
   */
  constructor(
    private readonly address: string,
    private readonly local: () => number = Date.now,
    private readonly clock: Clock = monotonicClock,
  ) {}

  /** Milliseconds since 1970. */
  now(): number {
    return this.#known ? this.#known.time + (this.clock.now() - this.#known.at) : this.local();
  }

  /** True if `time` has passed by the clock of the server. False if the server does not tell its time: then it judges the token itself. */
  async hasPassed(time: number): Promise<boolean> {
    if (time > this.now()) return false;
    if (this.#known === undefined) await this.#asking.once("", () => this.#ask());
    return this.#known !== undefined && time <= this.now();
  }

  async #ask(): Promise<void> {
    const url = new URL(this.address);
    // The request that follows meets the same fault, and its error says more.
    const answer = await send({ method: "GET", url, timeoutMs: longestQuestionMs, clock: this.clock }).catch(
      platformErrorAs(() => undefined),
    );
    const time = Date.parse(answer?.headers["date"] ?? "");
    if (!Number.isNaN(time)) this.#known = { time, at: this.clock.now() };
  }
}
