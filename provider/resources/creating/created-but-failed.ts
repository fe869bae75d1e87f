import { codeOf, PlatformError } from "../../client/errors";
import type { Inputs } from "../../schema/kind";

/**
 * The object exists although its create failed. The host passes its uid to the engine, so that it is not lost. The code is that of the failure;
 * without one, the object itself is wrong.
 */
export class CreatedButFailed extends PlatformError {
  constructor(
    readonly uid: string,
    readonly state: Inputs,
    message: string,
    failure?: unknown,
  ) {
    super(failure === undefined ? "WRONG_OBJECT" : codeOf(failure), message, { cause: failure });
  }
}
