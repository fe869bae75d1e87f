import type { Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";

/** A declaration that passed its check. */
export interface Checked extends Declaring {
  /** The arguments of the program. Unlike the inputs, they have consents such as `allowAnySubject`. */
  readonly given: Inputs;
}
