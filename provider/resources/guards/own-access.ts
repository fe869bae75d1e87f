import type { PlatformClient } from "../../client/client";
import { hasCode, type PlatformError, platformErrorAs, withContext } from "../../client/errors";
import { untilInterrupted } from "../../client/interruption";
import { list } from "../../client/printable";
import type { Caller } from "../../client/token-source";
import { parentOf } from "../../client/uid";
import { identity, loginForms } from "../../kinds/identity";
import { role } from "../../kinds/role";
import { roleBinding } from "../../kinds/role-binding";
import { type Inputs, isKind, type Kind } from "../../schema/kind";
import { type Grant, grantsOf } from "../../sight/rights";
import { type AccessChange, lossOf } from "./access-loss";
import { type Change, go, type Outcome, type Removal, textOf, type Update, type Verdict } from "./change";
import type { FirstGrants } from "./first-grants";
import { ending, lasting, rejection } from "./lockout-errors";
import { stillMatches } from "./own-login";

/** The treatment of a change that ends access of the caller. */
export interface LockoutPolicy {
  /** Whether to let it pass. */
  readonly isAllowed: boolean;
  /** The outcome for a rejected change, as a sentence. */
  readonly outcome: string;
}

/** The effect of a change on the caller. */
interface Effect {
  /** The change of a binding of the caller, or of any role: another change may give the caller that role. */
  readonly change?: AccessChange;
  /** Why it ends access of the caller; undefined if it does not. */
  readonly ends?: string | undefined;
  /** The error if that could not be read. */
  readonly cause?: unknown;
}

/** Stops changes that would end the access of this run: the rest of the run would fail, and perhaps no identity could repair it. */
// See docs/decisions/0021-a-run-keeps-its-own-access.md.
export class OwnAccess {
  /** Changes of this run, in flight or done, that touch the access of the caller. */
  readonly #begun = new Map<Change, AccessChange>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Pick<PlatformClient, "caller" | "get" | "list">,
    private readonly policy: LockoutPolicy,
    private readonly firstGrants: Pick<FirstGrants, "leaving" | "listed">,
  ) {}

  /** Decides on a change, which counts as begun if it may go. @throws PlatformError if the run was cancelled */
  async before(change: Change): Promise<Verdict> {
    if (!mayAffect(change)) return go;
    // One at a time, so that each sees the changes before it.
    const decision = this.#turn.then(() => this.#decide(change)).catch(platformErrorAs((error) => stopped(change, error)));
    this.#turn = decision.catch(() => undefined);
    return untilInterrupted(decision).catch((error: unknown) => {
      // Nothing is sent after an interruption, although the decision may still come.
      void decision.finally(() => this.after(change, "rejected")).catch(() => undefined);
      throw error;
    });
  }

  /** Call when the change has ended. A rejected one has changed nothing. */
  after(change: Change, outcome: Outcome): void {
    const begun = this.#begun.get(change);
    if (begun === undefined || outcome !== "rejected") return;
    this.#begun.delete(change);
    this.firstGrants.leaving.delete(begun.uid);
  }

  /** The verdicts on changes that go together or not at all. Afterwards the guard forgets them. */
  async onAll(changes: readonly Change[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    try {
      for (const change of changes) verdicts.push(await this.before(change));
      return verdicts;
    } finally {
      for (const change of changes) this.after(change, "rejected");
    }
  }

  async #decide(change: Update | Removal): Promise<Verdict> {
    const caller = await this.client.caller();
    if (caller === undefined) return go;
    const effect = (await this.#effectOf(change, caller)) ?? {};
    if (effect.ends !== undefined && !this.policy.isAllowed)
      return { is: "stop", error: rejection(change, effect.ends, effect.cause, this.policy.outcome) };
    if (effect.change !== undefined) this.#begun.set(change, effect.change);
    if (effect.change?.is === "binding") this.firstGrants.leaving.add(effect.change.uid);
    return { is: "go", endsOwnAccess: effect.ends !== undefined };
  }

  async #effectOf(change: Update | Removal, caller: Caller): Promise<Effect | undefined> {
    const { kind, uid } = change;
    if (isKind(kind, identity)) return uid === caller.uid ? { ends: lostLogin(change, caller) } : undefined;
    if (isKind(kind, role)) return this.#lossBy({ is: "role", uid, capabilities: capabilitiesIn(change) }, caller);
    const own = await this.#ownGrant(change, caller);
    return own && this.#lossBy({ is: "binding", uid, gave: own, gives: givenBy(change, own, caller) }, caller);
  }

  /** The grant of a binding of the caller, by the state or since it was changed by hand; undefined if it is for somebody else. */
  async #ownGrant({ uid, state }: Update | Removal, caller: Caller): Promise<Grant | undefined> {
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

  async #lossBy(change: AccessChange, caller: Caller): Promise<Effect> {
    const earlier = [...this.#begun.values()].filter(({ uid }) => uid !== change.uid);
    const capabilitiesOf = async (uid: string) => (await this.client.get(role.collection, uid)).capabilities;
    try {
      const loss = await lossOf(change, { shown: await grantsOf(this.client, caller.uid), earlier, capabilitiesOf });
      return { change, ends: loss && ending(caller, loss) };
    } catch (error) {
      const own = `the identity of this run (${caller.uid})`;
      const what = change.is === "role" ? `whether ${own} has that role` : `the other role bindings of ${own}`;
      return platformErrorAs((cause) => ({ change, ends: `${what} cannot be read`, cause }))(error);
    }
  }
}

