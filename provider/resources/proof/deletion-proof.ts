import type { PlatformClient } from "../../client/client";
import { messageOf, PlatformError } from "../../client/errors";
import { asSentence } from "../../client/printable";
import { isWorthRetrying } from "../../client/retry";
import { pollUntil } from "../../client/wait";
import type { Kind } from "../../schema/kind";
import { DeletedLast } from "./deleted-last";
import { type FirstGrants, mayList } from "../guards/own-access";
import { type Missing, RollCalls, type Sighting } from "./roll-calls";
import { SharedQuestions } from "../sharing/shared-questions";
import { describeUnseen, type Visibility } from "./visibility";

/** An object that may be gone, and what this run did to it. */
interface Suspect extends Missing {
  /** The outcome of its DELETE by this run. `none`: not sent, or it deleted nothing. `in doubt`: it may have been applied. */
  readonly ownDelete: "none" | "in doubt" | "succeeded";
}

const stillShown = "the List of its kind still shows it.";

/**
 * Proves that objects are gone. A platform may hide objects from a caller, and access can be lost in the middle of a run. A 404, or
 * the success of a DELETE that also succeeds for missing objects, therefore only means "you see no such object". So the place of
 * the object and the List of its kind are requested afterwards. The place must be visible. The List must not show the object, and
 * must show another one, which proves that these credentials would see it (docs/decisions/0020-gone-is-proven-afterwards.md).
 */
export class DeletionProof {
  readonly #deletedLast: DeletedLast;
  readonly #rollCalls: RollCalls;
  /** What the caller may list, looked up for several objects of one kind at once. */
  readonly #rights: SharedQuestions<Missing, ReadonlyMap<string, boolean | undefined>>;
  /** True once an error of this run has listed the options of the user. */
  #hasAdvised = false;

