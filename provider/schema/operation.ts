import type { DeclaredInputs, Inputs, Kind } from "./kind";

/** An object from the state or from a search. */
export interface Stated {
  readonly kind: Kind;
  readonly uid: string;
  /** Its state or inputs. Empty if nothing is known. */
  readonly state: Inputs;
}

/** The subject of one call of the engine about an object. */
export interface Operation {
  readonly kind: Kind;
  readonly uid: string;
  /** Its state. */
  readonly olds: Inputs;
  /** The declaration in the program. */
  readonly news: Inputs;
  /** Path of the resource (`provider/schema/path.ts`); undefined where the host does not tell it. */
  readonly path?: string | undefined;
}

/** An operation with both sides in canonical form, for comparison. */
export interface Comparison extends Operation {
  /** The inputs in `olds`. */
  readonly before: DeclaredInputs;
  /** The inputs in `news`. */
  readonly wanted: DeclaredInputs;
}

/** A declaration in the program. An object that is to be created has no uid and no state. */
export interface Declaring extends Omit<Operation, "uid"> {
  readonly uid?: string;
}
