import type { PlatformClient } from "../client/client";
import { causeOf, hasCode, PlatformError, platformErrorAs } from "../client/errors";
import { groupText } from "../client/known-paths";
import { asSentence } from "../client/printable";
import { isWorthRetrying } from "../client/retry";
import { pollUntil } from "../client/wait";
import { group } from "../kinds/group";
import { describeExisting, type Kind } from "../schema/kind";
import type { Stated } from "../schema/operation";
import { callerRights, type Right, rightIn, type Rights } from "./rights";
import { SharedQuestions } from "../resources/sharing/shared-questions";
import { NotGone } from "./not-gone";
import { youngForMs } from "./old-enough";
import { Pace } from "./pace";
import { type Missing, RollCalls } from "./roll-calls";
import type { Seen } from "./seen";
import { describeUnseen, type Look, type Visibility } from "./visibility";
import { type Evidence, givesAccess, judge, type Verdict } from "./witnesses";

/** The role bindings of the caller before the first DELETE of a run. */
export interface FirstGrants {
  /** Call before a DELETE. */
  listed(): Promise<unknown>;
  /** True if the caller sees no role binding of its own now, although the run kept at least one that it had then. */
  areLost(): Promise<boolean>;
}

/**
 * Proves that objects are gone. A platform may hide objects from a caller, and access can be lost in the middle of a run. A 404, or the
 * success of a DELETE for a possibly missing object, therefore only means "you see no such object". Later requests decide: for the place
 * of the object, the List of its kind, and the facts of the other witnesses.
 */
// See docs/decisions/0020-gone-is-proven-afterwards.md.
export class DeletionProof {
  readonly #rollCalls: RollCalls;
  /** The rights of the caller to list, in one answer for all waiting calls. */
  readonly #rights: SharedQuestions<undefined, Rights | undefined>;
  readonly #notGone = new NotGone();
  /** Deletions of this run. */
  readonly pace: Pace;

  constructor(
    private readonly client: Pick<
      PlatformClient,
      "get" | "list" | "listSome" | "listUpTo" | "caller" | "clock" | "timing" | "serverTime"
    >,
    private readonly visibility: Visibility,
    private readonly firstGrants: FirstGrants,
  ) {
    this.pace = new Pace(client.clock);
    this.#rollCalls = new RollCalls(client, this.pace);
    this.#rights = new SharedQuestions(client.clock, () => callerRights(client));
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
    if (!look.isSeen) throw this.#unseen(uid, claim, look);
    const verdict = await this.#judge({ kind, uid, place: look.place }, ownDelete);
    if (verdict.is !== "gone") throw await this.#doubted({ kind, uid }, claim, verdict);
  }

  /** The highest group around the object `uid` proven to be gone, and the group around it; undefined if none is proven gone. */
  async goneAround(kind: Kind, uid: string): Promise<{ readonly gone: string; readonly place: string } | undefined> {
    const { seen, missing } = await this.visibility.gap(kind, uid);
    if (seen === undefined || missing === undefined || missing.cause !== undefined) return undefined;
    const verdict = await this.#judge({ kind: group, uid: missing.place, place: seen.place }, "none");
    return verdict.is === "gone" ? { gone: missing.place, place: seen.place } : undefined;
  }

  /**
   * The error of a read or DELETE of an object. A platform may answer 403 for an object in a deleted group. A 403 says less than a 404, so
   * the object stays in state, but the error explains it.
   */
  async explained({ kind, uid, state }: Stated, error: PlatformError): Promise<PlatformError> {
    if (!hasCode(error, "PERMISSION_DENIED") || youngForMs(state, this.client) > 0) return error;
    const around = await this.goneAround(kind, uid).catch(platformErrorAs(() => undefined));
    if (around === undefined) return error;
    const { gone, place } = around;
    const why =
      `but ${groupText(gone)}, a group that it was in, is gone: ${groupText(place)} answers, and the List of groups does not show that ` +
      "one. So it was probably deleted too.";
    return this.#notGone.error(uid, `${asSentence(causeOf(error)).slice(0, -1)}, ${why}`, true, error);
  }

