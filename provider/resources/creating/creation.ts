import type { DeclaredInputs, Kind } from "../../schema/kind";
import type { Run } from "../run/run";
import type { TimeLimit } from "./time-limit";

/** An object that a run looks for by what declares it. */
export interface Sought {
  readonly kind: Kind;
  /** With the uids of references. */
  readonly inputs: DeclaredInputs;
  readonly run: Run;
}

/** One create: what it is to make, for which run, and until when. */
export interface Creation extends Sought {
  /** The natural key; undefined for a kind without one. */
  readonly key: string | undefined;
  /** The key under which it is noted, see `noteKeyOf`. */
  readonly noteKey: string;
  readonly limit: TimeLimit;
}
