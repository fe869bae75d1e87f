import type { WireObject } from "../../client/collection";
import { codeOf, hasCode, messageOf, PlatformError } from "../../client/errors";
import { list } from "../../client/printable";
import { pollUntil } from "../../client/wait";
import { unseenPaths } from "../../kinds/hidden-values";
import { describe, hasOnce, type Inputs, isKind, keyInputs, naturalKeyOf, type Kind, stateOf } from "../../kinds/kind";
import { roleBinding } from "../../kinds/role-binding";
import { unknownNames } from "../checking/enum-names";
import { resolveReferences } from "../naming/resolve";
import type { Run } from "../run";
import { beingRemoved, isLeaving } from "../claims/following";
import { rejectManaged } from "../claims/sole-owner";
import { isNotFound } from "../visibility";
import { verifiedAnswer } from "./answer";
import { BatchRejected } from "./batched-creates";
import { outcomeUnknown, rejectIncomplete, valueLost } from "./create-errors";
import { currentHolders, holdersBefore, listSees } from "./natural-key";
import { isOutcomeUnknown } from "./outcome";
import { adopted, keyTaken, madeHere, ownOf, uidsOf } from "./ownership";
import { afterPropagation } from "./propagation";
import { Sends } from "./sends";
import { TimeLimit } from "./time-limit";

/** What the engine keeps of a create. */
export interface Created {
  id: string;
  outs: Inputs;
}

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
  const key = naturalKeyOf(kind, inputs);
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
  if (isKind(kind, roleBinding) && !run.created.has(kind.collection, wire.uid) && isLeaving(wire.uid, run))
    throw beingRemoved(`adopt ${describe(kind, inputs)}`, wire.uid);
  return { id: wire.uid, outs: stateOf(kind, wire, inputs) };
}

/** One create, in rounds: each looks up who has the natural key, then acts (docs/decisions/0022-create-is-one-decision-table.md). */
class Creation<Wire extends WireObject> {
  readonly #limit: TimeLimit;
  readonly #sends: Sends;

  constructor(
    private readonly kind: Kind<Wire>,
    private readonly inputs: Inputs,
    private readonly run: Run,
    private readonly key: string | undefined,
  ) {
    this.#limit = new TimeLimit(run.client);
    this.#sends = new Sends(kind, inputs, run);
  }

  async result(): Promise<Wire> {
    try {
      for (;;) {
        const made = await this.#round();
        if (made !== undefined) return made;
      }
    } catch (error) {
      // The note of a killed run stays until this run sends.
      if (this.#sends.haveBegun && !hasCode(error, "OUTCOME_UNKNOWN")) this.#sends.forget();
      throw error;
    }
  }

  /**
   * Takes the object with the natural key if a create of this resource provably made it. Adopts or reports it otherwise. Sends only if
   * there is none, and again only after proof that nothing was created.
   *
   * @returns undefined if another round must follow
   */
  async #round(): Promise<Wire | undefined> {
    const holders = await this.#holders();
    const own = this.#ownOf(holders);
    if (own !== undefined) return this.#takeBack(own);
    if (holders.length > 0) return this.#adopt(holders);
    switch (this.#sends.outcome) {
      case "nothing sent":
        return this.#send("create");
      case "batch rejected":
        return this.#send("single");
      case "already exists":
        throw this.#rejected(this.#sends.cause);
      case "in doubt":
        await this.#confirmNotMade();
        return this.#send("single");
    }
  }

  /** The objects that have the natural key. */
  async #holders(): Promise<Wire[]> {
    switch (this.#sends.outcome) {
      case "nothing sent":
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
      const look = holdersBefore(this.kind, this.inputs, this.run, this.#sends.pending, this.#limit.signal);
      const { holders, isFree } = await this.#limit.within(look);
      this.#sends.wasFree = isFree;
      return holders;
    } catch (error) {
      throw this.#rejected(error);
    }
  }

  async #holdersNow(): Promise<Wire[]> {
    const holders = await currentHolders(this.kind, this.inputs, this.run, this.#limit.signal);
    return this.key === undefined ? madeHere(this.kind, this.run, holders, this.#sends.evidence) : holders;
  }

  /** Who has the key once the request in doubt can no longer be applied, or as soon as its object is found. */
  async #holdersInDoubt(): Promise<Wire[]> {
    const look = async () => {
      const holders = await this.#holdersNow();
      return this.#ownOf(holders) ? { state: "target" as const, value: holders } : { state: "pending" as const, reason: holders };
    };
    try {
      const { timeLeftMs } = this.#sends;
      const wait = {
        timeoutMs: timeLeftMs,
        delayMs: Infinity,
        lastProbe: true,
        signal: this.#limit.signal,
        clock: this.run.client.clock,
      };
      const end = await pollUntil(wait, look);
      return end.state === "target" ? end.value : end.reason;
    } catch (error) {
      throw this.#outcomeUnknown(`looking it up failed too: ${messageOf(error)}`);
    }
  }

  #ownOf(holders: Wire[]): Wire | undefined {
    return ownOf(this.kind, this.inputs, this.run, holders, this.#sends.evidence);
  }

