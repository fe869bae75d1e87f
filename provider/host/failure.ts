import { messageOf } from "../client/errors";
import { CreatedButFailed } from "../resources/created-but-failed";
import { toStruct } from "./struct";

/**
 * `error` as the dynamic provider host takes it: without a stack, which it would print, and without an `id`,
 * which it would take for an object that exists (ENGINE §3). The one error that has an `id` is about such an object;
 * then `reasons` is all that the user sees.
 */
export function failureFor(error: unknown): Error {
  const failure = new Error(messageOf(error));
  failure.stack = "";
  if (error instanceof CreatedButFailed) {
    return Object.assign(failure, { id: error.uid, properties: toStruct(error.state), reasons: [failure.message] });
  }
  return failure;
}
