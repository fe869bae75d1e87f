import { RE2JS } from "re2js";

/** The error of a text that is no regular expression in RE2 syntax; undefined if it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a pattern matches the whole of a value (docs/platform-api.md#patterns). */
export function matchesPattern(pattern: string, value: string): boolean {
  return RE2JS.matches(pattern, value);
}
