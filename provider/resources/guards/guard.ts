import type { PlatformClient } from "../../client/client";
import type { SingleFlight } from "../../client/single-flight";
import type { Ledger } from "../ledger/ledger";
import type { Mode } from "../ledger/mode";
import type { LeftBehind } from "../ledger/notes";
import type { Change, Outcome, Verdict } from "./change";
import type { OwnAccess } from "./own-access";
import type { OwnOrganization } from "./own-organization";

/** The part of a run that guards look at. */
export interface Guarded {
  readonly client: PlatformClient;
  readonly ledger: Ledger;
  readonly ownOrganization: OwnOrganization;
  readonly sharing: { readonly leftBehind: SingleFlight<readonly LeftBehind[]> };
  readonly mode: Mode;
  readonly notify: (message: string) => void;
}

/** The facts by which a guard decides. */
export interface GuardFacts {
  readonly run: Guarded;
  /** In a preview, that of the preview. */
  readonly ownAccess: OwnAccess;
}

/** One reason why a run does not send a change. */
export interface Guard {
  /** Whether a preview asks it too. All others decide by what only an update knows, or have told a preview in check or diff. */
  readonly inPreviews: boolean;
  /** Decides right before the change is sent. */
  before(change: Change, facts: GuardFacts): Promise<Verdict>;
  /** Hears of the end of a deletion, and of an update that failed, after all guards have let it through. Creates do not tell it. */
  after?(change: Change, outcome: Outcome, facts: GuardFacts): void;
}
