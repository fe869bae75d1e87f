import type { Inputs, Kind } from "../../schema/kind";
import type { Ledger } from "../ledger/ledger";
import type { Names } from "../sharing/names";

/** What the search for an object needs of a run. */
export interface Searching {
  readonly names: Names;
  readonly ledger: Ledger;
}

/** Judges a parent that was found by its path. */
interface ParentGuard {
  /** Why the parent in `inputs` is rejected; undefined if it is not. */
  rejectionOf(kind: Kind, inputs: Inputs): string | undefined;
}

/** What references need of a run. */
export interface Referring extends Searching {
  readonly ownOrganization: ParentGuard;
  readonly isUpdate: boolean;
  readonly notify: (message: string) => void;
  readonly notifyOnce: (message: string) => void;
}
