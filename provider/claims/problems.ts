import { list } from "../client/printable";
import { argumentProblems, type Exemptions } from "../sources/argument-problems";
import type { ArgumentRules } from "../sources/source";
import { argumentsOf, type HelperRules } from "./helper";

/**
 * The problems of the arguments of a helper, one sentence each. Rejects arguments that it does not take, and undefined ones, because a
 * missing setting must not decide who may log in.
 */
export function helperProblems(rules: HelperRules, args: Readonly<Record<string, unknown>>, exemptions?: Exemptions): string[] {
  const { required, choices = {} } = rules;
  const names = Object.keys(choices);
  const chosen = names.filter((choice) => choice in args);
  const taken: ArgumentRules = Object.fromEntries(
    Object.entries(argumentsOf(rules)).map(([name, rule]) => [name, name in required || name in args ? rule : rule.optional()]),
  );
  const problems = argumentProblems(taken, args, {}, exemptions);
  if (names.length > 0 && chosen.length !== 1)
    problems.unshift(`set exactly one of ${list(names)}${chosen.length > 1 ? `, not ${list(chosen)}` : ""}.`);
  return problems;
}
