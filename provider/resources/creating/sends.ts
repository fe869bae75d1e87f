import type { PlatformError } from "../../client/errors";
import { type Inputs, type Kind, noteKeyOf } from "../../kinds/kind";
import type { Run } from "../run";
import { isOutcomeUnknown } from "./outcome";
import { type Evidence, sentAt } from "./ownership";
import type { PendingCreate } from "./pending-creates";

/** What one create has sent, and what that proves. It is noted for the next run, in case this process is killed. */
export class Sends {
  /** What the platform has answered, as far as it decides the next step. */
  outcome: "nothing sent" | "batch rejected" | "already exists" | "in doubt" = "nothing sent";
  /** The error of the last one, unless a batch was rejected: its objects are sent one by one. */
  cause: PlatformError | undefined;
  /** True if no object had the natural key right before the first one. */
  wasFree = false;
  /** True from a POST until the platform has rejected it: in between it may have been applied. */
  mayApply = false;
  /** The create that a killed run left behind. */
  readonly pending: PendingCreate | undefined;
  /** The platform's clock at the first one that can have created the object; undefined if unknown. */
  #firstAt: number | undefined;
  /** The client's clock at the last one; undefined before it. */
  #lastAt: number | undefined;
  readonly #noteKey: string | undefined;

  constructor(
    private readonly kind: Kind,
    inputs: Inputs,
    private readonly run: Pick<Run, "client" | "pendingCreates">,
  ) {
    this.#noteKey = noteKeyOf(kind, inputs);
    this.pending = this.#noteKey === undefined ? undefined : run.pendingCreates.find(this.#noteKey, run.client.timing.attemptMs);
  }

  /** Records that a POST is about to be sent. */
  begin(): void {
    const { client, pendingCreates } = this.run;
    const serverTime = client.serverTime();
    // Only a send in doubt can have created anything; one that is repeated was rejected.
    if (this.outcome !== "in doubt") this.#firstAt = serverTime;
    this.#lastAt = client.clock.now();
    this.mayApply = true;
    if (this.#noteKey === undefined) return;
    const sending = { kind: this.kind.collection.segment, serverTime, firstSent: this.#firstAt };
    pendingCreates.sent(this.#noteKey, client.timing.attemptMs, sending);
  }

  /** Records how the last POST failed. */
  failed(error: unknown): void {
    if (!isOutcomeUnknown(error)) this.mayApply = false;
  }

  /** True once anything was sent. */
  get haveBegun(): boolean {
    return this.#lastAt !== undefined;
  }

  /** Milliseconds, at least 1, during which the platform may still apply the last one. */
  get timeLeftMs(): number {
    const { clock, timing } = this.run.client;
    return Math.max(1, (this.#lastAt ?? 0) + timing.attemptMs - clock.now());
  }

  /** Evidence that an object is not older than the first send. */
  get sinceFirst(): Evidence {
    return sentAt(this.#firstAt);
  }

  /** Evidence that an object was made by this create, or by that of a killed run. */
  get evidence(): Evidence[] {
    // A POST that the platform rejected created nothing, so only one in doubt proves anything.
    const own = this.outcome === "in doubt" ? [this.sinceFirst, () => this.wasFree] : [];
    return this.pending === undefined ? own : [this.pending.made, ...own];
  }

  /** Records that the object `uid` was created. The note of it stays until the engine has saved its state. */
  made(uid: string): void {
    if (this.#noteKey !== undefined) this.run.pendingCreates.made(this.#noteKey, uid);
  }

  /** Deletes the note: nothing was created that a later run may take back. */
  forget(): void {
    if (this.#noteKey !== undefined) this.run.pendingCreates.forget(this.#noteKey);
  }
}
