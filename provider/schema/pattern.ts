import type { RE2JS } from "re2js";
import { literal } from "../client/printable";
import { plainText } from "./inputs";

/**
 * Maximum number of characters of an analysed text, which is a pattern or a value that a pattern is tried on. Real ones are far shorter.
 */
export const longestText = 1_000;

/**
 * Maximum number of characters of a pattern with all repetitions expanded. The whole pattern is counted once more for each repetition of a
 * group.
 */
export const longestRepeated = 2_000;

/**
 * Why the pattern is not analysed, for use after "because"; undefined for an analysed pattern. Analysis takes time and memory by the length
 * of a pattern with its repetitions, and a person who may write one identity must not be able to stop everybody's checks. A pattern that is
 * not analysed is treated as the worst case, which matches anybody.
 */
export function unanalysed(text: string): string | undefined {
  if (text.length > longestText) return `it is longer than ${longestText.toLocaleString("en")} characters`;
  if (lengthRepeated(text) <= longestRepeated) return undefined;
  return `its repetitions make it longer than ${longestRepeated.toLocaleString("en")} characters`;
}

/** An upper estimate of the length of the pattern with all repetitions expanded. A repeated group may contain everything else. */
function lengthRepeated(text: string): number {
  let [characters, copies] = [text.length, 1];
  for (const { 0: repetition, 1: least = "", 2: most, index } of text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    // RE2 rejects more than a thousand.
    const count = Math.min(most === "" ? Number(least) + 1 : Math.max(Number(least), Number(most ?? 0)), 1_000);
    if (/[)}*+?]/.test(text.charAt(index - 1))) copies *= Math.max(count, 1);
    else characters += Math.max(count - repetition.length, 0);
  }
  return characters * copies;
}

/**
 * A regular expression in RE2 syntax (docs/platform-api.md#patterns). The platform checks the syntax of a pattern that is not analysed
 * here.
 */
export const pattern = plainText
  .refine((text) => text !== "", "must not be empty")
  .superRefine((text, context) => {
    const problem = syntaxError(text);
    if (problem !== undefined) {
      const message = `${literal(text)} is not a regular expression in RE2 syntax: ${problem}`;
      context.addIssue({ code: "custom", message });
    }
  });

/** Why `text` is not a regular expression in RE2 syntax; undefined if it is one or is not analysed. */
function syntaxError(text: string): string | undefined {
  const pattern = compiled(text);
  return typeof pattern === "string" ? pattern : undefined;
}

/** The last compiled patterns, because one comparison uses the same two repeatedly. */
const recent = new Map<string, RE2JS | string>();
const mostRecent = 16;

/** The compiled pattern, or its error; undefined if it is not analysed. */
function compiled(text: string): RE2JS | string | undefined {
  if (unanalysed(text) !== undefined) return undefined;
  const found = recent.get(text) ?? compile(text);
  recent.delete(text);
  recent.set(text, found);
  for (const oldest of recent.keys()) if (recent.size > mostRecent) recent.delete(oldest);
  return found;
}

function compile(text: string): RE2JS | string {
  try {
    return re2().compile(text);
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace("error parsing regexp: ", "");
  }
}

/** True if this release can read and analyse the pattern. The platform's own library takes a few more, such as `\p{ASCII}`. */
export function isPattern(text: string): boolean {
  return typeof compiled(text) === "object";
}

/** Tells whether the pattern certainly matches the whole of a value. A text that cannot be read or is not analysed matches no value. */
export function wholeMatcher(text: string): (value: string) => boolean {
  const pattern = compiled(text);
  return typeof pattern === "object" ? (value) => pattern.testExact(value) : () => false;
}

/** Tells whether the pattern may match a part of a value. A pattern that cannot be read or is not analysed matches in every value. */
export function finder(text: string): (value: string) => boolean {
  const pattern = compiled(text);
  return typeof pattern === "object" ? (value) => pattern.test(value) : () => true;
}

// Loaded on first use, so that a provider host of a program without patterns starts without it.
function re2(): typeof RE2JS {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return (require("re2js") as typeof import("re2js")).RE2JS;
}
