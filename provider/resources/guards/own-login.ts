import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../client/token-source";
import type { Inputs } from "../../schema/kind";
import { wholeMatcher } from "../../schema/pattern";

/**
 * True if the login of this run matches the new claim match: each member is unchanged, or what the run logged in with. An omitted
 * audience means the platform's own, so removing it counts as a change. A pattern that matches the whole claim does so
 * whether or not the platform anchors it.
 */
export function stillMatches(state: Inputs, wanted: Inputs, { login }: Caller): boolean {
  const before = (state["claimMatch"] ?? {}) as Inputs;
  const after = (wanted["claimMatch"] ?? {}) as Inputs;
  const met: Inputs = { issuer: login?.issuer, subject: login?.subject };
  const isMet = ([name, value]: [string, unknown]) => {
    if (isDeepStrictEqual(value, before[name]) || (value !== undefined && value === met[name])) return true;
    const claimed = met[name.replace(/Pattern$/, "")];
    return name.endsWith("Pattern") && typeof value === "string" && typeof claimed === "string" && wholeMatcher(value)(claimed);
  };
  return (
    ["audience", "audiencePattern"].every((name) => isDeepStrictEqual(before[name], after[name])) &&
    Object.keys(after).length > 0 &&
    Object.entries(after).every(isMet)
  );
}
