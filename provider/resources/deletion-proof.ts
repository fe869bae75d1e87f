import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClient } from "../client/client";
import { messageOf, PlatformError } from "../client/errors";
import { isBelow, organizationOf, parentOf } from "../client/uid";
import { places } from "../kinds/group";
import type { Kind } from "../kinds/kind";
import { boundRole, roleBinding } from "../kinds/role-binding";
import { SharedQuestions } from "./shared-questions";
import { describeUnseen, type Unseen, type Visibility } from "./visibility";

/** How many objects are looked for, and kept in mind, to show that a List is not blind. */
const controlCount = 10;

/** What a List has shown of objects that may be gone. */
interface RollCall {
  /** The ones that it shows. */
  present: ReadonlySet<string>;
  /** The ones that it would show if they existed, because it shows an object in the same place or in a group above. */
  covered: ReadonlySet<string>;
  /** The ones in whose place these credentials hold the same roles as where it shows an object, in another part of the organisation. */
  alike: ReadonlySet<string>;
}

/** An object that may be gone. */
interface Missing {
  kind: Kind;
  uid: string;
}

/**
 * Proves that objects are gone. A platform may hide what a caller may not see, and access can be lost in the middle of a run: a 404,
 * or the success of a DELETE that also succeeds for missing objects, says no more than "you see no such object". So the
 * List of the kind is asked afterwards: it must not show the object, and must show another one that proves that
 * these credentials would see it (docs/decisions/0020-gone-is-proven-afterwards.md).
 */
export class DeletionProof {
  readonly #rollCalls: SharedQuestions<Missing, RollCall>;
  /** Uids of objects that a List showed last, by kind and organisation. */
  readonly #controls = new Map<string, string[]>();

  constructor(
    private readonly client: Pick<PlatformClient, "list" | "listSome" | "caller" | "timing">,
    private readonly visibility: Visibility,
  ) {
    this.#rollCalls = new SharedQuestions((missing) => this.#callRoll(missing));
  }

