import { isDeepStrictEqual } from "node:util";
import type { PlatformClient } from "../../client/client";
import {
  codeOf,
  hasCode,
  causeOf,
  PlatformError,
  platformErrorAs,
  type PlatformErrorCode,
  withContext,
} from "../../client/errors";
import { untilInterrupted } from "../../client/interruption";
import { groupText } from "../../client/known-paths";
import { list, options } from "../../client/printable";
import type { Caller } from "../../client/token-source";
import { isAtOrBelow, parentOf } from "../../client/uid";
import { identity, loginForms } from "../../kinds/identity";
import { wholeMatcher } from "../../schema/pattern";
import { describeExisting, type Inputs, isKind, type Kind } from "../../schema/kind";
import { role } from "../../kinds/role";
import { roleBinding } from "../../kinds/role-binding";
import type { Facts } from "../ledger/facts";
import { type Grant, grantsOf } from "../../sight/rights";
import { type AccessChange, grantsAfter, type Loss, lossOf } from "./grants";
import type { FirstGrants } from "./own-access";

/** A change that may be sent. */
export interface Permit {
  /** True if it ends access of the caller. */
  readonly endsOwnAccess: boolean;
  /**
   * Call if the change is not made: what it would have removed counts again.
   *
   * @param error why, if it was sent: unless that proves that it was not applied, what it would have removed stays lost
   */
  withdraw(error?: unknown): void;
}

/** What a run does with a change that ends its own access. */
export interface LockoutPolicy {
  /** Whether to let it pass. */
  readonly isAllowed: boolean;
  /** What becomes of one that is rejected, as a sentence. */
  readonly outcome: string;
}

/** An update of an object. */
export interface Change {
  readonly olds: Inputs;
  /** With the uids of references. */
  readonly news: Inputs;
  /** Names of the inputs in which the two differ. */
  readonly differing: readonly string[];
}

/** Why a binding is removed. */
export interface RemovalReason {
  readonly verb: "delete" | "replace";
  /** The bindings that give access instead and that no List shows yet, as inputs. */
  readonly instead: readonly Inputs[];
}

/** What a change does to the caller. */
interface Effect {
  /** The change of a binding of the caller, or of a role, even one that the caller lacks: another change may give it that role. */
  readonly change?: AccessChange;
  /** Why it ends access of the caller; undefined if it does not. */
  readonly ends?: string | undefined;
  /** The error if that could not be read. */
  readonly cause?: unknown;
}

/** The fact that this run may change the binding or role. */
const changing = (uid: string) => ["may change access", uid] as const;

const otherIdentity = "Use another identity.";
const otherBinding = "Give this identity the same access by another role binding first.";

const deletion: RemovalReason = { verb: "delete", instead: [] };

const unguarded: Permit = { endsOwnAccess: false, withdraw: () => undefined };

/**
 * Rejects changes that would end the access of this run: the rest of the run would fail, and perhaps no identity could repair it.
 */
