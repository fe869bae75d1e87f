import { hasCode, PlatformError } from "../../client/errors";
import { BatchRejected } from "../sharing/batched-creates";
import type { Creation } from "./creation";
import type { Sent } from "./decision";
import { isOutcomeUnknown } from "../../client/outcome";
import { type CreateEvidence, sentAt } from "./ownership";
import type { PendingCreate } from "../ledger/notes";

/** The sends of one create, and their evidence. They are noted for the next run, in case this process is killed. */
export class Sends {
  /** The create that a killed run left behind. */
  readonly pending: PendingCreate | undefined;
  #outcome: Sent = "nothing sent";
  #cause: PlatformError | undefined;
  /** The error of the last attempt that failed. */
  #attempt: PlatformError | undefined;
  /** True if no object had the natural key right before the first one. */
  #wasFree = false;
  /** True from a POST until the platform has rejected it: in between it may have been applied. */
  #mayApply = false;
  /** The platform's clock at the first one that can have created the object; undefined if unknown. */
  #firstAt: number | undefined;
  /** True once one was in doubt for another reason than a conflict that the platform itself reported. */
  #isLost = false;
  /** The platform's clock at the first one that can have been lost; undefined if unknown. */
  #lostAt: number | undefined;
  /** The client's clock at the last one; undefined before it. */
  #lastAt: number | undefined;

  constructor(private readonly creation: Creation) {
    const { noteKey, run } = creation;
    this.pending = run.ledger.notes.find(noteKey, run.client.timing.attemptMs);
  }

  /** The platform's answer, as far as it decides the next step. */
  get outcome(): Sent {
    return this.#outcome;
  }

  /** The error of the last one, unless a batch was rejected: its objects are sent one by one. */
  get cause(): PlatformError | undefined {
    return this.#cause;
  }

  /** Records that no object had the natural key right before the first one. */
  foundFree(): void {
    this.#wasFree = true;
  }

  /** Records that a POST is about to be sent. */
  begin(): void {
    const { kind, noteKey, run, limit } = this.creation;
    limit.sends();
    const serverTime = run.client.serverTime();
    // Restart the clock unless in doubt: rejected sends created nothing.
    if (this.#outcome !== "in doubt") this.#firstAt = serverTime;
    if (!this.#isLost) this.#lostAt = serverTime;
    this.#lastAt = run.client.clock.now();
    this.#mayApply = true;
    const { attemptMs: forMs } = run.client.timing;
    run.ledger.notes.creating(noteKey, { kind: kind.collection.segment, forMs, serverTime, firstSent: this.#lostAt });
  }

  /** Records how one attempt of the POST failed. */
  attemptFailed(error: unknown): void {
    if (PlatformError.isInstance(error)) this.#attempt = error;
    if (!isOutcomeUnknown(error)) this.#mayApply = false;
  }

  /** Records how the send failed. @returns false if that leaves nothing to look up */
  failed(error: unknown, how: "batch" | "alone"): boolean {
    if (error instanceof BatchRejected) this.#outcome = "batch rejected";
    else if (hasCode(error, "ALREADY_EXISTS")) this.#outcome = this.#outcome === "in doubt" ? "in doubt" : "already exists";
    else if (isOutcomeUnknown(error) && !this.#isCalledOff(error, how)) {
      this.#outcome = "in doubt";
      this.#isLost ||= error.code !== "ABORTED" || !error.fromPlatform;
    } else return false;
    // A send that provably created nothing, or met another owner's object, is no evidence for the next run either.
    if (!this.#isLost) this.forget();
    // The end of the time limit says nothing about the platform.
    if (PlatformError.isInstance(error)) this.#cause = hasCode(error, "CALLER_ABORTED") ? (this.#attempt ?? error) : error;
    return true;
  }

  /** True if the send was cancelled before it began or after a rejection. A batch that others share may begin later. */
  #isCalledOff(error: PlatformError, how: "batch" | "alone"): boolean {
    if (error.code !== "CALLER_ABORTED" || this.#outcome === "in doubt") return false;
    const { kind, limit } = this.creation;
    const mayBegin = limit.signal.aborted && how === "batch" && kind.collection.batch !== undefined;
    return !this.#mayApply && !mayBegin;
  }

  /** True once anything was sent. */
  get haveBegun(): boolean {
    return this.#lastAt !== undefined;
  }

  /** Milliseconds, at least 1, during which the platform may still apply the last one. */
  get timeLeftMs(): number {
    const { clock, timing } = this.creation.run.client;
    return Math.max(1, (this.#lastAt ?? 0) + timing.attemptMs - clock.now());
  }

  /** Evidence that an object is not older than the first send. */
  get sinceFirst(): CreateEvidence {
    return sentAt(this.#firstAt);
  }

  /**
   * Evidence that an object was made by this create, or by that of a killed run. A POST that was rejected created nothing. A conflict
   * says so too, and that somebody else was at work: an equal object is probably theirs.
   */
  get evidence(): CreateEvidence[] {
    return this.#withPending(this.#isLost ? [sentAt(this.#lostAt), () => this.#wasFree] : []);
  }

  /** Evidence that an object may have been made by one of them, although it may belong to somebody else. */
  get suspicion(): CreateEvidence[] {
    return this.#withPending(this.#outcome === "in doubt" ? [this.sinceFirst, () => this.#wasFree] : []);
  }

  #withPending(own: CreateEvidence[]): CreateEvidence[] {
    return this.pending === undefined ? own : [this.pending.made, ...own];
  }

  /** Records that the object `uid` was created. The note of it stays until the engine has saved its state. */
  made(uid: string): void {
    const { noteKey, run } = this.creation;
    run.ledger.notes.created(noteKey, uid);
  }

  /** Deletes the note: nothing was created that a later run may take back. */
  forget(): void {
    const { noteKey, run } = this.creation;
    run.ledger.notes.forget(noteKey);
  }
}
