import { z } from "zod";
import { suggest } from "../client/nearest-name";
import { literal } from "../client/printable";
import { valueAt } from "../schema/values";
import type { ArgumentRules, Exclusions } from "./source";

/** Exceptions from the rules of the arguments. */
export interface Exemptions {
  /** True for values that are not checked. Default: all are checked. */
  readonly skips?: (value: unknown) => boolean;
  /** The problem of a value that breaks its rule, which replaces the message of the rule. */
  readonly problemWith?: (value: unknown) => string | undefined;
}

/** The problems of the arguments of a data source, one sentence each. @param taken rules of all arguments of the function */
export function argumentProblems(
  taken: ArgumentRules,
  args: Readonly<Record<string, unknown>>,
  excludes: Exclusions = {},
  { skips = () => false, problemWith = () => undefined }: Exemptions = {},
): string[] {
  const { error } = z.strictObject(taken).safeParse(args);
  const problems = (error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((name) => undeclared(name, Object.keys(taken)));
    const value = valueAt(args, issue.path);
    return skips(value) ? [] : [`${issue.path.join(".")} ${problemWith(value) ?? issue.message}.`];
  });
  const isThere = (name: string) => name in args && !skips(args[name]);
  const beside = Object.entries(excludes).flatMap(([name, others]) =>
    others.filter((other) => isThere(name) && isThere(other)).map((other) => `${other} must be omitted if ${name} is set.`),
  );
  return [...problems, ...beside];
}

function undeclared(name: string, names: readonly string[]): string {
  return `${literal(name)} is not an argument of this function; ${suggest(name, names, "arguments")}`;
}