// See docs/decisions/0021-a-run-keeps-its-own-access.md.
export class SelfLockout {
  /**
   * What this process changes. Two bindings that replace each other must not both go, so count only capabilities held both before and
   * after. That applies after the change too: a List may lag behind. What another process of the run changes does not count.
   */
  readonly #changes = new Set<AccessChange>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Pick<PlatformClient, "caller" | "get" | "list">,
    private readonly policy: LockoutPolicy,
    private readonly facts: Pick<Facts, "tell" | "withdraw" | "isKnown">,
    private readonly firstGrants: Pick<FirstGrants, "leaving" | "listed">,
  ) {}

  /** @throws PlatformError `SELF_LOCKOUT`: nothing was sent */
  async beforeDelete(kind: Kind, uid: string, state: Inputs, { verb, instead }: RemovalReason = deletion): Promise<Permit> {
    const ways = [
      otherIdentity,
      ...(isKind(kind, roleBinding) ? [otherBinding] : []),
      "Set `retainOnDelete` on it and run `pulumi up` before it is removed.",
      "In a destroy, use `pulumi destroy --exclude <urn>`, or `dependsOn` it in the rest of the program, so that the rest is deleted first.",
    ];
    return this.#check(kind, `${verb} ${describeExisting(kind, uid, state)}`, ways, async (caller) => {
      if (isKind(kind, identity)) return uid === caller.uid ? { ends: "this run logs in as that identity" } : undefined;
      if (!isKind(kind, roleBinding)) return undefined;
      const own = await this.#ownGrant(caller, uid, state);
      const becomes = instead.filter(({ identityUid }) => identityUid === caller.uid).map((inputs) => grant("", inputs));
      return own && this.#effectOn(caller, { is: "binding", uid, becomes }, own);
    });
  }

  /** @throws PlatformError `SELF_LOCKOUT`: nothing was sent */
  async beforeUpdate(kind: Kind, uid: string, { olds, news, differing }: Change): Promise<Permit> {
    const changed = accessInputs(kind, differing);
    if (changed.length === 0) return unguarded;
    const ways = isKind(kind, identity) ? [otherIdentity] : [otherIdentity, otherBinding];
    return this.#check(kind, `update ${describeExisting(kind, uid, olds)}`, ways, async (caller) => {
      if (isKind(kind, identity)) {
        if (uid !== caller.uid) return undefined;
        if (changed.every((name) => name === "claimMatch") && stillMatches(olds, news, caller)) return undefined;
        return { ends: `this run logs in as that identity, and its new ${list(changed)} may not match that login` };
      }
      if (isKind(kind, role)) {
        const capabilities = Array.isArray(news["capabilities"]) ? news["capabilities"].map(String) : [];
        return this.#effectOn(caller, { is: "role", uid, capabilities });
      }
      const [isMoved, isOtherRole] = ["identityUid", "roleUid"].map((name) => changed.includes(name));
      const own = await this.#ownGrant(caller, uid, olds);
      if (own === undefined) return undefined;
      // What is not sent stays as it is on the platform.
      const stays = !isMoved || news["identityUid"] === caller.uid;
      const becomes = stays ? [isOtherRole ? grant(uid, news) : own] : [];
      return this.#effectOn(caller, { is: "binding", uid, becomes }, own);
    });
  }

  /** What the binding `uid` grants the caller, by the state or since it was changed by hand; undefined if it is for somebody else. */
  async #ownGrant(caller: Caller, uid: string, state: Inputs): Promise<Grant | undefined> {
    if (state["identityUid"] === caller.uid) return grant(uid, state);
    const listed = await this.firstGrants.listed().catch((error: unknown) => {
      // A caller that may not list them has only the state to go by.
      if (hasCode(error, ...lasting)) return [];
      throw withContext(
        "the role bindings of the identity of this run, which are read first, cannot be read, nothing was sent",
        error,
      );
    });
    return listed.find(({ binding }) => binding === uid);
  }

  async #check(
    kind: Kind,
    what: string,
    ways: readonly string[],
    effectOf: (caller: Caller) => Promise<Effect | undefined>,
  ): Promise<Permit> {
    if (!decisive.some(([other]) => isKind(kind, other))) return unguarded;
    const inContext = (error: unknown) => {
      throw withContext(what, error);
    };
    const caller = await this.client.caller().catch(inContext);
    if (caller === undefined) return unguarded;
    // One at a time, so that each sees what the earlier ones remove.
    const decision = this.#turn.then(async () => {
      const effect = (await effectOf(caller).catch(inContext)) ?? {};
      if (effect.ends === undefined || this.policy.isAllowed) return this.#permit(effect);
      this.#withdraw(effect.change);
      throw rejection(what, effect.ends, { ...effect, ...this.policy, ways });
    });
    this.#turn = decision.catch(() => undefined);
    return untilInterrupted(decision).catch((error: unknown) => {
      // Nothing is sent after an interruption, so the permit that may still come is not used.
      void decision.then(
        (unused) => unused.withdraw(),
        () => undefined,
      );
      throw error;
    });
  }

  #permit({ change, ends }: Effect): Permit {
    if (change !== undefined) this.#changes.add(change);
    if (change?.is === "binding") this.firstGrants.leaving.add(change.uid);
    return {
      endsOwnAccess: ends !== undefined,
      withdraw: (error) => {
        if (error === undefined || hasCode(error, ...unapplied)) this.#withdraw(change);
      },
    };
  }

  #withdraw(change: AccessChange | undefined): void {
    if (change === undefined) return;
    this.#changes.delete(change);
    if (change.is === "binding") this.firstGrants.leaving.delete(change.uid);
    this.facts.withdraw(changing(change.uid));
  }

  /**
   * Compares what the caller holds through the binding or role to change with what it holds after all changes.
   *
   * @param own the binding to change, as the List may not show it
   */
  async #effectOn(caller: Caller, change: AccessChange, own?: Grant): Promise<Effect> {
    const { is, uid } = change;
    // Before the grants are read: of two processes, at least one sees the change of the other.
    this.facts.tell(changing(uid));
    const earlier = [...this.#changes].filter((other) => other.uid !== uid);
    const isOthers = (other: string) => this.facts.isKnown(changing(other));
    try {
      const listed = await grantsOf(this.client, caller.uid);
      const hidden = listed.some(({ binding }) => binding === uid) ? undefined : own;
      // A List that shows other bindings in the same place or above would show this one: it is already gone.
      const certain = grantsAfter(listed, { earlier, isOthers });
      if (hidden && certain.some(({ place }) => isAtOrBelow(hidden.place, place))) return {};
      const shown = hidden ? [...listed, hidden] : listed;
      const before = grantsAfter(shown, { earlier }).filter(
        ({ binding, roles }) => binding === uid || roles.some((form) => form.uid === uid),
      );
      const after = grantsAfter(shown, { earlier, next: change, isOthers });
      const losses = await lossOf(before, after, async (each) => (await this.client.get(role.collection, each)).capabilities);
      return { change, ends: ending(caller, losses) };
    } catch (error) {
      const own = `the identity of this run (${caller.uid})`;
      const what = is === "role" ? `whether ${own} has that role` : `the other role bindings of ${own}`;
      return platformErrorAs((cause) => ({ change, ends: `${what} cannot be read`, cause }))(error);
    }
  }
}

