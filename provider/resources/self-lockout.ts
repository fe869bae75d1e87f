import { isDeepStrictEqual } from "node:util";
import type { PlatformClient } from "../client/client";
import { codeOf, messageOf, PlatformError } from "../client/errors";
import { list } from "../client/printable";
import type { Caller } from "../client/token-source";
import { isBelow, parentOf } from "../client/uid";
import { identity } from "../kinds/identity";
import { matchesWhole } from "../kinds/pattern";
import { changedInputs, describe, type Inputs, type Kind } from "../kinds/kind";
import { role } from "../kinds/role";
import { roleBinding } from "../kinds/role-binding";
import { type Grant, grantsOf, type Loss, lossOf } from "./own-access";

/** A change that may be sent. */
export interface Permit {
  /** True when it ends access of the caller. */
  readonly endsOwnAccess: boolean;
  /** Called when the change failed: what it would have taken away counts again. */
  failed(): void;
}

/** What a change does to the caller. */
interface Effect {
  /** The binding of the caller that it takes away or alters. */
  binding?: string;
  /** Why it ends access of the caller; undefined when it does not. */
  ends?: string;
}

/** Inputs of an identity that decide who may log in. */
const loginFields = Object.entries(identity.fields).flatMap(([name, { traits }]) => (traits.form ? [name] : []));

const harmless: Permit = { endsOwnAccess: false, failed: () => undefined };

/**
 * Rejects changes that would end the access that the run lives on: the rest of the run would fail, and perhaps no identity is left
 * to repair it (docs/decisions/0021-a-run-keeps-its-own-access.md).
 */
export class SelfLockout {
  /** Bindings that this run is taking away. Two that cover for each other must not both go. */
  readonly #leaving = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  #ownDeletions: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Pick<PlatformClient, "caller" | "get" | "list">,
    /** True to let such changes pass. */
    private readonly isAllowed: boolean,
  ) {}

  /** @throws PlatformError `SELF_LOCKOUT`: nothing was sent */
  async beforeDelete(kind: Kind, uid: string, state: Inputs): Promise<Permit> {
    const options =
      "use another identity; set `retainOnDelete` on it; `pulumi destroy --exclude <urn>`; " +
      "set `dependsOn` to it on the rest of the program, so that the rest is deleted first.";
    return this.#check(kind, `delete ${describe(kind, state)} (${uid})`, options, (caller) => {
      if (isOf(kind, identity)) return uid === caller.uid ? { ends: "this run logs in as that identity" } : undefined;
      if (!isOf(kind, roleBinding) || state["identityUid"] !== caller.uid) return undefined;
      return this.#effectOn(caller, grant(uid, state), []);
    });
  }

  /** @throws PlatformError `SELF_LOCKOUT`: nothing was sent */
  async beforeUpdate(kind: Kind, uid: string, olds: Inputs, news: Inputs): Promise<Permit> {
    const changed = changedInputs(kind, olds, news);
    const options = "use another identity, or give this one the same access by another role binding first.";
    return this.#check(kind, `update ${describe(kind, olds)} (${uid})`, options, (caller) => {
      if (isOf(kind, identity)) {
        const login = changed.filter((name) => loginFields.includes(name));
        if (uid !== caller.uid || login.length === 0) return undefined;
        if (login.every((name) => name === "claimMatch") && stillMatches(olds, news, caller)) return undefined;
        return { ends: `this run logs in as that identity, and its new ${list(login)} may not match that login` };
      }
      if (isOf(kind, role)) return changed.includes("capabilities") ? this.#effectOfRole(caller, uid, news) : undefined;
      if (!isOf(kind, roleBinding) || olds["identityUid"] !== caller.uid) return undefined;
      if (!changed.includes("identityUid") && !changed.includes("roleUid")) return undefined;
      return this.#effectOn(caller, grant(uid, olds), news["identityUid"] === caller.uid ? [grant(uid, news)] : []);
    });
  }

  /** Runs `work` after all other work of this sort. */
  async oneAtATime(work: () => Promise<void>): Promise<void> {
    const turn = this.#ownDeletions.then(work);
    this.#ownDeletions = turn.catch(() => undefined);
    return turn;
  }

  async #check(
    kind: Kind,
    what: string,
    options: string,
    effectOf: (caller: Caller) => Promise<Effect | undefined> | Effect | undefined,
  ): Promise<Permit> {
    if (![identity, roleBinding, role].some((other) => isOf(kind, other))) return harmless;
    const caller = await this.client.caller().catch((error: unknown) => {
      throw new PlatformError(codeOf(error), `${what}: ${messageOf(error)}`, { cause: error });
    });
    if (caller === undefined) return harmless;
    // One at a time, so that each sees what those before it take away.
    const decision = this.#turn.then(async () => {
      const effect = await effectOf(caller);
      if (effect?.ends !== undefined && !this.isAllowed) {
        throw new PlatformError(
          "SELF_LOCKOUT",
          `${what}: it would end access that this run needs: ${effect.ends}. Nothing was sent. Options: ${options} ` +
            "With PLATFORM_ALLOW_SELF_LOCKOUT=true it is sent.",
        );
      }
      return this.#permit(effect);
    });
    this.#turn = decision.catch(() => undefined);
    return decision;
  }

  #permit({ binding, ends }: Effect = {}): Permit {
    if (binding !== undefined) this.#leaving.add(binding);
    return {
      endsOwnAccess: ends !== undefined,
      failed: () => {
        if (binding !== undefined) this.#leaving.delete(binding);
      },
    };
  }

  /** The effect of taking away `own`, which state knows as a binding of the caller, and giving `instead`. */
  async #effectOn(caller: Caller, own: Grant, instead: readonly Grant[]): Promise<Effect | undefined> {
    const { binding, place } = own;
    try {
      const grants = await grantsOf(this.client, caller.uid);
      const listed = grants.find((each) => each.binding === binding);
      const others = grants.filter((each) => each !== listed && !this.#leaving.has(each.binding));
      // A List that shows other bindings from the same place or above would show this one: it is gone already.
      if (listed === undefined && others.some((other) => place === other.place || isBelow(place, other.place))) return undefined;
      return { binding, ...ending(caller, await lossOf(this.client, [listed ?? own], [...others, ...instead])) };
    } catch (error) {
      return { binding, ends: `whether identity ${caller.uid} has it from elsewhere cannot be read (${messageOf(error)})` };
    }
  }

  /** The effect of giving the role `uid` other capabilities. */
  async #effectOfRole(caller: Caller, uid: string, news: Inputs): Promise<Effect | undefined> {
    const capabilities = Array.isArray(news["capabilities"]) ? news["capabilities"].map(String) : [];
    try {
      const grants = (await grantsOf(this.client, caller.uid)).filter(({ binding }) => !this.#leaving.has(binding));
      const affected = grants.filter(({ role }) => role === uid);
      return ending(caller, await lossOf(this.client, affected, grants, new Map([[uid, capabilities]])));
    } catch (error) {
      return { ends: `whether identity ${caller.uid} holds that role cannot be read (${messageOf(error)})` };
    }
  }
}

