import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { messageOf, PlatformError } from "../client/errors";
import { maxPageSize } from "../client/list-page";
import { isWorthRetrying } from "../client/retry";
import { isBelow, organizationOf, parentOf } from "../client/uid";
import { places } from "../kinds/group";
import type { Kind } from "../kinds/kind";
import { boundRole, roleBinding } from "../kinds/role-binding";
import { DeletedLast } from "./deleted-last";
import { mayList } from "./own-access";
import { SharedQuestions } from "./shared-questions";
import { describeUnseen, type Look, type Visibility } from "./visibility";

/** How many other objects are requested and remembered as controls, which show that a List works. */
const controlCount = 10;

/** What a List shows about objects that may be gone. */
interface RollCall {
  /** Those that it shows. */
  present: ReadonlySet<string>;
  /** Those that it would show if they existed, because it shows an object in the same place or in a group above. */
  covered: ReadonlySet<string>;
  /** Those in whose place these credentials have the same roles as where it shows an object, elsewhere in the organisation. */
  alike: ReadonlySet<string>;
}

/** An object that may be gone. */
interface Missing {
  kind: Kind;
  uid: string;
  /** The nearest group around it that these credentials can read; absent if none was requested. */
  place?: string | undefined;
  /** True if a DELETE of this run succeeded. */
  isDeleted?: true;
}

/**
 * Proves that objects are gone. A platform may hide objects from a caller, and access can be lost in the middle of a run. A 404, or
 * the success of a DELETE that also succeeds for missing objects, therefore only means "you see no such object". So the List of
 * the kind is requested afterwards: it must not show the object, and must show another one, which proves that these credentials
 * would see it (docs/decisions/0020-gone-is-proven-afterwards.md).
 */
export class DeletionProof {
  readonly #rollCalls: SharedQuestions<Missing, RollCall>;
  /** Uids in the last answer of a List, by kind and organisation. */
  readonly #controls = new Map<string, string[]>();
  readonly #deletedLast: DeletedLast;

  constructor(
    private readonly client: Pick<PlatformClient, "get" | "list" | "listSome" | "listUpTo" | "caller" | "timing">,
    private readonly visibility: Visibility,
  ) {
    this.#deletedLast = new DeletedLast(client);
    this.#rollCalls = new SharedQuestions((missing) => this.#callRoll(missing));
  }

