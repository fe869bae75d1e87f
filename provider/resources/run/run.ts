import type { PlatformClient } from "../../client/client";
import type { Guards } from "../guards/guards";
import type { OwnOrganization } from "../guards/own-organization";
import type { Ledger } from "../ledger/ledger";
import type { FirstNames } from "../naming/first-names";
import type { DeletionProof } from "../../sight/deletion-proof";
import type { Names } from "../sharing/names";
import type { Sharing } from "./sharing";
import type { Mode } from "../ledger/mode";

/** One run of the engine, as one of its host processes knows it: each provider has a process of its own. */
export interface Run {
  readonly client: PlatformClient;
  /** Uid of the root group, if configured. */
  readonly organization: string | undefined;
  /** Whether updates overwrite what somebody else has changed. */
  readonly overwrites: boolean;
  /** Shows an informational message to the user, unless this run has shown it before. */
  readonly notify: (message: string) => void;
  /** Who owns what. */
  readonly ledger: Ledger;
  readonly proof: DeletionProof;
  /** Changes that it does not make. */
  readonly guards: Guards;
  /** Keeps it from changing objects of other organisations. */
  readonly ownOrganization: OwnOrganization;
  /** Look-ups of checks: the first meaning of each name. */
  readonly firstNames: FirstNames;
  /** The present meaning of names in programs. */
  readonly names: Names;
  readonly sharing: Sharing;
  /** See {@link noteMode}. */
  mode: Mode;
}
