import { claimHelpers } from "../../claims/helpers";
import { helperProblems } from "../../claims/problems";
import { PlatformError } from "../../client/errors";
import { hasUnknown } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";

/** The claim helpers by their tokens: `platform:iam:githubActions`. */
const served = new Map(claimHelpers.map((helper) => [`platform:iam:${helper.call}`, helper]));

/**
 * The result of a claim helper, which has the claims in the member that is named like the argument of an identity for them. It needs
 * no credentials and sends nothing.
 *
 * @returns undefined for a token of another function
 * @throws PlatformError `INVALID_INPUT`
 */
// An SDK drops the arguments that a program leaves out. A null is an argument without a value, and is refused.
export function claimsOf(token: string, args: Inputs): object | undefined {
  const helper = served.get(token);
  if (helper === undefined) return undefined;
  const problems = hasUnknown(args) ? [notYetKnown] : helperProblems(helper.takes(args), args);
  if (problems.length > 0) throw new PlatformError("INVALID_INPUT", `${helper.call}: ${problems.join(" ")}`);
  return { [helper.makes]: helper.claims(args as never) };
}

/** Engines do not call a function before they know its arguments. */
const notYetKnown = "an argument is not known yet. Pass it to the form of this function that takes outputs.";