/**
 * Errors of a change that was not applied. Not a 403, nor a lost connection: an earlier attempt may have been applied, and taken the
 * right to repeat it.
 */
const unapplied: PlatformErrorCode[] = ["INVALID_ARGUMENT", "FAILED_PRECONDITION", "INVALID_INPUT", "PROTECTED", "READ_ONLY"];

/** Answers that mean that the caller cannot read something. Any other error may be transient. */
const lasting: PlatformErrorCode[] = ["PERMISSION_DENIED", "NOT_FOUND", "UNIMPLEMENTED", "INVALID_INPUT"];

function rejection(
  what: string,
  ends: string,
  { cause, outcome, ways }: Pick<Effect, "cause"> & Pick<LockoutPolicy, "outcome"> & { readonly ways: readonly string[] },
): PlatformError {
  const why = cause === undefined ? ends : `${ends} (${causeOf(cause)})`;
  if (cause !== undefined && !hasCode(cause, ...lasting)) {
    return new PlatformError(codeOf(cause), `${what}: ${why}. ${outcome} Run again once it can be read.`, { cause });
  }
  const anyway = "If nothing else needs this access, set PLATFORM_ALLOW_SELF_LOCKOUT=true to send it anyway.";
  const message = `${what}: this would end access that this run needs: ${why}. ${outcome}${options([...ways, anyway])}`;
  return new PlatformError("SELF_LOCKOUT", message, { cause });
}

/** The inputs that decide about access, of each kind that has some. */
const decisive: readonly [Kind, readonly string[]][] = [
  [identity, loginForms],
  [role, ["capabilities"]],
  [roleBinding, ["identityUid", "roleUid"]],
];

/** Those of the inputs `names` that decide about access. */
export function accessInputs(kind: Kind, names: readonly string[]): string[] {
  const deciding = decisive.find(([other]) => isKind(kind, other))?.[1] ?? [];
  return names.filter((name) => deciding.includes(name));
}

/** What the binding grants that `inputs` declare. @param binding its uid; empty before it has one */
function grant(binding: string, inputs: Inputs): Grant {
  return { binding, place: parentOf(binding) ?? String(inputs["parentUid"]), role: String(inputs["roleUid"]) };
}

/** Why `losses` end access of the caller; undefined if there are none. */
function ending(caller: Caller, [loss]: readonly Loss[]): string | undefined {
  if (loss === undefined) return undefined;
  const { capabilities } = loss;
  const telling = capabilities.find((name) => /^CAP_IAM_.*_(CREATE|UPDATE|DELETE)$/.test(name)) ?? capabilities[0] ?? "";
  const what = capabilities.length > 3 ? `${capabilities.length} capabilities, such as ${telling},` : list(capabilities);
  return `no other role binding grants the identity of this run (${caller.uid}) ${what} in ${groupText(loss.place)}`;
}

/**
 * True if the login of this run matches the new claim match: each member is unchanged, or what the run logged in with. An omitted
 * audience means the platform's own, so removing it counts as a change. A pattern that matches the whole claim does so
 * whether or not the platform anchors it.
 */
function stillMatches(olds: Inputs, news: Inputs, { login }: Caller): boolean {
  const before = (olds["claimMatch"] ?? {}) as Inputs;
  const after = (news["claimMatch"] ?? {}) as Inputs;
  const met: Inputs = { issuer: login?.issuer, subject: login?.subject };
  const isMet = ([name, value]: [string, unknown]) => {
    if (isDeepStrictEqual(value, before[name]) || (value !== undefined && value === met[name])) return true;
    const claimed = met[name.replace(/Pattern$/, "")];
    return name.endsWith("Pattern") && typeof value === "string" && typeof claimed === "string" && wholeMatcher(value)(claimed);
  };
  return (
    ["audience", "audiencePattern"].every((name) => isDeepStrictEqual(before[name], after[name])) &&
    Object.keys(after).length > 0 &&
    Object.entries(after).every(isMet)
  );
}
