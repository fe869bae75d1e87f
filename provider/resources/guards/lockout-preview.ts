import type { PlatformClient } from "../../client/client";
import { type PlatformError, platformErrorAs } from "../../client/errors";
import { identity } from "../../kinds/identity";
import { hasUnknown } from "../../schema/inputs";
import { changedInputs, type Inputs, isKind, type Kind } from "../../schema/kind";
import { givenIn, isGiven } from "../../schema/references";
import { role } from "../../kinds/role";
import { roleBinding } from "../../kinds/role-binding";
import { Facts } from "../ledger/facts";
import type { Names } from "../sharing/names";
import { roleNamed } from "../naming/role-name";
import type { FirstGrants } from "./own-access";
import { accessInputs, type Change, type Permit, SelfLockout } from "./self-lockout";

/** What a preview needs to warn of changes that would end the access of the run. */
export interface PreviewOptions {
  /** Sends each request once: a preview waits for no platform. */
  readonly client: PlatformClient;
  /** Asks as the client does. */
  readonly names: Names;
  /** What the credentials of the client hold. */
  readonly grants: FirstGrants;
  /** Uid of the identity of the run, as far as that is known without a request; undefined otherwise: then nothing is told. */
  readonly caller: string | undefined;
  /** Whether the run may end its own access. */
  readonly isAllowed: boolean;
}

/** A change that a diff has found. */
export interface FoundChange {
  /** Inputs whose change replaces the object; empty for an update. */
  readonly replaces: readonly string[];
  readonly olds: Inputs;
  /** With the uids of references as far as the state knows them. */
  readonly news: Inputs;
}

/**
 * Finds changes that `up` would reject with `SELF_LOCKOUT`. It compares with a {@link SelfLockout} of its own, so that a preview
 * neither permits nor rejects anything in the run that may follow in the same process. It sends requests only for objects that are
 * the caller's according to the state, and reports nothing that it cannot read.
 */
// See docs/decisions/0021-a-run-keeps-its-own-access.md.
export class LockoutPreview {
  readonly #lockout: SelfLockout;
  readonly #names: Names;
  readonly #caller: string | undefined;
  /** Roles that the caller has according to the state, and changes of roles: their diffs come in any order. */
  readonly #held = new Set<unknown>();
  readonly #roles = new Map<unknown, FoundChange>();
  /** True once the platform did not answer: no other diff waits for it. */
  #isAway = false;

  constructor({ client, names, grants, caller, isAllowed }: PreviewOptions) {
    const outcome = isAllowed
      ? "PLATFORM_ALLOW_SELF_LOCKOUT is set, so `pulumi up` sends it."
      : "As long as that is so, `pulumi up` rejects it with SELF_LOCKOUT before it is sent.";
    this.#lockout = new SelfLockout(client, { isAllowed: false, outcome }, new Facts(), grants);
    this.#names = names;
    this.#caller = caller;
  }

  /** True if the identity is that of the run. */
  isCaller(uid: unknown): boolean {
    return uid === this.#caller && uid !== undefined;
  }

  /** Why `up` would reject what the diff of the object `uid` has found; empty if it would not, or if that cannot be told. */
  async rejections(kind: Kind, uid: string, change: FoundChange): Promise<PlatformError[]> {
    if (this.#caller === undefined) return [];
    const { olds } = change;
    if (isKind(kind, role)) return this.#ofRole(uid, change);
    if (isKind(kind, identity) && this.isCaller(uid)) return this.#ofOwn(kind, uid, change);
    if (!isKind(kind, roleBinding) || !this.isCaller(olds["identityUid"])) return [];
    return [...(await this.holds(olds["roleUid"])), ...(await this.#ofOwn(kind, uid, change))];
  }

  /** Notes that the caller has the role according to the state. @returns why `up` would reject the change of that role */
  async holds(roleUid: unknown): Promise<PlatformError[]> {
    this.#held.add(roleUid);
    const change = this.#roles.get(roleUid);
    return change === undefined ? [] : this.#ofRole(String(roleUid), change);
  }

  /** Why `up` would reject the removal of the caller's role binding `uid`. @param instead the inputs of those that replace it */
  async ofRemoval(verb: "delete" | "replace", uid: string, state: Inputs, instead: readonly Inputs[]): Promise<PlatformError[]> {
    return this.#rejectionOf(() => this.#lockout.beforeDelete(roleBinding, uid, state, { verb, instead }));
  }

  /** A change of the caller's identity or role binding. */
  async #ofOwn(kind: Kind, uid: string, { olds, news: declared, replaces }: FoundChange): Promise<PlatformError[]> {
    if (replaces.length === 0 && accessInputs(kind, changedInputs(kind, olds, declared)).length === 0) return [];
    const news = await this.#resolved(kind, declared).catch(platformErrorAs(() => undefined));
    if (news === undefined) return [];
    if (replaces.length === 0) return this.#ofUpdate(kind, uid, { olds, news, differing: changedInputs(kind, olds, news) });
    return this.#rejectionOf(() => this.#lockout.beforeDelete(kind, uid, olds, { verb: "replace", instead: [news] }));
  }

  async #ofRole(uid: string, change: FoundChange): Promise<PlatformError[]> {
    const { olds, news, replaces } = change;
    const differing = changedInputs(role, olds, news);
    if (replaces.length > 0 || accessInputs(role, differing).length === 0 || hasUnknown(news)) return [];
    this.#roles.set(uid, change);
    if (!this.#held.has(uid)) return [];
    this.#roles.delete(uid);
    return this.#ofUpdate(role, uid, { olds, news, differing });
  }

  #ofUpdate(kind: Kind, uid: string, change: Change): Promise<PlatformError[]> {
    return this.#rejectionOf(() => this.#lockout.beforeUpdate(kind, uid, change));
  }

  /** The rejection by the guard; nothing if it permits the change, or cannot read what decides. */
  async #rejectionOf(guard: () => Promise<Permit>): Promise<PlatformError[]> {
    if (this.#isAway) return [];
    const rejected = platformErrorAs((error) => {
      this.#isAway = error.code !== "SELF_LOCKOUT";
      return this.#isAway || error.cause !== undefined ? [] : [error];
    });
    return guard().then(() => [], rejected);
  }

  /** `news` with the uid of a role that they name; undefined while something in them is unknown. @throws PlatformError */
  async #resolved(kind: Kind, news: Inputs): Promise<Inputs | undefined> {
    if (hasUnknown(news)) return undefined;
    const unresolved = givenIn(kind.fields, news).filter(({ uid }) => !isGiven(news[uid]));
    const [reference, ...others] = unresolved;
    if (reference === undefined) return news;
    if (reference.to !== "role" || others.length > 0) return undefined;
    const place = String(news[kind.parentInput]);
    return { ...news, [reference.uid]: await roleNamed(reference, String(news[reference.name]), place, { names: this.#names }) };
  }
}