/** The inputs that decide about access, by kind. */
const decisive: readonly [Kind, readonly string[]][] = [
  [identity, loginForms],
  [role, ["capabilities"]],
  [roleBinding, ["identityUid", "roleUid"]],
];

/** True for a change that may take access from an identity. */
export function mayAffect(change: Change): change is Update | Removal {
  if (change.is === "update") return accessInputs(change).length > 0;
  return change.is !== "create" && [identity, roleBinding].some((kind) => isKind(change.kind, kind));
}

/** The changed inputs that decide about access. */
function accessInputs({ kind, differing }: Update): string[] {
  const deciding = decisive.find(([other]) => isKind(kind, other))?.[1] ?? [];
  return differing.filter((name) => deciding.includes(name));
}

/** Why a change of the caller's identity ends its login; undefined if it does not. */
function lostLogin(change: Update | Removal, caller: Caller): string | undefined {
  if (change.is !== "update") return "this run logs in as that identity";
  const changed = accessInputs(change);
  if (changed.every((name) => name === "claimMatch") && stillMatches(change.state, change.wanted, caller)) return undefined;
  return `this run logs in as that identity, and its new ${list(changed)} may not match that login`;
}

function capabilitiesIn(change: Update | Removal): string[] {
  const { capabilities = [] } = change.is === "update" ? change.wanted : {};
  return Array.isArray(capabilities) ? capabilities.map(String) : [];
}

/** The grants of the caller after the change of its binding. */
function givenBy(change: Update | Removal, own: Grant, caller: Caller): Grant[] {
  const isOwn = ({ identityUid }: Inputs) => identityUid === caller.uid;
  if (change.is !== "update") return change.instead.filter(isOwn).map((inputs) => grant("", inputs));
  const changed = accessInputs(change);
  // An input that is not sent stays as it is on the platform.
  if (changed.includes("identityUid") && !isOwn(change.wanted)) return [];
  return [changed.includes("roleUid") ? grant(change.uid, change.wanted) : own];
}

/** The grant that `inputs` of a binding declare. @param binding its uid; empty before it has one */
function grant(binding: string, inputs: Inputs): Grant {
  return { binding, place: parentOf(binding) ?? String(inputs["parentUid"]), role: String(inputs["roleUid"]) };
}

function stopped(change: Change, error: PlatformError): Verdict {
  return { is: "stop", error: withContext(textOf(change), error) };
}
