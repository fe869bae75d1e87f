import type { Inputs, Kind } from "../../schema/kind";
import type { Ledger } from "../ledger/ledger";
import type { Mode } from "../ledger/mode";
import type { Names } from "../sharing/names";

/** The part of a run that the search for an object needs. */
export interface Searching {
  readonly names: Names;
  readonly ledger: Ledger;
}

/** Judges a parent that was found by its path. */
interface ParentGuard {
  /** Why the parent in `inputs` is rejected; undefined if it is not. */
  rejectionOf(kind: Kind, inputs: Inputs): string | undefined;
}

/** The part of a run that references need. */
export interface Referring extends Searching {
  readonly ownOrganization: ParentGuard;
  readonly mode: Mode;
  readonly notify: (message: string) => void;
}
