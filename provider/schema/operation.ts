import type { DeclaredInputs, Inputs, Kind } from "./kind";

/** An object that the state has, or that was found. */
export interface Stated {
  readonly kind: Kind;
  readonly uid: string;
  /** What is known of it: its state, or its inputs. Empty if nothing is. */
  readonly state: Inputs;
}

/** What one call of the engine asks about an object. */
export interface Operation {
  readonly kind: Kind;
  readonly uid: string;
  /** Its state. */
  readonly olds: Inputs;
  /** What the program declares. */
  readonly news: Inputs;
  /** Path of the resource (`provider/schema/path.ts`); undefined where the host does not tell it. */
  readonly path?: string | undefined;
}

/** An operation with both sides in canonical form, for all that compares them. */
export interface Comparison extends Operation {
  /** The inputs in `olds`. */
  readonly before: DeclaredInputs;
  /** The inputs in `news`. */
  readonly wanted: DeclaredInputs;
}

/** What a program declares; an object that is to be created has no uid, and no state. */
export interface Declaring extends Omit<Operation, "uid"> {
  readonly uid?: string;
}
