import { hasCode, type PlatformError, type PlatformErrorCode } from "../../client/errors";
import { type Change, go, type Outcome } from "./change";
import type { GuardFacts, Guard } from "./guard";
import { keptGuard } from "./kept";
import { leftBehindGuard } from "./left-behind";
import type { OwnAccess } from "./own-access";
import { ownershipGuard } from "./ownership";
import { GuardPreview, type GuardPreviewOptions } from "./preview";
import { protectionGuard } from "./protection";

/** Changes only objects of the organisation that is configured. */
const ownOrganizationGuard: Guard = {
  inPreviews: false,
  before(change, { run }) {
    const error = run.ownOrganization.errorOf(change);
    return Promise.resolve(error === undefined ? go : { is: "stop", error });
  },
};

/** Takes no access that this run needs. */
const ownAccessGuard: Guard = {
  inPreviews: true,
  before: (change, { ownAccess }) => ownAccess.before(change),
  after: (change, outcome, { ownAccess }) => ownAccess.after(change, outcome),
};

/** All guards. A change passes them in this order, until one stops it. */
const guards: readonly Guard[] = [
  ownOrganizationGuard,
  leftBehindGuard,
  ownershipGuard,
  keptGuard,
  protectionGuard,
  ownAccessGuard,
];

/** A change that the guards let through. */
export interface Passage {
  /** False if there is nothing to send. */
  readonly isOpen: boolean;
  /** True if the change ends access of this run. */
  readonly endsOwnAccess: boolean;
  /** Call when the change has ended. */
  end(outcome: Outcome): void;
}

/** The guards of one run. */
export class Guards {
  readonly #preview: GuardPreview;

  constructor(
    readonly ownAccess: OwnAccess,
    preview: GuardPreviewOptions,
  ) {
    this.#preview = new GuardPreview(preview);
  }

  /** Asks all guards, right before the change is sent. @throws PlatformError of the guard that stops it: nothing was sent */
  async pass(change: Change, run: GuardFacts["run"]): Promise<Passage> {
    const facts = { run, ownAccess: this.ownAccess };
    let endsOwnAccess = false;
    for (const guard of guards) {
      const verdict = await guard.before(change, facts);
      if (verdict.is === "stop") throw verdict.error;
      if (verdict.is === "go") endsOwnAccess ||= verdict.endsOwnAccess ?? false;
      else {
        if (verdict.note !== undefined) run.notify(verdict.note);
        return { isOpen: false, endsOwnAccess, end: () => undefined };
      }
    }
    const end = (outcome: Outcome) => guards.forEach((guard) => guard.after?.(change, outcome, facts));
    return { isOpen: true, endsOwnAccess, end };
  }

  /** The errors with which `up` would stop these changes, as far as a preview can decide that. */
  foresee(changes: readonly Change[], run: GuardFacts["run"]): Promise<PlatformError[]> {
    return this.#preview.errors(
      changes,
      guards.filter(({ inPreviews }) => inPreviews),
      run,
    );
  }
}

/** The end of a change that has failed with `error` after it was sent. */
export function outcomeOf(error: unknown): Outcome {
  return hasCode(error, ...unapplied) ? "rejected" : "in doubt";
}

/**
 * Errors of a change that was not applied. Not a 403, nor a lost connection: an earlier attempt may have been applied, and taken the
 * right to repeat it.
 */
const unapplied: PlatformErrorCode[] = [
  "INVALID_ARGUMENT",
  "FAILED_PRECONDITION",
  "INVALID_INPUT",
  "PROTECTED",
  "READ_ONLY",
  "NOT_REHEARSED",
];