  constructor(
    private readonly client: Pick<PlatformClient, "get" | "list" | "listSome" | "listUpTo" | "caller" | "clock" | "timing">,
    private readonly visibility: Visibility,
    private readonly firstGrants: Pick<FirstGrants, "listed" | "areLost">,
  ) {
    this.#deletedLast = new DeletedLast(client);
    this.#rollCalls = new RollCalls(client, this.#deletedLast);
    this.#rights = new SharedQuestions(client.clock, (missing) => {
      const [{ kind }] = missing as [Missing];
      const uids = missing.map(({ uid }) => uid);
      return mayList(client, kind, uids);
    });
  }

  /**
   * Confirms that an object whose read or DELETE answered 404 does not exist.
   *
   * @param options.mayBeOwn whether a DELETE of this run may have been applied before. Default: false
   * @throws PlatformError `NOT_GONE`
   */
  async confirmGone(kind: Kind, uid: string, { mayBeOwn = false } = {}): Promise<void> {
    const claim = `${kind.collection.noun} ${uid} is "not found", which does not prove that it was deleted`;
    const look = await this.visibility.look(kind, uid);
    if (!look.isSeen) {
      throwTransient(claim, look.cause);
      throw this.#notGone(`${claim}: ${describeUnseen(look)}`);
    }
    const problem = await this.#problem({ kind, uid, place: look.place, ownDelete: mayBeOwn ? "in doubt" : "none" });
    if (problem !== undefined) throw this.#notGone(`${claim}: ${problem}`);
  }

  /**
   * Call before a DELETE. Checks that these credentials see the organisation, and remembers what {@link confirmDeleted} will need.
   *
   * @returns a function to call if the DELETE failed
   * @throws PlatformError `NOT_GONE`: nothing was sent
   */
  async beforeDelete(kind: Kind, uid: string): Promise<() => void> {
    const unseen = await this.visibility.unseenOrganization(kind, uid);
    if (unseen !== undefined) {
      const claim = `${kind.collection.noun} ${uid} was not deleted`;
      throwTransient(claim, unseen.cause);
      throw this.#notGone(`${claim}: ${describeUnseen(unseen)}`);
    }
    if (!needsProof(kind)) return () => undefined;
    // Only what the caller saw before the first DELETE shows whether it loses access in between.
    const [stays] = await Promise.all([this.#deletedLast.before(kind, uid), this.firstGrants.listed().catch(() => undefined)]);
    return stays;
  }

  /** Runs `send`, a DELETE of the object: proofs of others of its kind wait for it a moment, see {@link RollCalls.deleting}. */
  deleting<Result>(kind: Kind, uid: string, send: () => Promise<Result>): Promise<Result> {
    return this.#rollCalls.deleting(kind, uid, send);
  }

  /**
   * Confirms that an object whose DELETE succeeded is not merely hidden. Kinds that give no one access, and whose DELETE returns
   * 404 for a missing object, need no proof.
   *
   * @throws PlatformError `NOT_GONE`
   */
  async confirmDeleted(kind: Kind, uid: string): Promise<void> {
    if (!needsProof(kind)) return;
    const { propagationMs, longestDelayMs, firstDelayMs } = this.client.timing;
    // A List may lag behind.
    const delayMs = (problem: string, { count }: { count: number }) =>
      problem === stillShown ? Math.min(longestDelayMs, firstDelayMs * 2 ** count) : Infinity;
    const end = await pollUntil({ timeoutMs: propagationMs, delayMs, clock: this.client.clock }, async () => {
      const problem = await this.#problem({ kind, uid, ownDelete: "succeeded" });
      return problem === undefined ? { state: "target", value: problem } : { state: "pending", reason: problem };
    });
    if (end.state === "target") return;
    const claim = `${kind.collection.noun} ${uid}: its DELETE succeeded, but that does not prove that it was deleted`;
    throw this.#notGone(`${claim}: ${end.reason}`);
  }

  /** Why it is not proven that the object is gone; undefined if it is. */
  async #problem(suspect: Suspect): Promise<string | undefined> {
    const { kind, uid, ownDelete } = suspect;
    const problem = await this.#problemNow(suspect);
    if (problem === undefined || problem === stillShown || ownDelete === "none") return problem;
    // If nothing is left that the List could show, the List from before the first DELETE is the evidence.
    const wasLast = (await this.#deletedLast.includes(kind, uid)) && (await this.#unseen({ kind, uid })) === undefined;
    return wasLast && !(await this.firstGrants.areLost()) ? undefined : problem;
  }

  /** Why what the platform answers now does not prove that the object is gone; undefined if it does. */
  async #problemNow(suspect: Suspect): Promise<string | undefined> {
    const { kind, uid, ownDelete } = suspect;
    const { segment, noun } = kind.collection;
    let sighting: Sighting;
    try {
      sighting = await this.#rollCalls.sighting(suspect);
    } catch (error) {
      // Nothing else could prove it.
      if (kind.calls.list === "unreliable" && ownDelete === "succeeded") return undefined;
      throwTransient(`${noun} ${uid}: unknown whether it was deleted`, error);
      // Without a List, only a role that allows reading the object shows that "not found" hides nothing.
      if (kind.calls.list === "unreliable" && (await this.#mayList(suspect)) === true) return this.#unseen(suspect);
      return `the List of ${segment} does not work (${messageOf(error)}).`;
    }
    if (sighting === "shown") return stillShown;
    if (sighting === "absent") return undefined;
    if (kind.calls.list !== "shows") {
      const may = await this.#mayList(suspect);
      if (typeof may === "string") return may;
      if (may === false) return `no role of these credentials allows listing ${segment} there.`;
      const isProven = may === true || !needsProof(kind) || (await this.client.caller()) === undefined;
      // A caller that sees no role binding of its own may have lost the one that showed it the List before its DELETE.
      if (isProven) return undefined;
      const wasShown = ownDelete !== "none" && (await this.#deletedLast.hasShown(kind, uid)) !== false;
      if (wasShown && !(await this.firstGrants.areLost())) return undefined;
      return `these credentials see no role binding of their own, so the List of ${segment} may hide this one too.`;
    }
    const unseen = await this.#unseen(suspect);
    if (unseen !== undefined || (await this.#rollCalls.showsAnother(kind, uid))) return unseen;
    // What disappears without a DELETE of this run, or was not visible before it, may be hidden.
    const isAmiss = (await this.#deletedLast.hasShown(kind, uid)) === (ownDelete !== "succeeded");
    if (sighting === "alike" && !isAmiss) return undefined;
    const where = `${kind.placeOf(uid) ?? uid} or above`;
    return `the List of ${segment} shows these credentials no other ${noun} in ${where}, so it may hide this one too.`;
  }

  /** Whether a role of the caller allows listing the kind of the object there; undefined if unknown; a sentence if it cannot be read. */
  async #mayList({ kind, uid }: Missing): Promise<boolean | string | undefined> {
    const { segment, noun } = kind.collection;
    try {
      return (await this.#rights.about(segment, { kind, uid })).get(uid);
    } catch (error) {
      throwTransient(`${noun} ${uid}: unknown whether it was deleted`, error);
      return `it cannot be read whether a role of these credentials allows listing ${segment} there (${messageOf(error)}).`;
    }
  }

  /** Why the place of an object is not visible; undefined if it is. */
  async #unseen({ kind, uid, place }: Missing): Promise<string | undefined> {
    if (place !== undefined) return undefined;
    const look = await this.visibility.look(kind, uid);
    return look.isSeen ? undefined : describeUnseen(look);
  }

  /**
   * The error for an object that is not visible and may exist. Only the first of a run lists the options.
   *
   * @param why a sentence
   */
  #notGone(why: string): PlatformError {
    const options = this.#hasAdvised ? "The first error of this sort lists the options." : advice;
    this.#hasAdvised = true;
    return new PlatformError("NOT_GONE", `${why} It stays in state. ${options}`);
  }
}

const advice =
  "Use an identity that can see it. If it really was deleted, " +
  "`pulumi state delete <urn>` removes it from the state (if a replacement has the same URN, run it in a terminal, where it asks which of the two; docs/errors.md shows another way), " +
  "and `pulumi stack rm --force` removes the whole stack.";

/** True for kinds whose DELETE may succeed without deleting anything: access that lives on would be forgotten. */
function needsProof({ calls }: Kind): boolean {
  return calls.delete === "ignores missing";
}

/** Rethrows a transient fault with its own code: it says nothing about the object. */
function throwTransient(what: string, error: unknown): void {
  if (!isWorthRetrying(error, "repeatable")) return;
  throw new PlatformError(error.code, `${what}: ${asSentence(messageOf(error))} It stays in state. Run the command again.`, {
    cause: error,
  });
}