  /**
   * Makes sure that an object whose read or DELETE answered "not found" does not exist.
   *
   * @throws PlatformError `NOT_GONE`
   */
  async confirmGone(kind: Kind, uid: string): Promise<void> {
    const claim = `${kind.collection.noun} ${uid} answers "not found", but that does not prove that it was deleted`;
    const [unseen, problem] = await Promise.all([this.visibility.unseenPlace(uid), this.#problem(kind, uid)]);
    if (unseen !== undefined) throw notGone(`${claim}: ${describeUnseen(unseen)}`);
    if (problem !== undefined) throw notGone(`${claim}: ${problem}`);
  }

  /**
   * Makes sure that an object whose DELETE succeeded is not merely hidden. Kinds whose DELETE answers "not found" for a missing
   * object need no proof.
   *
   * @throws PlatformError `NOT_GONE`
   */
  async confirmDeleted(kind: Kind, uid: string): Promise<void> {
    if (kind.calls.delete === "refuses missing") return;
    const { timing } = this.client;
    const end = performance.now() + timing.propagationMs;
    for (let attempts = 1; ; attempts++) {
      const problem = await this.#problem(kind, uid);
      if (problem === undefined) return;
      const delay = Math.min(timing.longestDelayMs, timing.firstDelayMs * 2 ** attempts);
      // A List may take a moment to follow.
      if (problem !== stillShown || performance.now() + delay >= end) {
        throw notGone(
          `${kind.collection.noun} ${uid}: its DELETE succeeded, but that does not prove that it was deleted: ${problem}`,
        );
      }
      await sleep(delay);
    }
  }

  /** Why the List of `kind` does not prove that `uid` is gone; undefined when it does. */
  async #problem(kind: Kind, uid: string): Promise<string | undefined> {
    const { segment, noun } = kind.collection;
    let roll: RollCall;
    try {
      roll = await this.#rollCalls.about(`${segment} ${organizationOf(uid)}`, { kind, uid });
    } catch (error) {
      return `the List of ${segment} does not work (${messageOf(error)}).`;
    }
    if (roll.present.has(uid)) return stillShown;
    if (kind.calls.list === "may be empty" || roll.covered.has(uid)) return undefined;
    const unseen = await this.visibility.unseenPlace(uid);
    if (unseen !== undefined) return describeUnseen(unseen);
    if (roll.alike.has(uid) || (await this.#showsAnother(kind, uid))) return undefined;
    return `the List of ${segment} shows these credentials no other ${noun} in ${parentOf(uid) ?? uid} or above.`;
  }

  /** Whether the List shows another object in the place of `uid` or in a group above. */
  async #showsAnother(kind: Kind, uid: string): Promise<boolean> {
    for (const childrenOf of isGroup(kind) ? [] : ancestorsOf(uid)) {
      const rows = await this.client.listSome(kind.collection, { childrenOf }, controlCount).catch(() => []);
      if (rows.some((row) => row.uid !== uid)) return true;
    }
    return false;
  }

  /** Asks the List for all of `missing`, which are of one kind and one organisation, together with objects that prove its sight. */
  async #callRoll(missing: readonly Missing[]): Promise<RollCall> {
    const uids = missing.map(({ uid }) => uid);
    const [{ kind, uid: first }] = missing as [Missing, ...Missing[]];
    const organization = organizationOf(first);
    const controlKey = `${kind.collection.segment} ${organization}`;
    const wanted = new Set(uids);
    // Groups are their own proof: one that can be read covers what is in it.
    const guesses = isGroup(kind) ? uids.flatMap(ancestorsOf) : (this.#controls.get(controlKey) ?? []);
    const controls = [...new Set(guesses)].filter((uid) => !wanted.has(uid));
    const rows = await this.client.list(kind.collection, { uids: [...wanted, ...controls] });
    const present = new Set(rows.map(({ uid }) => uid).filter((uid) => wanted.has(uid)));
    if (kind.calls.list === "may be empty") return { present, covered: none, alike: none };
    const seen = new Set(rows.map(({ uid }) => uid).filter((uid) => !wanted.has(uid)));
    const uncovered = () => uids.filter((uid) => ![...seen].some((other) => covers(kind, other, uid)));
    const looks = isGroup(kind) ? [] : [{ childrenOf: organization }, { descendantsOf: organization }];
    for (const query of looks) {
      if (uncovered().length === 0) break;
      const shown = await this.client.listSome(kind.collection, query, controlCount);
      for (const { uid } of shown) if (!wanted.has(uid)) seen.add(uid);
    }
    this.#controls.set(controlKey, [...seen].slice(0, controlCount));
    const left = uncovered();
    const covered = new Set(uids.filter((uid) => !left.includes(uid)));
    return { present, covered, alike: left.length === 0 ? none : await this.#alike([...seen], left) };
  }

  /**
   * Those of `uids` in whose place these credentials hold each role that they hold where one of `seen` is. Roles that come from no
   * binding, and bindings of an unknown caller, cannot be compared: then all are alike.
   */
  async #alike(seen: readonly string[], uids: readonly string[]): Promise<ReadonlySet<string>> {
    if (seen.length === 0) return none;
    const caller = await this.client.caller();
    if (caller === undefined) return new Set(uids);
    const bindings = await this.client.list(roleBinding.collection, { identity: caller.uid }).catch(() => undefined);
    if (bindings === undefined) return none;
    const rolesAt = (uid: string) =>
      bindings.filter((binding) => isAtOrAbove(parentOf(binding.uid) ?? "", uid)).map((binding) => boundRole(binding));
    const rolesWhereSeen = seen.map(rolesAt);
    return new Set(uids.filter((uid) => rolesWhereSeen.some((roles) => roles.every((role) => rolesAt(uid).includes(role)))));
  }
}

const none: ReadonlySet<string> = new Set();

const stillShown = "the List of its kind still shows it.";

/**
 * The error for an object that cannot be seen and may exist.
 *
 * @param why a sentence
 */
export function notGone(why: string): PlatformError {
  return new PlatformError(
    "NOT_GONE",
    `${why} It stays in state. Use an identity that can see it; if the object is truly gone, ` +
      "`pulumi state delete <urn>` forgets it (where a replacement has the same URN, in a terminal: it asks which of the two; docs/errors.md has a way without one), " +
      "and `pulumi stack rm --force` the whole stack.",
  );
}

/** `uid: unseen`, as the error of a delete that was not sent. */
export function notDeleted(kind: Kind, uid: string, unseen: Unseen): PlatformError {
  return notGone(`${kind.collection.noun} ${uid} was not deleted: ${describeUnseen(unseen)}`);
}

function isGroup(kind: Kind): boolean {
  return kind.collection.segment === places.segment;
}

/** True when whoever sees the object `other` would see `uid` too: roles are inherited downwards. */
function covers(kind: Kind, other: string, uid: string): boolean {
  const place = isGroup(kind) ? other : parentOf(other);
  return place !== undefined && isAtOrAbove(place, parentOf(uid) ?? "");
}

function isAtOrAbove(place: string, uid: string): boolean {
  return uid === place || isBelow(uid, place);
}

/** The places above `uid`, the nearest first. */
function ancestorsOf(uid: string): string[] {
  const ancestors: string[] = [];
  for (let place = parentOf(uid); place !== undefined; place = parentOf(place)) ancestors.push(place);
  return ancestors;
}