  /**
   * Confirms that an object whose read or DELETE answered 404 does not exist.
   *
   * @param options.mayBeOwn whether a DELETE of this run may have been applied before. Default: false
   * @throws PlatformError `NOT_GONE`
   */
  async confirmGone(kind: Kind, uid: string, { mayBeOwn = false } = {}): Promise<void> {
    const claim = `${kind.collection.noun} ${uid} answers "not found", but that does not prove that it was deleted`;
    const look = await this.visibility.look(kind, uid);
    if (!look.isSeen) {
      throwTransient(claim, look.cause);
      throw notGone(`${claim}: ${describeUnseen(look)}`);
    }
    const problem = await this.#problem({ kind, uid, place: look.place });
    if (problem === undefined || (mayBeOwn && problem !== stillShown && (await this.#wasLast(kind, uid)))) return;
    throw notGone(`${claim}: ${problem}`);
  }

  /**
   * Call before a DELETE that also succeeds for missing objects. If no other object is left afterwards as a control, the List from
   * before the first DELETE is compared with the one after it.
   *
   * @returns a function to call if the DELETE failed
   */
  async beforeDelete(kind: Kind, uid: string): Promise<() => void> {
    return needsProof(kind) ? this.#deletedLast.before(kind, uid) : () => undefined;
  }

  /**
   * Confirms that an object whose DELETE succeeded is not merely hidden. Kinds whose DELETE answers 404 for a missing object need
   * no proof.
   *
   * @throws PlatformError `NOT_GONE`
   */
  async confirmDeleted(kind: Kind, uid: string): Promise<void> {
    if (!needsProof(kind)) return;
    const { timing } = this.client;
    const end = performance.now() + timing.propagationMs;
    for (let attempts = 1; ; attempts++) {
      const problem = await this.#problem({ kind, uid, isDeleted: true });
      if (problem === undefined || (problem !== stillShown && (await this.#wasLast(kind, uid)))) return;
      const delay = Math.min(timing.longestDelayMs, timing.firstDelayMs * 2 ** attempts);
      // A List may lag behind.
      if (problem !== stillShown || performance.now() + delay >= end) {
        throw notGone(
          `${kind.collection.noun} ${uid}: its DELETE succeeded, but that does not prove that it was deleted: ${problem}`,
        );
      }
      await sleep(delay);
    }
  }

  /** True if nothing is left that the List could show, and the place is still visible. */
  async #wasLast(kind: Kind, uid: string): Promise<boolean> {
    return (await this.#deletedLast.includes(kind, uid)) && (await this.#unseenProblem({ kind, uid })) === undefined;
  }

  /** Why the List of its kind does not prove that an object is gone; undefined if it does. */
  async #problem(missing: Missing): Promise<string | undefined> {
    const { kind, uid } = missing;
    const { segment, noun } = kind.collection;
    let roll: RollCall;
    try {
      roll = await this.#rollCalls.about(`${segment} ${organizationOf(uid)}`, missing);
    } catch (error) {
      throwTransient(`${noun} ${uid}: unknown whether it was deleted`, error);
      // Without a List, only a role that allows reading the object shows that "not found" hides nothing.
      if (kind.calls.list === "unreliable" && (await this.#mayList(missing)) === true) return this.#unseenProblem(missing);
      return `the List of ${segment} does not work (${messageOf(error)}).`;
    }
    if (roll.present.has(uid)) return stillShown;
    if (roll.covered.has(uid)) return undefined;
    if (kind.calls.list !== "shows") {
      const may = await this.#mayList(missing);
      if (typeof may === "string") return may;
      return may === false ? `no role of these credentials allows listing ${segment} there.` : undefined;
    }
    const unseen = await this.#unseenProblem(missing);
    if (unseen !== undefined || (await this.#showsAnother(kind, uid))) return unseen;
    // What disappears without a DELETE of this run, or was not visible before it, may be hidden.
    const isAmiss = (await this.#deletedLast.hasShown(kind, uid)) === !missing.isDeleted;
    if (roll.alike.has(uid) && !isAmiss) return undefined;
    return `the List of ${segment} shows these credentials no other ${noun} in ${kind.placeOf(uid) ?? uid} or above.`;
  }

  /** Whether a role of the caller allows listing the kind of the object there; undefined if unknown; a sentence if it cannot be read. */
  async #mayList({ kind, uid }: Missing): Promise<boolean | string | undefined> {
    const { segment, noun } = kind.collection;
    try {
      return await mayList(this.client, kind, uid);
    } catch (error) {
      throwTransient(`${noun} ${uid}: unknown whether it was deleted`, error);
      return `it cannot be read whether a role of these credentials allows listing ${segment} there (${messageOf(error)}).`;
    }
  }

  /** Why the place of an object is not visible; undefined if it is. */
  async #unseenProblem({ kind, uid, place }: Missing): Promise<string | undefined> {
    if (place !== undefined) return undefined;
    const look = await this.visibility.look(kind, uid);
    return look.isSeen ? undefined : describeUnseen(look);
  }

  /** Whether the List shows another object in the place of `uid` or in a group above. */
  async #showsAnother(kind: Kind, uid: string): Promise<boolean> {
    for (const childrenOf of ancestorsOf(kind, uid)) {
      const rows = await this.client.listSome(kind.collection, { childrenOf }, controlCount).catch(() => []);
      if (rows.some((row) => row.uid !== uid)) return true;
    }
    return false;
  }

  /** Requests `missing`, all of one kind and organisation, in one List together with their controls. */
  async #callRoll(missing: readonly Missing[]): Promise<RollCall> {
    const uids = missing.map(({ uid }) => uid);
    const [{ kind, uid: first }] = missing as [Missing, ...Missing[]];
    const organization = organizationOf(first);
    const controlKey = `${kind.collection.segment} ${organization}`;
    const wanted = new Set(uids);
    // A readable group covers the groups in it.
    const guesses = isGroup(kind) ? missing.flatMap(({ place }) => place ?? []) : (this.#controls.get(controlKey) ?? []);
    let seen = await this.#shown(kind, [...uids, ...guesses]);
    const present = new Set(seen.filter((uid) => wanted.has(uid)));
    if (kind.calls.list !== "shows") return { present, covered: none, alike: none };
    const uncovered = () => uids.filter((uid) => !seen.some((other) => !wanted.has(other) && covers(kind, other, uid)));
    if (uncovered().length > 0) {
      const controls = await this.#controlsIn(kind, organization, wanted);
      // Presence and absence must come from the same answer: access may change between two.
      if (controls.length > 0) seen = await this.#shown(kind, [...uids, ...controls]);
      for (const uid of seen) if (wanted.has(uid)) present.add(uid);
    }
    const controls = seen.filter((uid) => !wanted.has(uid));
    this.#controls.set(controlKey, controls.slice(0, controlCount));
    const left = uncovered();
    const covered = new Set(uids.filter((uid) => !left.includes(uid)));
    return { present, covered, alike: left.length === 0 ? none : await this.#alike(controls, left) };
  }

  async #shown(kind: Kind, uids: readonly string[]): Promise<string[]> {
    const rows = await this.client.list(kind.collection, { uids: [...uids] });
    return rows.map(({ uid }) => uid);
  }

  /** Objects that the List shows in the organisation. Those directly below its root cover all of it. */
  async #controlsIn(kind: Kind, organization: string, unwanted: ReadonlySet<string>): Promise<string[]> {
    const wanted = ({ uid }: WireObject) => !unwanted.has(uid);
    const children = await this.client.listSome(kind.collection, { childrenOf: organization }, controlCount);
    if (children.some(wanted)) return children.filter(wanted).map(({ uid }) => uid);
    const all = await this.client.listUpTo(kind.collection, { descendantsOf: organization }, maxPageSize);
    const isWhole = typeof all !== "number";
    const rows = isWhole ? all : await this.client.listSome(kind.collection, { descendantsOf: organization }, controlCount);
    // An empty answer may only mean that the caller sees nothing.
    if (rows.some(wanted)) await this.#deletedLast.saw(kind, organization, isWhole ? rows : undefined);
    return rows
      .filter(wanted)
      .slice(0, controlCount)
      .map(({ uid }) => uid);
  }

  /**
   * Those of `uids` in whose place these credentials have each role that they have where one of `seen` is. If the caller is unknown,
   * nothing can be compared and all count as alike.
   */
  async #alike(seen: readonly string[], uids: readonly string[]): Promise<ReadonlySet<string>> {
    if (seen.length === 0) return none;
    const caller = await this.client.caller();
    if (caller === undefined) return new Set(uids);
    const bindings = await this.client.list(roleBinding.collection, { identity: caller.uid }).catch(() => undefined);
    // A caller that sees no binding of its own may have lost them, or the right to list them.
    if (bindings === undefined || bindings.length === 0) return none;
    const rolesAt = (uid: string) =>
      bindings.filter((binding) => isAtOrAbove(parentOf(binding.uid) ?? "", uid)).map((binding) => boundRole(binding));
    const rolesWhereSeen = seen.map(rolesAt);
    return new Set(uids.filter((uid) => rolesWhereSeen.some((roles) => roles.every((role) => rolesAt(uid).includes(role)))));
  }
}

/** True for kinds whose DELETE may succeed without deleting anything. */
function needsProof({ calls }: Kind): boolean {
  return calls.delete === "ignores missing";
}

const none: ReadonlySet<string> = new Set();

const stillShown = "the List of its kind still shows it.";

/**
 * The error for an object that is not visible and may exist.
 *
 * @param why a sentence
 */
function notGone(why: string): PlatformError {
  return new PlatformError(
    "NOT_GONE",
    `${why} It stays in state. Use an identity that can see it. If it really was deleted, ` +
      "`pulumi state delete <urn>` removes it from the state (if a replacement has the same URN, run it in a terminal, where it asks which of the two; docs/errors.md shows another way), " +
      "and `pulumi stack rm --force` removes the whole stack.",
  );
}

/** Rethrows a transient fault with its own code: it says nothing about the object. */
function throwTransient(what: string, error: unknown): void {
  if (!isWorthRetrying(error, "repeatable")) return;
  throw new PlatformError(error.code, `${what}: ${messageOf(error)} It stays in state. Run the command again.`, { cause: error });
}

/** The error of a delete that was not sent. */
export function notDeleted(kind: Kind, uid: string, unseen: Look): PlatformError {
  throwTransient(`${kind.collection.noun} ${uid} was not deleted`, unseen.cause);
  return notGone(`${kind.collection.noun} ${uid} was not deleted: ${describeUnseen(unseen)}`);
}

function isGroup(kind: Kind): boolean {
  return kind.collection.segment === places.segment;
}

/** True if whoever sees `other` also sees `uid`: roles are inherited downwards. */
function covers(kind: Kind, other: string, uid: string): boolean {
  const place = isGroup(kind) ? other : kind.placeOf(other);
  return place !== undefined && isAtOrAbove(place, kind.placeOf(uid) ?? "");
}

function isAtOrAbove(place: string, uid: string): boolean {
  return uid === place || isBelow(uid, place);
}

/** The places above `uid`, the nearest first. */
function ancestorsOf(kind: Kind, uid: string): string[] {
  const ancestors: string[] = [];
  for (let place = kind.placeOf(uid); place !== undefined; place = parentOf(place)) ancestors.push(place);
  return ancestors;
}
