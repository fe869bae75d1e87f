import { PlatformError } from "../../provider/client/errors";
import { argumentProblems, type Exemptions } from "../../provider/sources/argument-problems";
import type { ArgumentRules, Exclusions } from "../../provider/sources/source";

/**
 * Does nothing when there are no `problems`.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function reject(problems: readonly string[]): void {
  if (problems.length > 0) throw new PlatformError("INVALID_INPUT", [...problems, "Nothing was sent."].join(" "));
}

/**
 * The problems of `args`, one sentence each.
 *
 * @param taken rules of all arguments of the function
 * @param skips returns true for values that are not checked. Default: all are checked
 */
export function problemsOf(
  taken: ArgumentRules,
  args: Readonly<Record<string, unknown>>,
  excludes: Exclusions = {},
  skips: (value: unknown) => boolean = () => false,
): string[] {
  return argumentProblems(taken, args, excludes, { skips, ...withoutEventual });
}

/** Refuses outputs and promises in words of their own. */
export const withoutEventual: Exemptions = {
  problemWith: (value) => (isEventual(value) ? later(value) : undefined),
};

/** True for an output or a promise. Does not load Pulumi's SDK, which would slow commands down. */
export function isEventual(value: unknown): boolean {
  const isOutput = typeof value === "object" && value !== null && "__pulumiOutput" in value;
  return isOutput || value instanceof Promise;
}

function later(value: unknown): string {
  return value instanceof Promise
    ? "is a promise: await it first"
    : "is an output: call this function inside its apply(), where the value is known";
}

/**
 * The arguments with a value. Null is treated as no arguments.
 *
 * @throws PlatformError `INVALID_INPUT` for anything but an object of arguments
 */
export function given(args: unknown): Record<string, unknown> {
  const all = args ?? {};
  if (!isObject(all)) throw new PlatformError("INVALID_INPUT", `${objectRule} Nothing was sent.`);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The rule of {@link isObject}, for messages. */
export const objectRule = "the arguments must be one object, such as { name: value }.";

/** True for an object of named arguments. */
export function isObject(args: unknown): args is Record<string, unknown> {
  return typeof args === "object" && args !== null && !Array.isArray(args) && !isEventual(args);
}
