import type { Ledger } from "../ledger/ledger";
import type { Names } from "../sharing/names";

/** What the search for an object needs of a run. */
export interface Searching {
  readonly names: Names;
  readonly ledger: Ledger;
}

/** What references need of a run. */
export interface Referring extends Searching {
  readonly isUpdate: boolean;
  readonly notify: (message: string) => void;
  readonly notifyOnce: (message: string) => void;
}
