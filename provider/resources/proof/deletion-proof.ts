import type { PlatformClient } from "../../client/client";
import { causeOf, PlatformError, platformErrorAs } from "../../client/errors";
import { asSentence, options } from "../../client/printable";
import { isWorthRetrying } from "../../client/retry";
import { pollUntil } from "../../client/wait";
import { describeExisting, type Kind } from "../../schema/kind";
import type { Stated } from "../../schema/operation";
import { type FirstGrants, rightsToList, type RightToList } from "../guards/own-access";
import { SharedQuestions } from "../sharing/shared-questions";
import { type Missing, RollCalls } from "./roll-calls";
import type { Seen } from "./seen";
import { describeUnseen, type Look, type Visibility } from "./visibility";
import { type Evidence, givesAccess, judge, type Verdict } from "./witnesses";

/**
 * Proves that objects are gone. A platform may hide objects from a caller, and access can be lost in the middle of a run. A 404, or
 * the success of a DELETE that also succeeds for missing objects, therefore only means "you see no such object". What is requested
 * afterwards decides: the place of the object, the List of its kind, and what the other witnesses need.
 */
// See docs/decisions/0020-gone-is-proven-afterwards.md.
export class DeletionProof {
  readonly #rollCalls: RollCalls;
  /** What the caller may list, looked up for several objects of one kind at once. */
  readonly #rights: SharedQuestions<Missing, (uid: string) => RightToList>;
  /** True once an error of this run has listed the options of the user. */
  #hasAdvised = false;

  constructor(
    private readonly client: Pick<PlatformClient, "get" | "list" | "listSome" | "listUpTo" | "caller" | "clock" | "timing">,
    private readonly visibility: Visibility,
    private readonly firstGrants: Pick<FirstGrants, "listed" | "areLost">,
  ) {
    this.#rollCalls = new RollCalls(client);
    this.#rights = new SharedQuestions(client.clock, (missing) => rightsToList(client, missing));
  }

  /**
   * Confirms that an object whose read or DELETE answered 404 does not exist.
   *
   * @param ownDelete whether a DELETE of this run may have been applied before
   * @throws PlatformError `NOT_GONE`
   */
  async confirmGone({ kind, uid, state }: Stated, ownDelete: "none" | "in doubt" = "none"): Promise<void> {
    const claim = `${describeExisting(kind, uid, state)} is "not found", which does not prove that it was deleted`;
    const look = await this.visibility.look(kind, uid);
    if (!look.isSeen) throw this.#unseen(claim, look);
    const verdict = await this.#judge({ kind, uid, place: look.place }, ownDelete);
    if (verdict.is !== "gone") throw this.#notGone(`${claim}: ${verdict.why}`);
  }

  /**
   * Call before a DELETE. Checks that these credentials see the organisation.
   *
   * @returns what {@link confirmDeleted} will need; undefined for kinds whose DELETE proves the deletion
   * @throws PlatformError `NOT_GONE`: nothing was sent
   */
  async before({ kind, uid, state }: Stated): Promise<Seen | undefined> {
    const unseen = await this.visibility.unseenOrganization(kind, uid);
    if (unseen !== undefined) throw this.#unseen(`${describeExisting(kind, uid, state)} was not deleted`, unseen);
    if (!givesAccess(kind)) return undefined;
    // Only what the caller saw before the first DELETE shows whether it loses access in between.
    const [seen] = await Promise.all([
      this.#rollCalls.before(kind, uid).then((shown) => {
        shown.leaving.add(uid);
        return shown;
      }),
      this.firstGrants.listed().catch(platformErrorAs(() => undefined)),
    ]);
    return seen;
  }

  /** Runs `send`, a DELETE of the object: proofs of others of its kind wait for it a moment, see {@link RollCalls.deleting}. */
  deleting<Result>(kind: Kind, uid: string, send: () => Promise<Result>): Promise<Result> {
    return this.#rollCalls.deleting(kind, uid, send);
  }

  /**
   * Confirms that an object whose DELETE succeeded is not merely hidden.
   *
   * @param seen what {@link before} returned
   * @throws PlatformError `NOT_GONE`
   */
  async confirmDeleted({ kind, uid, state }: Stated, seen: Seen | undefined): Promise<void> {
    if (seen === undefined) return;
    const { propagationMs, longestDelayMs, firstDelayMs } = this.client.timing;
    // A List may lag behind.
    const delayMs = (verdict: Doubt, { count }: { count: number }) =>
      verdict.is === "exists" ? Math.min(longestDelayMs, firstDelayMs * 2 ** count) : Infinity;
    const end = await pollUntil<"gone", Doubt>({ timeoutMs: propagationMs, delayMs, clock: this.client.clock }, async () => {
      const verdict = await this.#judge({ kind, uid }, "succeeded", seen);
      return verdict.is === "gone" ? { state: "target", value: "gone" } : { state: "pending", value: verdict };
    });
    if (end.state === "target") return;
    const claim = `${describeExisting(kind, uid, state)}: its DELETE succeeded, but that does not prove that it was deleted`;
    throw this.#notGone(`${claim}: ${end.value.why}`);
  }

  /** @throws PlatformError with the code of a transient fault */
  async #judge(missing: Missing, ownDelete: Evidence["ownDelete"], seen?: Seen): Promise<Verdict> {
    const { kind, uid, place: known } = missing;
    const asIs = platformErrorAs((error) => error);
    let look: Promise<Look> | undefined;
    const placeAfterList = () => (look ??= this.visibility.look(kind, uid));
    try {
      return await judge({
        ...{ kind, uid, ownDelete, list: await this.#rollCalls.sighting(missing).catch(asIs) },
        seen: seen ?? (await this.#rollCalls.seen(missing)),
        place: known === undefined ? placeAfterList : () => Promise.resolve({ place: known, isSeen: true }),
        placeAfterList,
        showsAnother: () => this.#rollCalls.showsAnother(kind, uid),
        rightToList: () => this.#rights.about(kind.collection.segment, missing).then((right) => right(uid), asIs),
        hasLostOwnBindings: () => this.firstGrants.areLost(),
      });
    } catch (error) {
      throw transient(`${kind.collection.noun} ${uid}: unknown whether it was deleted`, error) ?? error;
    }
  }

  #unseen(claim: string, look: Look): PlatformError {
    return transient(claim, look.cause) ?? this.#notGone(`${claim}: ${describeUnseen(look)}`);
  }

  /**
   * The error for an object that is not visible and may exist. Only the first of a run lists the options.
   *
   * @param why a sentence
   */
  #notGone(why: string): PlatformError {
    const ways = this.#hasAdvised ? "\nThe first error of this sort lists the options." : options(advice);
    this.#hasAdvised = true;
    return new PlatformError("NOT_GONE", `${why} It stays in state.${ways}`);
  }
}

const advice = [
  "Use an identity that can see it.",
  "If it really was deleted, `pulumi state delete <urn>` removes it from the state (if a replacement has the same URN, run it in a terminal, " +
    "where it asks which of the two; docs/errors.md shows another way), and `pulumi stack rm --force` removes the whole stack.",
];

/** A verdict that proves nothing. */
type Doubt = Exclude<Verdict, { is: "gone" }>;

/** A transient fault says nothing about the object, and keeps its code. @returns undefined for any other error */
function transient(what: string, cause: unknown): PlatformError | undefined {
  if (!isWorthRetrying(cause, "repeatable")) return undefined;
  const why = `${what}: ${asSentence(causeOf(cause))} It stays in state. Run the command again.`;
  return new PlatformError(cause.code, why, { cause });
}