  /**
   * Call before a DELETE. Checks that these credentials see the organisation.
   *
   * @returns the argument for {@link confirmDeleted}; undefined for kinds whose DELETE proves the deletion
   * @throws PlatformError `NOT_GONE`: nothing was sent
   */
  async before({ kind, uid, state }: Stated): Promise<Seen | undefined> {
    const unseen = await this.visibility.unseenOrganization(kind, uid);
    if (unseen !== undefined) throw this.#unseen(uid, `${describeExisting(kind, uid, state)} was not deleted`, unseen);
    if (!givesAccess(kind)) return undefined;
    // A loss of access in between shows only against the state before the first DELETE.
    const [seen] = await Promise.all([
      this.#rollCalls.before(kind, uid).then((shown) => {
        shown.leaving.add(uid);
        return shown;
      }),
      this.firstGrants.listed().catch(platformErrorAs(() => undefined)),
    ]);
    return seen;
  }

  /** Runs `send`, a DELETE of the object. Proofs of other objects of its kind wait for it a moment ({@link RollCalls.deleting}). */
  deleting<Result>(kind: Kind, uid: string, send: () => Promise<Result>): Promise<Result> {
    return this.#rollCalls.deleting(kind, uid, send);
  }

  /**
   * Confirms that an object whose DELETE succeeded is not merely hidden.
   *
   * @param seen the result of {@link before}
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
    throw await this.#doubted({ kind, uid }, claim, end.value);
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
        right: () => this.#right(kind, uid).catch(asIs),
        hasLostOwnBindings: () => this.firstGrants.areLost(),
      });
    } catch (error) {
      throw transient(`${kind.collection.noun} ${uid}: unknown whether it was deleted`, error) ?? error;
    }
  }

  /** @throws PlatformError if the rights cannot be read */
  async #right(kind: Kind, uid: string): Promise<Right> {
    return rightIn(kind, kind.placeOf(uid) ?? uid, await this.#rights.about("", undefined));
  }

  #unseen(uid: string, claim: string, look: Look): PlatformError {
    return transient(claim, look.cause) ?? this.#notGone.error(uid, `${claim}: ${describeUnseen(look)}`);
  }

  /** The error for a doubt. If only one sign is missing, the error lists the others. */
  async #doubted(missing: Missing, claim: string, { why, lacksControlIn: place }: Doubt): Promise<PlatformError> {
    const { kind, uid } = missing;
    if (place === undefined) return this.#notGone.error(uid, `${claim}: ${why}`);
    const right = await this.#right(kind, uid).catch(platformErrorAs(() => "missing" as const));
    return this.#notGone.error(uid, `${claim}: ${why} ${groupText(place)} answers, ${roleText(right, kind)}`, right === "held");
  }
}

/** The role that would allow listing the kind, as the end of a sentence. */
// A role alone does not decide: a token may contain a snapshot of older ones (docs/platform-api.md#token-snapshots).
function roleText(right: Right, { collection: { segment } }: Kind): string {
  if (right === "unknown caller")
    return "and it is unknown whose credentials these are. Set the uid of their identity, `platform:identity` or PLATFORM_IDENTITY.";
  return `and ${right === "held" ? "a" : "no"} role of these credentials is known to allow listing ${segment} there.`;
}

/** The verdict on an object that may exist. */
type Doubt = Exclude<Verdict, { is: "gone" }>;

/** A transient fault says nothing about the object, and keeps its code. @returns undefined for any other error */
function transient(what: string, cause: unknown): PlatformError | undefined {
  if (!isWorthRetrying(cause, "repeatable")) return undefined;
  const why = `${what}: ${asSentence(causeOf(cause))} It stays in state. Run the command again.`;
  return new PlatformError(cause.code, why, { cause });
}