  /** @throws PlatformError `OUTCOME_UNKNOWN` unless it is proven that nothing was created */
  async #confirmNotMade(): Promise<void> {
    const { cause } = this.#sends;
    if (cause?.code === "ALREADY_EXISTS") throw this.#outcomeUnknown("it exists, but no List shows it.");
    // A parent has one at most, so a second POST cannot create another.
    if (this.kind.sharesUid) return;
    // To send an overwriting create again makes no second object, and was as safe the first time.
    if (this.kind.calls.update === "post") return;
    const parentUid = String(this.inputs[this.kind.parentInput]);
    const isSeen = await this.#limit.within(listSees(this.kind, parentUid, this.run)).catch(() => false);
    if (!isSeen)
      throw this.#outcomeUnknown(`no List shows these credentials any ${this.kind.collection.noun} in ${parentUid} or above.`);
    if (cause?.fromPlatform && cause.status === 200)
      throw this.#outcomeUnknown("the platform reported success, but no List shows it.");
  }

  /** Sends the POST, in a batch only if `how` is `create`. @returns undefined if another round must follow */
  async #send(how: "create" | "single"): Promise<Wire | undefined> {
    rejectIncomplete(this.kind, this.inputs);
    const { signal } = this.#limit;
    const options = {
      onSend: () => this.#sends.begin(),
      onFailed: (error: unknown) => this.#sends.failed(error),
      signal,
    };
    let answered: Wire;
    try {
      answered = await afterPropagation(this.inputs, this.run, signal, () =>
        this.#limit.within(this.run.creates[how](this.kind, this.inputs, options)),
      );
    } catch (error) {
      this.#recordFailure(error, how);
      if (!signal.aborted) return undefined;
      throw this.#sends.outcome === "in doubt" ? this.#outcomeUnknown(`no answer ${this.#limit.text}`) : this.#rejected(error);
    }
    const wire = await verifiedAnswer(this.kind, this.inputs, this.run, answered, this.#sends.sinceFirst, signal);
    this.run.created.add(this.kind.collection, wire.uid);
    this.#sends.made(wire.uid);
    return wire;
  }

  /** @throws PlatformError if the failed send leaves nothing to look up */
  #recordFailure(error: unknown, how: "create" | "single"): void {
    const sends = this.#sends;
    if (error instanceof BatchRejected) sends.outcome = "batch rejected";
    else if (hasCode(error, "ALREADY_EXISTS")) sends.outcome = sends.outcome === "in doubt" ? "in doubt" : "already exists";
    else if (isOutcomeUnknown(error) && !this.#isCalledOff(error, how)) sends.outcome = "in doubt";
    else throw this.#rejected(error);
    // A send that provably created nothing is no evidence for the next run either.
    if (sends.outcome !== "in doubt") sends.forget();
    if (PlatformError.isInstance(error)) sends.cause = error;
  }

  /** True if the send was cancelled before it began or after a rejection. A batch that others share may begin later. */
  #isCalledOff(error: PlatformError, how: "create" | "single"): boolean {
    if (error.code !== "CALLER_ABORTED" || this.#sends.outcome === "in doubt") return false;
    const mayBegin = this.#limit.signal.aborted && how === "create" && this.kind.collection.batch !== undefined;
    return !this.#sends.mayApply && !mayBegin;
  }

  #takeBack(wire: Wire): Wire {
    if (hasOnce(this.kind)) throw this.#valueLost([wire]);
    if (this.#sends.outcome === "nothing sent") this.#notify("took back", wire, "an earlier run created it and did not finish.");
    this.#sends.made(wire.uid);
    return wire;
  }

  #adopt(holders: Wire[]): Wire {
    const isInDoubt = this.#sends.outcome === "in doubt";
    if (hasOnce(this.kind) && this.key === undefined) throw this.#valueLost(holders);
    if (this.key === undefined || !this.run.adopts(this.key)) {
      if (isInDoubt) throw this.#outcomeUnknown(`${uidsOf(holders)} may be it, or may belong to someone else.`);
      throw keyTaken(this.kind, this.inputs, this.run, this.key, holders);
    }
    try {
      const wire = adopted(this.kind, this.inputs, this.run, holders);
      this.#sends.forget();
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

  #rejected(error: unknown): PlatformError {
    const why = isNotFound(error) ? "the parent, or an object that it references, was not found. " : "";
    const what = `create ${describe(this.kind, this.inputs)}`;
    if (this.#limit.signal.aborted) {
      const late = `${this.#sends.haveBegun ? "not accepted" : "not sent"} ${this.#limit.text} Nothing was created.`;
      return new PlatformError("NOT_CONNECTED", `${what}: ${late}`, { cause: error });
    }
    const hint = hasCode(error, "INVALID_ARGUMENT") ? unknownNames(this.kind, this.inputs) : "";
    return new PlatformError(codeOf(error), `${what}: ${why}${messageOf(error)}${hint}`, { cause: error });
  }

  #valueLost(found: readonly Wire[]): PlatformError {
    return valueLost(this.kind, this.inputs, found, this.#sends.cause);
  }

  #outcomeUnknown(why: string): PlatformError {
    const adopts = this.key === undefined ? undefined : this.run.adopts(this.key);
    return outcomeUnknown(this.kind, this.inputs, why, { adopts, cause: this.#sends.cause });
  }
}
