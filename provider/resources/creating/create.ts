import type { WireObject } from "../../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../../client/errors";
import { interruptionOf, unlessAborted, whyAborted } from "../../client/interruption";
import { list } from "../../client/printable";
import { pollUntil } from "../../client/wait";
import { unseenPaths } from "../../kinds/hidden-values";
import { describe, hasOnce, type Inputs, isKind, keyInputs, keyOf, type Kind, noteKeyOf, stateOf } from "../../kinds/kind";
import { roleBinding } from "../../kinds/role-binding";
import { unknownNames } from "../checking/enum-names";
import { resolveReferences } from "../naming/resolve";
import type { Run } from "../run";
import { rejectLeaving } from "../claims/following";
import { rejectManaged } from "../claims/sole-owner";
import { isNotFound } from "../visibility";
import { verifiedAnswer } from "./answer";
import { BatchRejected } from "./batched-creates";
import { outcomeUnknown, rejectIncomplete, valueLost } from "./create-errors";
import { currentHolders, holdersBefore, listSees } from "./natural-key";
import { isOutcomeUnknown } from "./outcome";
import { adopted, type Evidence, keyTaken, madeHere, ownOf, sentAt, uidsOf } from "./ownership";
import { afterPropagation } from "./propagation";

/** What the engine keeps of a create. */
export interface Created {
  id: string;
  outs: Inputs;
}

/** The known outcome of the POST of this create. */
type Sent = "nothing" | "batch rejected" | "already exists" | "in doubt";

/** Who has the natural key. */
type Found = "none" | "ours" | "others";

/**
 * The decision table of create: the next step, by what was sent and what was found.
 *
 * - `none`: no object has the natural key. `ours`: exactly one, and this create or that of a killed run provably made it.
 *   `others`: another owner's object, or several.
 * - `send again`: only after it is proven that nothing was created; otherwise `OUTCOME_UNKNOWN`.
 * - `adopt`: if `adopt` is set, the one object if it is equal; otherwise an error that names what has the key.
 */
const decisions = {
  nothing: /*         */ { none: "send", /*      */ ours: "take", others: "adopt" },
  "batch rejected": /**/ { none: "send alone", /**/ ours: "take", others: "adopt" },
  "already exists": /**/ { none: "fail", /*      */ ours: "take", others: "adopt" },
  "in doubt": /*      */ { none: "send again", /**/ ours: "take", others: "adopt" },
} as const satisfies Record<Sent, Record<Found, string>>;

/** Time limit of a create, in budgets of one call: one to prepare, one to send. */
const budgets = 2;

/**
 * Creates the object, or adopts the existing one if `adopt` is set. Never creates two objects for one resource, never takes another
 * owner's object, and never loses an object that it created.
 *
 * @throws PlatformError `KEY_TAKEN`, `AMBIGUOUS`, `OUTCOME_UNKNOWN`, or a code of the platform
 * @throws CreatedButFailed if the created object differs from the declaration
 */
export async function create<Wire extends WireObject>(kind: Kind<Wire>, declared: Inputs, run: Run): Promise<Created> {
  const inputs = await resolveReferences(kind, {}, declared, run, "create");
  rejectManaged(kind, inputs, run);
  const key = keyOf(kind, inputs);
  if (key === undefined && kind.naturalKey.length > 0) {
    const missing = keyInputs(kind).join(" or ");
    throw new PlatformError("INVALID_INPUT", `create ${kind.collection.noun}: ${missing} is missing. Nothing was sent.`);
  }
  if (key !== undefined && !run.startCreate(key)) {
    const why = "another resource of this program declares the same one. Remove one of the two. Nothing was sent.";
    throw new PlatformError("KEY_TAKEN", `create ${describe(kind, inputs)}: ${why}`);
  }
  const wire = await new Creation(kind, inputs, run, key).result();
  run.claim(kind, wire.uid, key);
  const isTaken = isKind(kind, roleBinding) && !run.created.has(kind.collection, wire.uid);
  if (isTaken) rejectLeaving("adopt", [{ binding: wire.uid }], () => describe(kind, inputs), run);
  return { id: wire.uid, outs: stateOf(kind, wire, inputs) };
}

