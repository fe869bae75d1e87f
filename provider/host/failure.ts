import { messageOf } from "../client/errors";
import { CreatedButFailed } from "../resources/creating/created-but-failed";
import { toStruct } from "./struct";

/**
 * `error` as the dynamic provider host takes it: without a stack, which it would print, and without an `id`,
 * which it would take for an object that exists (ENGINE §3). The one error that has an `id` is about such an object;
 * then `reasons` is all that the user sees.
 *
 * @param provider the `__provider` text of the resource: the host adds it to the outputs of a success only, and state
 *   without it could be neither refreshed nor destroyed
 */
export function failureFor(error: unknown, provider?: unknown): Error {
  const failure = new Error(messageOf(error));
  failure.stack = "";
  if (error instanceof CreatedButFailed) {
    const properties = toStruct({ ...error.state, __provider: provider });
    return Object.assign(failure, { id: error.uid, properties, reasons: [failure.message] });
  }
  return failure;
}
