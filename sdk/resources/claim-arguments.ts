import type { ClaimHelper, HelperRules } from "../../provider/claims/helper";
import { helperProblems } from "../../provider/claims/problems";
import type { ArgumentRules } from "../../provider/sources/source";
import { isObject, objectRule, withoutEventual } from "../program/arguments";

export { anyText } from "../../provider/claims/rules";

/** The claims that `helper` builds from the arguments `given`. @throws pulumi.RunError */
export function claimsFrom<Args extends object, Claims extends object>(helper: ClaimHelper<Args, Claims>, given: Args): Claims {
  const { required, ...more } = helper.takes(given);
  checkArguments(helper.call, given, required, more);
  return helper.claims(given);
}

/** Accepts the arguments that these rules describe, and no others. @throws pulumi.RunError */
export function checkArguments(
  call: string,
  given: object | null | undefined,
  required: ArgumentRules,
  more: Omit<HelperRules, "required"> = {},
): void {
  const args = given ?? {};
  if (!isObject(args)) throw failure(`${call}: ${objectRule}`);
  const problems = helperProblems({ required, ...more }, args, withoutEventual);
  if (problems.length > 0) throw failure(`${call}: ${problems.join(" ")}`);
}

/** Loads the code for programs only for an error, because commands use this file too. */
function failure(message: string): Error {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { invalid } = require("../program/program-failure") as typeof import("../program/program-failure");
  return invalid(message);
}
