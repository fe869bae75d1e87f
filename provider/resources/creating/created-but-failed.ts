import { PlatformError } from "../../client/errors";
import type { Inputs } from "../../kinds/kind";

/**
 * The object exists although its create failed. The host hands its uid to the engine, so that no object is
 * left behind that state does not know (DESIGN §6).
 */
export class CreatedButFailed extends PlatformError {
  constructor(
    readonly uid: string,
    readonly state: Inputs,
    message: string,
  ) {
    super("WRONG_OBJECT", message);
  }
}
