import type { PlatformClient } from "../../client/client";
import type { SingleFlight } from "../../client/single-flight";
import type { Guards } from "../guards/guards";
import type { OwnOrganization } from "../guards/own-organization";
import type { Ledger } from "../ledger/ledger";
import type { LeftBehind } from "../ledger/notes";
import type { FirstNames } from "../naming/first-names";
import type { DeletionProof } from "../../sight/deletion-proof";
import type { BatchedCreates } from "../sharing/batched-creates";
import type { FreshRows } from "../sharing/fresh-rows";
import type { Names } from "../sharing/names";
import type { SharedReads } from "../sharing/shared-reads";

/** One run of the engine, as one of its host processes knows it: each provider has a process of its own. */
export interface Run {
  readonly client: PlatformClient;
  /** Uid of the root group, if configured. */
  readonly organization: string | undefined;
  /** Whether updates overwrite what somebody else has changed. */
  readonly overwrites: boolean;
  /** When it began, by the clock of its client: what earlier runs of this stack wrote is older. */
  readonly startedAt: number;
  /** Shows an informational message to the user. */
  readonly notify: (message: string) => void;
  /** The same, unless this run has shown it before. */
  readonly notifyOnce: (message: string) => void;
  /** Who owns what. */
  readonly ledger: Ledger;
  readonly proof: DeletionProof;
  /** Changes that it does not make. */
  readonly guards: Guards;
  /** Keeps it from changing objects of other organisations. */
  readonly ownOrganization: OwnOrganization;
  /** Look-ups of checks: the first meaning of each name. */
  readonly firstNames: FirstNames;
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  /** Objects right before they are changed. */
  readonly rows: FreshRows;
  /** What names in programs mean now. */
  readonly names: Names;
  readonly creates: BatchedCreates;
  /** Checks of parents, by uid. */
  readonly parents: SingleFlight<void>;
  /** Uids of the objects of one kind under one parent, by natural key. */
  readonly children: SingleFlight<ReadonlyMap<string, readonly string[]>>;
  /** What interrupted creates of this program made and its state lacks. */
  readonly leftBehind: SingleFlight<readonly LeftBehind[]>;
  /** True once a check has shown that the engine compares the program with the state: neither a `destroy` nor a mere `refresh`. */
  isProgramRun: boolean;
  /** True once a check has shown that this run is an update, not a preview. False proves nothing. */
  isUpdate: boolean;
}
