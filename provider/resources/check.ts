import type { z } from "zod";
import { nearestName } from "../client/nearest-name";
import { literal } from "../client/printable";
import { unknownValue } from "../kinds/inputs";
import { declaredInputs, type Inputs, keyOf, type Kind } from "../kinds/kind";
import type { Run } from "./run";

/** One reason why inputs are refused. */
export interface CheckFailure {
  /** Path of the input: `claimMatch.issuer`. */
  property: string;
  reason: string;
}

/** Inputs in canonical form and everything that is wrong with them. */
export interface CheckResult {
  inputs: Inputs;
  failures: CheckFailure[];
}

/**
 * Checks inputs before anything is sent: every failure at once; values that are not known yet pass
 * (DESIGN §4). `adopt` is remembered for the create that follows and taken out, so that it is never
 * in state.
 */
export function check(kind: Kind, news: Inputs, run: Pick<Run, "declarations">): CheckResult {
  // A member called `__proto__` arrives as a prototype, whose members would pass for arguments.
  const { adopt, ...inputs } = structuredClone(news);
  const parsed = kind.inputs.safeParse(inputs);
  const failures = (parsed.error?.issues ?? [])
    .filter((issue) => !isUnknown(inputs, issue.path))
    .flatMap((issue) => (issue.code === "unrecognized_keys" ? undeclared(kind, issue) : [explain(issue)]));
  if (adopt !== undefined && adopt !== null && adopt !== unknownValue && typeof adopt !== "boolean") {
    failures.push({ property: "adopt", reason: "adopt must be true or false" });
  }
  const declared = declaredInputs(kind, inputs);
  const key = keyOf(kind, declared);
  if (key !== undefined && failures.length === 0) run.declarations.declare(key, typeof adopt === "boolean" ? adopt : undefined);
  return { inputs: failures.length === 0 ? declared : inputs, failures };
}

type Issue = z.core.$ZodIssue;

function explain(issue: Issue): CheckFailure {
  const property = issue.path.join(".");
  return { property, reason: `${property} ${issue.message}` };
}

function undeclared(kind: Kind, issue: Issue & { keys: string[] }): CheckFailure[] {
  const names = issue.path.length === 0 ? [...Object.keys(kind.inputs.shape), "adopt"] : memberNames(kind, issue.path);
  return issue.keys.map((name) => ({
    property: [...issue.path, name].join("."),
    reason: `${literal(name)} is not an argument of ${[kind.collection.noun, ...issue.path].join(" ")}; did you mean "${nearestName(name, names).name}"?`,
  }));
}

function memberNames(kind: Kind, path: PropertyKey[]): string[] {
  const field = kind.inputs.shape[String(path[0])] as { shape?: object } | undefined;
  return Object.keys(field?.shape ?? {});
}

/** True when the value at `path`, or one that it lies in, is not known yet. */
function isUnknown(inputs: Inputs, path: PropertyKey[]): boolean {
  let value: unknown = inputs;
  for (const step of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
    if (value === unknownValue) return true;
  }
  return false;
}