/** One create, on its way through the decision table. */
class Creation<Wire extends WireObject> {
  #sent: Sent = "nothing";
  /** The last error of a send. */
  #cause: PlatformError | undefined;
  /** The platform's clock at the first send that can have created the object; undefined if unknown. */
  #firstSent: number | undefined;
  #lastSentAt: number | undefined;
  /** True from a send until the platform has rejected it: in between it may have been applied. */
  #mayApply = false;
  /** True if no object had the natural key right before the first send. */
  #wasFree = false;
  readonly #noteKey: string | undefined;
  readonly #totalMs: number;
  /** What interrupts the call of the engine, where something does. */
  readonly #interruption = interruptionOf("sent");
  readonly #signal: AbortSignal;
  readonly #pending;

  constructor(
    private readonly kind: Kind<Wire>,
    private readonly inputs: Inputs,
    private readonly run: Run,
    private readonly key: string | undefined,
  ) {
    this.#totalMs = budgets * run.client.timing.budgetMs;
    const limit = AbortSignal.timeout(this.#totalMs);
    this.#signal = this.#interruption ? AbortSignal.any([limit, this.#interruption]) : limit;
    this.#noteKey = noteKeyOf(kind, inputs);
    this.#pending = this.#noteKey === undefined ? undefined : run.pendingCreates.find(this.#noteKey, run.client.timing.attemptMs);
  }

  async result(): Promise<Wire> {
    try {
      for (;;) {
        const made = await this.#step();
        if (made !== undefined) return made;
      }
    } catch (error) {
      // The note of a killed run stays until this run sends.
      if (this.#lastSentAt !== undefined && !hasCode(error, "OUTCOME_UNKNOWN")) this.#forget();
      throw error;
    }
  }

  /** Looks up, decides and acts once. Returns undefined if another round must follow. */
  async #step(): Promise<Wire | undefined> {
    const holders = await this.#look();
    const own = this.#own(holders);
    const decision = decisions[this.#sent][own ? "ours" : holders.length > 0 ? "others" : "none"];
    switch (decision) {
      case "take":
        return this.#takeBack(own ?? fail());
      case "adopt":
        return this.#adopt(holders);
      case "fail":
        throw this.#rejected(this.#cause);
      case "send again":
        await this.#confirmNotMade();
        return this.#send("single");
      case "send alone":
        return this.#send("single");
      case "send":
        return this.#send("create");
    }
  }

  /** The objects that have the natural key. */
  async #look(): Promise<Wire[]> {
    switch (this.#sent) {
      case "nothing":
        return this.#holdersBefore();
      case "batch rejected":
      case "already exists":
        return this.#holdersNow().catch(() => []);
      case "in doubt":
        return this.#holdersInDoubt();
    }
  }

  async #holdersBefore(): Promise<Wire[]> {
    try {
      const look = holdersBefore(this.run, this.kind, this.inputs, this.#pending, this.#signal);
      const { holders, isFree } = await this.#inTime(look);
      this.#wasFree = isFree;
      return holders;
    } catch (error) {
      throw this.#rejected(error);
    }
  }

  async #holdersNow(): Promise<Wire[]> {
    const holders = await currentHolders(this.run, this.kind, this.inputs, this.#signal);
    return this.key === undefined ? madeHere(this.run, this.kind, holders, this.#evidence()) : holders;
  }

  /** Who has the key once the request in doubt can no longer be applied, or as soon as its object is found. */
  async #holdersInDoubt(): Promise<Wire[]> {
    const { attemptMs } = this.run.client.timing;
    const timeoutMs = Math.max(1, (this.#lastSentAt ?? 0) + attemptMs - performance.now());
    const look = async () => {
      const holders = await this.#holdersNow();
      return this.#own(holders) ? { state: "target" as const, value: holders } : { state: "pending" as const, reason: holders };
    };
    try {
      const end = await pollUntil({ timeoutMs, delayMs: Infinity, lastProbe: true, signal: this.#signal }, look);
      return end.state === "target" ? end.value : end.reason;
    } catch (error) {
      throw this.#outcomeUnknown(`looking it up failed too: ${messageOf(error)}`);
    }
  }

  /** @throws PlatformError `OUTCOME_UNKNOWN` unless it is proven that nothing was created */
  async #confirmNotMade(): Promise<void> {
    if (this.#cause?.code === "ALREADY_EXISTS") throw this.#outcomeUnknown("it exists, but no List shows it.");
    // A parent has one at most, so a second POST cannot create another.
    if (this.kind.sharesUid) return;
    // To send an overwriting create again makes no second object, and was as safe the first time.
    if (this.kind.calls.update === "post") return;
    const parentUid = String(this.inputs[this.kind.parentInput]);
    const isSeen = await this.#inTime(listSees(this.run, this.kind, parentUid)).catch(() => false);
    if (!isSeen)
      throw this.#outcomeUnknown(`no List shows these credentials any ${this.kind.collection.noun} in ${parentUid} or above.`);
    if (this.#cause?.fromPlatform && this.#cause.status === 200)
      throw this.#outcomeUnknown("the platform reported success, but no List shows it.");
  }

  /** Sends the POST. Returns undefined if another round must follow. */
  async #send(how: "create" | "single"): Promise<Wire | undefined> {
    rejectIncomplete(this.kind, this.inputs);
    const options = { onSend: this.#onSend.bind(this), onFailed: this.#onFailed.bind(this), signal: this.#signal };
    let answered: Wire;
    try {
      answered = await afterPropagation(this.run, this.inputs, this.#signal, () =>
        this.#inTime(this.run.creates[how](this.kind, this.inputs, options)),
      );
    } catch (error) {
      if (error instanceof BatchRejected) this.#sent = "batch rejected";
      else if (hasCode(error, "ALREADY_EXISTS")) this.#sent = this.#sent === "in doubt" ? "in doubt" : "already exists";
      else if (isOutcomeUnknown(error) && !this.#isCalledOff(error, how)) this.#sent = "in doubt";
      else throw this.#rejected(error);
      // A send that provably created nothing is no evidence for the next run either.
      if (this.#sent !== "in doubt") this.#forget();
      if (PlatformError.isInstance(error)) this.#cause = error;
      if (!this.#signal.aborted) return undefined;
      throw this.#sent === "in doubt" ? this.#outcomeUnknown(`no answer ${this.#late()}`) : this.#rejected(error);
    }
    const wire = await verifiedAnswer(this.kind, this.inputs, this.run, answered, sentAt(this.#firstSent), this.#signal);
    this.run.created.add(this.kind.collection, wire.uid);
    return this.#take(wire);
  }

  /** True if the send was cancelled before it began or after a rejection. A batch that others share may begin later. */
  #isCalledOff(error: PlatformError, how: "create" | "single"): boolean {
    if (error.code !== "CALLER_ABORTED" || this.#sent === "in doubt") return false;
    const mayBegin = this.#signal.aborted && how === "create" && this.kind.collection.batch !== undefined;
    return !this.#mayApply && !mayBegin;
  }

  /** The result of `work`, which others may share, unless this create ends before. */
  #inTime<Result>(work: Promise<Result>): Promise<Result> {
    return unlessAborted(work, this.#signal, () => "No response yet.");
  }

  /** Until when this create had time, for messages. */
  #late(): string {
    return this.#interruption?.aborted ? `in time. ${whyAborted(this.#interruption)}` : `within ${this.#totalMs / 1_000} s.`;
  }

  #onSend(): void {
    const { client, pendingCreates } = this.run;
    const serverTime = client.serverTime();
    // Only a send in doubt can have created anything; one that is repeated was rejected.
    if (this.#sent !== "in doubt") this.#firstSent = serverTime;
    this.#lastSentAt = performance.now();
    this.#mayApply = true;
    if (this.#noteKey !== undefined) pendingCreates.sent(this.#noteKey, client.timing.attemptMs, serverTime, this.#firstSent);
  }

  #onFailed(error: unknown): void {
    if (!isOutcomeUnknown(error)) this.#mayApply = false;
  }

  #takeBack(wire: Wire): Wire {
    if (hasOnce(this.kind)) throw this.#valueLost([wire]);
    if (this.#sent === "nothing") this.#notify("took back", wire, "a run that was killed created it.");
    return this.#take(wire);
  }

  /** Keeps the note until the engine has saved its state. */
  #take(wire: Wire): Wire {
    if (this.#noteKey !== undefined) this.run.pendingCreates.made(this.#noteKey, wire.uid);
    return wire;
  }

  #adopt(holders: Wire[]): Wire {
    const isInDoubt = this.#sent === "in doubt";
    if (hasOnce(this.kind) && this.key === undefined) throw this.#valueLost(holders);
    if (this.key === undefined || !this.run.adopts(this.key)) {
      if (isInDoubt) throw this.#outcomeUnknown(`${uidsOf(holders)} may be it, or may belong to someone else.`);
      throw keyTaken(this.kind, this.inputs, this.run, this.key, holders);
    }
    try {
      const wire = adopted(this.kind, this.inputs, this.run, holders);
      this.#forget();
      const unseen = unseenPaths(this.kind.fields, this.inputs).map((path) => path.join("."));
      const assumed =
        unseen.length > 0 ? ` ${list(unseen)} cannot be read, so this assumes that the platform has what is declared.` : "";
      this.#notify(
        "adopted",
        wire,
        `nothing was created or replaced. (A replacement by \`--replace\` or \`pulumi state taint\` needs \`deleteBeforeReplace: true\`.)${assumed}`,
      );
      return wire;
    } catch (error) {
      throw isInDoubt ? this.#outcomeUnknown(messageOf(error)) : error;
    }
  }

  #notify(done: string, { uid }: Wire, why: string): void {
    this.run.notify(`${done} ${describe(this.kind, this.inputs)} (${uid}): ${why}`);
  }

  #own(holders: Wire[]): Wire | undefined {
    return ownOf(this.kind, this.inputs, this.run, holders, this.#evidence());
  }

  /** A POST that the platform rejected created nothing, so only one in doubt is evidence. */
  #evidence(): Evidence[] {
    const sends = this.#sent === "in doubt" ? [sentAt(this.#firstSent), () => this.#wasFree] : [];
    return this.#pending === undefined ? sends : [this.#pending.made, ...sends];
  }

  #forget(): void {
    if (this.#noteKey !== undefined) this.run.pendingCreates.forget(this.#noteKey);
  }

  #rejected(error: unknown): PlatformError {
    const why = isNotFound(error) ? "the parent, or an object that it references, was not found. " : "";
    const what = `create ${describe(this.kind, this.inputs)}`;
    if (this.#signal.aborted) {
      const late = `${this.#lastSentAt === undefined ? "not sent" : "not accepted"} ${this.#late()} Nothing was created.`;
      return new PlatformError("NOT_CONNECTED", `${what}: ${late}`, { cause: error });
    }
    const hint = hasCode(error, "INVALID_ARGUMENT") ? unknownNames(this.kind, this.inputs) : "";
    return new PlatformError(codeOf(error), `${what}: ${why}${messageOf(error)}${hint}`, { cause: error });
  }

  #valueLost(found: readonly Wire[]): PlatformError {
    return valueLost(this.kind, this.inputs, found, this.#cause);
  }

  #outcomeUnknown(why: string): PlatformError {
    const adopts = this.key === undefined ? undefined : this.run.adopts(this.key);
    return outcomeUnknown(this.kind, this.inputs, why, { adopts, cause: this.#cause });
  }
}

function fail(): never {
  throw new Error("nothing was found");
}
