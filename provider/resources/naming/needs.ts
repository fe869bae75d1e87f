import type { Inputs, Kind } from "../../schema/kind";
import type { DeclaredLogins } from "../ledger/declared-logins";
import type { Ledger } from "../ledger/ledger";
import type { Mode } from "../ledger/mode";
import type { Names } from "../sharing/names";
import type { Following } from "./group-path";

/** The part of a run that the search for an object needs. */
export interface Searching {
  readonly names: Names;
  readonly ledger: Ledger;
}

/** The part of a run that names of identities need. */
export interface Looking extends Following {
  readonly names: Names;
  readonly ledger: Following["ledger"] & { readonly logins: Pick<DeclaredLogins, "has"> };
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
