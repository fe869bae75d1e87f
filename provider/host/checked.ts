import { messageOf, withCode } from "../client/errors";
import { printable } from "../client/printable";
import type { Problem } from "../schema/declaration";
import type { Inputs } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import { failureFor } from "./failure";

/** Runs `check`, with failures as the engine prints them well. An exception becomes a failure: the engine prints those once, errors twice. */
export async function checked(news: Inputs, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    const result = await check();
    return { ...result, failures: asPrinted(result) };
  } catch (error) {
    return { inputs: news, failures: [{ property: "", reason: messageOf(failureFor(error)) }] };
  }
}

/**
 * The failures of a check as the engine prints them well. It adds the value of the input that `property` names, and `{<nil>}` where that is
 * a member of an input or has no value: there the property is left empty.
 */
function asPrinted({ inputs, failures }: CheckResult): Problem[] {
  return failures.map(({ property, reason, code = "INVALID_INPUT" }) => {
    if ((inputs[property] ?? undefined) !== undefined) return { property, reason: withCode(code, reason) };
    const isNamed = !property.includes(".") || reason.includes(property);
    return { property: "", reason: withCode(code, isNamed ? reason : `${printable(property)}: ${reason}`) };
  });
}