function isOf(kind: Kind, { collection }: Pick<Kind, "collection">): boolean {
  return kind.collection.segment === collection.segment;
}

function grant(binding: string, inputs: Inputs): Grant {
  return { binding, place: parentOf(binding) ?? "", role: String(inputs["roleUid"]) };
}

function ending(caller: Caller, losses: readonly Loss[]): Pick<Effect, "ends"> {
  const [loss] = losses;
  if (loss === undefined) return {};
  const named = loss.capabilities.slice(0, 3).join(", ");
  const more = loss.capabilities.length > 3 ? ` and ${loss.capabilities.length - 3} more` : "";
  return { ends: `no other role binding gives identity ${caller.uid} ${named}${more} in ${loss.place}` };
}

/**
 * True when the login of this run meets the new claim match: each member is as before, or what the run logged in with. An audience that
 * is left out means the platform's own, so it may not go either. A pattern that matches the whole claim does so
 * whether or not the platform anchors it.
 */
function stillMatches(olds: Inputs, news: Inputs, { login }: Caller): boolean {
  const before = (olds["claimMatch"] ?? {}) as Inputs;
  const after = (news["claimMatch"] ?? {}) as Inputs;
  const met: Inputs = { issuer: login?.issuer, subject: login?.subject };
  const isMet = ([name, value]: [string, unknown]) => {
    if (isDeepStrictEqual(value, before[name]) || (value !== undefined && value === met[name])) return true;
    const claimed = met[name.replace(/Pattern$/, "")];
    return name.endsWith("Pattern") && typeof value === "string" && typeof claimed === "string" && matchesWhole(value, claimed);
  };
  return (
    ["audience", "audiencePattern"].every((name) => isDeepStrictEqual(before[name], after[name])) &&
    Object.keys(after).length > 0 &&
    Object.entries(after).every(isMet)
  );
}
