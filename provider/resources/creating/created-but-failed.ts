import { PlatformError } from "../../client/errors";
import type { Inputs } from "../../schema/kind";

/** The object exists although its create failed. The host passes its uid to the engine, so that it is not lost. */
export class CreatedButFailed extends PlatformError {
  constructor(
    readonly uid: string,
    readonly state: Inputs,
    message: string,
  ) {
    super("WRONG_OBJECT", message);
  }
}
