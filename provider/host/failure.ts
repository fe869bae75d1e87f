import { textOf } from "../client/errors";
import { CreatedButFailed } from "../resources/creating/created-but-failed";
import { toStruct } from "./struct";

/** An error as text for people, printed by the engine. It has no stack, because the dynamic provider host would print the stack as well. */
export class Failure extends Error {
  constructor(text: string) {
    super(text);
    this.stack = "";
  }
}

/**
 * `error` for the dynamic provider host, without an `id`, which would mark a created object. Only `CreatedButFailed` carries an `id`; the
 * user then sees `reasons` alone.
 *
 * @param provider the `__provider` text of the resource. The host adds it to the outputs only after success; without it the resource can be
 * neither refreshed nor destroyed
 */
// See docs/contributing/engine.md#errors-with-an-id.
export function failureFor(error: unknown, provider?: unknown): Failure {
  const failure = new Failure(textOf(error));
  if (error instanceof CreatedButFailed) {
    const properties = toStruct({ ...error.state, __provider: provider });
    return Object.assign(failure, { id: error.uid, properties, reasons: [failure.message] });
  }
  return failure;
}
