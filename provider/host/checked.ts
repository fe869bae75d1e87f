import { messageOf, withCode } from "../client/errors";
import { printable } from "../client/printable";
import type { Problem } from "../schema/declaration";
import type { Inputs } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import { failureFor } from "./failure";

/** Runs `check`. An exception becomes a failure, because the engine prints a failure once and an error twice. */
export async function checked(news: Inputs, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    const result = await check();
    return { ...result, failures: asPrinted(result) };
  } catch (error) {
    return { inputs: news, failures: [{ property: "", reason: messageOf(failureFor(error)) }] };
  }
}

/**
 * The failures of a check in a form that the engine prints well. The engine adds the value of the input in `property`, and adds `{<nil>}`
 * if `property` is a member of an input or has no value. In these cases `property` is left empty.
 */
function asPrinted({ inputs, failures }: CheckResult): Problem[] {
  return failures.map(({ property, reason, code = "INVALID_INPUT" }) => {
    if ((inputs[property] ?? undefined) !== undefined) return { property, reason: withCode(code, reason) };
    const isNamed = !property.includes(".") || reason.includes(property);
    return { property: "", reason: withCode(code, isNamed ? reason : `${printable(property)}: ${reason}`) };
  });
}
