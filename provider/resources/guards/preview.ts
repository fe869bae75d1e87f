import type { PlatformClient } from "../../client/client";
import { type PlatformError, platformErrorAs } from "../../client/errors";
import { role } from "../../kinds/role";
import { hasUnknown } from "../../schema/inputs";
import { changedInputs, type Inputs, isKind, type Kind } from "../../schema/kind";
import { givenIn, isGiven } from "../../schema/references";
import { roleNamed } from "../naming/role-name";
import type { Names } from "../sharing/names";
import type { Change, Removal, Update } from "./change";
import type { Guard, GuardFacts } from "./guard";
import { mayAffect, OwnAccess } from "./own-access";

/** What a preview needs to ask guards. */
export interface GuardPreviewOptions {
  /** Sends each request once: a preview waits for no platform. */
  readonly client: PlatformClient;
  /** Asks as the client does. */
  readonly names: Names;
  /** Uid of the identity of the run, as far as that is known without a request; undefined otherwise: then nothing is told. */
  readonly caller: string | undefined;
  /** Whether the run may end its own access. */
  readonly isAllowed: boolean;
}

/**
 * Asks guards in a preview. Its changes are never sent, and so do not count in the update that may follow in the same process. It sends
 * requests only for bindings that are the caller's according to the state, and for roles, and reports nothing that it cannot read.
 */
export class GuardPreview {
  readonly #ownAccess: OwnAccess;
  /** True once the platform did not answer: no other diff waits for it. */
  #isAway = false;

  constructor(private readonly options: GuardPreviewOptions) {
    const outcome = options.isAllowed
      ? "PLATFORM_ALLOW_SELF_LOCKOUT is set, so `pulumi up` sends it."
      : "As long as that is so, `pulumi up` rejects it with SELF_LOCKOUT before it is sent.";
    const byState = { leaving: new Set<string>(), listed: () => Promise.resolve([]) };
    this.#ownAccess = new OwnAccess(options.client, { isAllowed: false, outcome }, byState);
  }

  /** The errors of `guards` about `changes`; none about a change that cannot be decided. */
  async errors(changes: readonly Change[], guards: readonly Guard[], run: GuardFacts["run"]): Promise<PlatformError[]> {
    const errors: PlatformError[] = [];
    for (const each of changes) {
      const change = this.#mayConcern(each) ? await this.#resolved(each) : undefined;
      for (const guard of change === undefined ? [] : guards) {
        if (change === undefined || this.#isAway) continue;
        const verdict = await guard.before(change, { run, ownAccess: this.#ownAccess });
        if (verdict.is !== "stop") continue;
        const { error } = verdict;
        this.#isAway = error.code !== "SELF_LOCKOUT";
        if (!this.#isAway && error.cause === undefined) errors.push(error);
      }
    }
    return errors;
  }

  /** True for a change that may end access of the caller, by the state. */
  #mayConcern(change: Change): change is Update | Removal {
    const { caller } = this.options;
    if (caller === undefined || !mayAffect(change)) return false;
    return isKind(change.kind, role) || [change.uid, change.state["identityUid"]].includes(caller);
  }

  /** The change with the uid of a role that it names; undefined while something in it is unknown. */
  async #resolved(change: Update | Removal): Promise<Change | undefined> {
    const { kind, state } = change;
    const declared = change.is === "update" ? [change.wanted] : change.instead;
    const all = await Promise.all(declared.map((inputs) => this.#known(kind, inputs).catch(platformErrorAs(() => undefined))));
    const known = all.filter((inputs) => inputs !== undefined);
    if (known.length < declared.length) return undefined;
    if (change.is !== "update") return { ...change, instead: known };
    const [wanted = {}] = known;
    return { ...change, wanted, differing: changedInputs(kind, state, wanted) };
  }

  /** @throws PlatformError */
  async #known(kind: Kind, inputs: Inputs): Promise<Inputs | undefined> {
    if (hasUnknown(inputs)) return undefined;
    const unresolved = givenIn(kind.fields, inputs).filter(({ uid }) => !isGiven(inputs[uid]));
    const [reference, ...others] = unresolved;
    if (reference === undefined) return inputs;
    if (reference.to !== "role" || others.length > 0) return undefined;
    const place = String(inputs[kind.parentInput]);
    const { names } = this.options;
    return { ...inputs, [reference.uid]: await roleNamed(reference, String(inputs[reference.name]), place, { names }) };
  }
}
