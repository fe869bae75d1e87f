import { describe } from "../../schema/kind";
import type { Fields } from "../../schema/field";
import type { Declaring } from "../../schema/operation";
import { isValues, type Values } from "../../schema/values";
import type { Run } from "../run/run";

/**
 * Tells the user which new patterns have no `^` or no `$`. Nobody knows whether they match a part of a value, because the platform does not
 * document it (docs/platform-api.md#patterns). The patterns are not quoted, because a program may hold them as secrets.
 *
 * @param declaring `olds` has the inputs in state, of which the user was told before
 */
export function warnOfUnanchored({ kind, olds, news }: Declaring, run: Pick<Run, "notify">): void {
  const known = new Set(patternsIn(kind.fields, olds).map(([path, pattern]) => `${path} ${pattern}`));
  for (const [path, pattern] of patternsIn(kind.fields, news)) {
    const missing = known.has(`${path} ${pattern}`) ? [] : missingAnchors(pattern);
    if (missing.length > 0)
      run.notify(
        `warning: ${describe(kind, news)}: ${path} has no ${missing.join(" and no ")}, so it may match a part of a value. ` +
          "Write ^ and $ around it, with .* where any text may stand.",
      );
  }
}

/** The anchors without which the pattern may mean two things. `.*` at an end means the same with and without one. */
function missingAnchors(pattern: string): string[] {
  // Escaped characters and classes are no anchors. Everything else with a ^ or a $ is read as anchored, for want of certainty.
  const plain = pattern.replaceAll(/\\[^Az]|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, "x");
  const hasStart = /\^|\\A|^(?:\(\?\w+\))?\.[*+]/.test(plain);
  const hasEnd = /\$|\\z|\.[*+]$/.test(plain);
  return [...(hasStart ? [] : ["^"]), ...(hasEnd ? [] : ["$"])];
}

/** The patterns by their dotted paths. A field says which other one takes a pattern in its place. */
function patternsIn(fields: Fields, values: Values, prefix = ""): [string, string][] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): [string, string][] => {
    const { patternIn = "" } = traits;
    const value = values[name];
    if (shape.is === "message" && isValues(value)) return patternsIn(shape.members, value, `${prefix}${name}.`);
    return patternIn === "" ? [] : textsIn(prefix + patternIn, values[patternIn]);
  });
}

function textsIn(path: string, value: unknown): [string, string][] {
  if (typeof value === "string" && value !== "") return [[path, value]];
  return isValues(value) ? Object.entries(value).flatMap(([name, each]) => textsIn(`${path}.${name}`, each)) : [];
}
