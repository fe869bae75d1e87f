import { messageOf, withCode } from "../client/errors";
import { printable } from "../client/printable";
import type { Problem } from "../schema/declaration";
import type { Inputs } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import { failureFor } from "./failure";

/**
 * The result of `check` in the form that the engine prints well. What it throws is a failure too: the engine prints that once, where
 * the host would print an error as well.
 */
export async function checked(news: Inputs, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    const result = await check();
    return { ...result, failures: asPrinted(result) };
  } catch (error) {
    return { inputs: news, failures: [{ property: "", reason: messageOf(failureFor(error)) }] };
  }
}

/**
 * The failures of a check in the form that the engine prints well: it adds the value of the input that `property` names, and `{<nil>}`
 * for a part of an input, or for none.
 */
function asPrinted({ inputs, failures }: CheckResult): Problem[] {
  return failures.map(({ property, reason, code = "INVALID_INPUT" }) => {
    if ((inputs[property] ?? undefined) !== undefined) return { property, reason: withCode(code, reason) };
    const isNamed = !property.includes(".") || reason.includes(property);
    return { property: "", reason: withCode(code, isNamed ? reason : `${printable(property)}: ${reason}`) };
  });
}
