import { literal } from "../client/printable";
import { plainText } from "./inputs";

/** A regular expression in RE2 syntax (docs/platform-api.md#patterns). */
export const pattern = plainText
  .refine((text) => text !== "", "must not be empty")
  .superRefine((text, context) => {
    const problem = syntaxError(text);
    if (problem !== undefined) {
      const message = `${literal(text)} is not a regular expression in RE2 syntax: ${problem}`;
      context.addIssue({ code: "custom", message });
    }
  });

/** Why `text` is not a regular expression in RE2 syntax; undefined where it is one. */
function syntaxError(text: string): string | undefined {
  try {
    re2().compile(text);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace("error parsing regexp: ", "");
  }
}

/** True where this release can read the pattern. The platform's own library takes a few more: `\p{ASCII}`. */
export function isPattern(text: string): boolean {
  return syntaxError(text) === undefined;
}

/** True where the pattern certainly matches the whole of `value`: false for one that this release cannot read. */
export function matchesWhole(text: string, value: string): boolean {
  return isPattern(text) && re2().matches(text, value);
}

/**
 * True where the pattern may be found in `value`, whether or not it matches the whole: what this release cannot read may match
 * anything.
 */
export function isFound(text: string, value: string): boolean {
  return finder(text)(value);
}

/** Tells whether the pattern is found in a value: {@link isFound} for many values. */
export function finder(text: string): (value: string) => boolean {
  if (!isPattern(text)) return () => true;
  const compiled = re2().compile(text);
  return (value) => compiled.matcher(value).find();
}

/**
 * Pairs of texts that have no part in common which could identify a tenant: a pattern that matches both texts of a pair is not
 * limited to one tenant.
 */
export type Strangers = readonly (readonly [string, string])[];

/** The first pair of which the pattern is found in both texts: it would match anybody, whether or not the platform anchors patterns. */
export function matchedStrangers(text: string, strangers: Strangers): readonly [string, string] | undefined {
  const isFoundIn = finder(text);
  return strangers.find((pair) => pair.every(isFoundIn));
}

// Loaded on use: a provider host whose program declares no pattern starts without it.
function re2(): typeof import("re2js").RE2JS {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { RE2JS } = require("re2js") as typeof import("re2js");
  return RE2JS;
}
