import type { PlatformClient } from "../../client/client";
import type { PlatformError } from "../../client/errors";
import { role } from "../../kinds/role";
import { hasUnknown } from "../../schema/inputs";
import { isKind } from "../../schema/kind";
import { givenIn, isGiven } from "../../schema/references";
import type { Change, Removal, Update } from "./change";
import type { Guard, GuardFacts } from "./guard";
import { mayAffect, OwnAccess } from "./own-access";

/** The parts that a preview needs to ask guards. */
export interface GuardPreviewOptions {
  /** Sends each request once: a preview waits for no platform. */
  readonly client: PlatformClient;
  /** Uid of the identity of the run, as far as that is known without a request; undefined otherwise: then nothing is told. */
  readonly caller: string | undefined;
  /** Whether the run may end its own access. */
  readonly isAllowed: boolean;
}

/**
 * Asks guards in a preview. Its changes are never sent, and so do not count in the update that may follow in the same process. It sends
 * requests only for roles and for the caller's bindings in the state, and reports nothing that it cannot read.
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
    for (const change of changes) {
      if (!this.#mayConcern(change)) continue;
      for (const guard of guards) {
        if (this.#isAway) return errors;
        const verdict = await guard.before(change, { run, ownAccess: this.#ownAccess });
        if (verdict.is !== "stop") continue;
        const { error } = verdict;
        this.#isAway = error.code !== "SELF_LOCKOUT";
        if (!this.#isAway && error.cause === undefined) errors.push(error);
      }
    }
    return errors;
  }

  /** True for a change that is known and may end access of the caller, by the state. */
  #mayConcern(change: Change): change is Update | Removal {
    const { caller } = this.options;
    if (caller === undefined || !mayAffect(change) || !isKnown(change)) return false;
    return isKind(change.kind, role) || [change.uid, change.state["identityUid"]].includes(caller);
  }
}

/** True if nothing that the change declares is unknown, as a value or as an object whose name check has not found. */
function isKnown(change: Update | Removal): boolean {
  const { fields } = change.kind;
  const declared = change.is === "update" ? [change.wanted] : change.instead;
  return declared.every((inputs) => !hasUnknown(inputs) && givenIn(fields, inputs).every(({ uid }) => isGiven(inputs[uid])));
}
