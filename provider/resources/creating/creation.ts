import type { Inputs, Kind } from "../../schema/kind";
import type { Run } from "../run/run";
import type { TimeLimit } from "./time-limit";

/** One create: what it is to make, for which run, and until when. */
export interface Creation {
  readonly kind: Kind;
  /** With the uids of references. */
  readonly inputs: Inputs;
  /** The natural key; undefined for a kind without one. */
  readonly key: string | undefined;
  /** The key under which it is noted, see `noteKeyOf`. */
  readonly noteKey: string;
  readonly run: Run;
  readonly limit: TimeLimit;
}
