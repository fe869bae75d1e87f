import { z } from "zod";
import { suggest } from "../client/nearest-name";
import { literal } from "../client/printable";
import { valueAt } from "../schema/values";
import type { ArgumentRules, Exclusions } from "./source";

/** What of the arguments is not judged by its rule. */
export interface Exemptions {
  /** True for values to skip. Default: none are skipped. */
  readonly isPassed?: (value: unknown) => boolean;
  /** The problem of a value that no rule accepts, such as an output of a program. Default: that of the rule. */
  readonly problemWith?: (value: unknown) => string | undefined;
}

/** The problems of the arguments of a data source, one sentence each. @param taken rules of all arguments of the function */
export function argumentProblems(
  taken: ArgumentRules,
  args: Readonly<Record<string, unknown>>,
  excludes: Exclusions = {},
  { isPassed = () => false, problemWith = () => undefined }: Exemptions = {},
): string[] {
  const { error } = z.strictObject(taken).safeParse(args);
  const problems = (error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((name) => undeclared(name, Object.keys(taken)));
    const value = valueAt(args, issue.path);
    return isPassed(value) ? [] : [`${issue.path.join(".")} ${problemWith(value) ?? issue.message}.`];
  });
  const isThere = (name: string) => name in args && !isPassed(args[name]);
  const beside = Object.entries(excludes).flatMap(([name, others]) =>
    others.filter((other) => isThere(name) && isThere(other)).map((other) => `${other} must be omitted if ${name} is set.`),
  );
  return [...problems, ...beside];
}

function undeclared(name: string, names: readonly string[]): string {
  return `${literal(name)} is not an argument of this function; ${suggest(name, names, "arguments")}`;
}
