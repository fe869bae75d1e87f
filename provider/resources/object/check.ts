import type { z } from "zod";
import { suggest } from "../../client/nearest-name";
import { list, literal } from "../../client/printable";
import type { Problem } from "../../schema/declaration";
import { canonical } from "../../schema/canonical";
import { type Fields, isInput, type MessageShape, own, type Shape } from "../../schema/field";
import { isValues, type Path, valueAt, type Values } from "../../schema/values";
import { unknownValue } from "../../schema/inputs";
import { declaredInputs, type Inputs, type Kind, type ResourceKind } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { givenFor, referencesOf } from "../../schema/references";
import { namesForUids } from "../checking/names-for-uids";
import type { Run } from "../run/run";

/** Inputs in canonical form, and their problems. */
export interface CheckResult {
  inputs: Inputs;
  failures: Problem[];
}

/**
 * Checks inputs before anything is sent and returns all failures at once. Unknown values pass. So do texts that the state already
 * has: a newer rule must not block every update of the stack. `adopt` is removed, so that it never reaches the state, and remembered
 * for the create that follows.
 *
 * @param declaring `olds` has the resource's inputs in state; none for a new object
 */
export function check({ kind, olds, news }: Declaring, run: Pick<Run, "organization">): CheckResult {
  // A member named `__proto__` arrives as the prototype, which the clone drops: its members would pass for arguments.
  const { adopt, ...inputs } = structuredClone(news);
  const failures = wrongInputs(kind, olds, inputs, ["adopt"]).filter(({ property }) => !isRoot(kind, olds, inputs, property));
  const rejected = failures.map(({ property }) => property);
  failures.push(
    ...wrongChoices([], { exactlyOne: kind.exactlyOne, members: kind.fields }, inputs, rejected),
    ...kind
      .problems(inputs, olds)
      .filter(({ property }) => !rejected.some((other) => argumentOf(other) === argumentOf(property))),
    ...namesForUids(kind, inputs, run.organization),
    ...wrongAdopt(kind, adopt),
  );
  const declared = declaredInputs(kind, inputs);
  return { inputs: failures.length === 0 ? declared : inputs, failures };
}

/** The argument of a property. While one of its members is wrong, nothing is derived from the others. */
function argumentOf(property: string): string {
  return property.split(".", 1).join("");
}

/**
 * The problems that the declared rules of each input find. Unknown values pass, and so do texts that the state already has.
 *
 * @param others arguments that are no inputs. Default: none
 */
export function wrongInputs(kind: ResourceKind, olds: Inputs, inputs: Inputs, others: readonly string[] = []): Problem[] {
  return (kind.inputs.safeParse(inputs).error?.issues ?? [])
    .filter(({ path }) => !isUnknownAt(inputs, path) && !isInState(olds, inputs, path) && !isNamed(kind, inputs, path))
    .flatMap((issue) =>
      issue.code === "unrecognized_keys" ? undeclared(kind, issue, others) : [problemOf(kind, inputs, issue)],
    );
}

/** {@link check} of inputs outside of a run: they come from a file or an object, not from a resource of a program. */
export function checkAlone(kind: Kind, olds: Inputs, news: Inputs): CheckResult {
  return check({ kind, olds, news }, { organization: undefined });
}

function wrongAdopt({ collection, fields, naturalKey }: Kind, adopt: unknown): Problem[] {
  const problem = (reason: string) => [{ property: "adopt", reason }];
  if (!isMissing(adopt) && adopt !== unknownValue && typeof adopt !== "boolean") return problem("adopt must be true or false");
  if (adopt !== true || naturalKey.length > 0 || "adopt" in fields) return [];
  const why = `a ${collection.noun} has no natural key, so none can be recognised`;
  return problem(`adopt cannot be used: ${why}. \`pulumi import --file\` takes one over by its uid`);
}

type Issue = z.core.$ZodIssue;

function problemOf({ fields }: ResourceKind, inputs: Inputs, { path, message }: Issue): Problem {
  const property = path.join(".");
  const reference = referencesOf(fields).find(({ uid }) => uid === property && isMissing(inputs[uid]));
  return { property, reason: `${property}${reference === undefined ? "" : ` or ${reference.name}`} ${message}` };
}

/** True if the uid at `path` is missing because the program sets a reference instead. */
function isNamed({ fields }: ResourceKind, inputs: Inputs, [name = "", ...rest]: PropertyKey[]): boolean {
  return rest.length === 0 && isMissing(inputs[String(name)]) && givenFor(fields, String(name), inputs) !== undefined;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function undeclared(kind: ResourceKind, issue: Issue & { keys: string[] }, others: readonly string[]): Problem[] {
  const names =
    issue.path.length === 0 ? [...new Set([...Object.keys(kind.inputs.shape), ...others])] : memberNames(kind, issue.path);
  return issue.keys.map((name) => ({
    property: [...issue.path, name].join("."),
    reason: `${literal(name)} is not an argument of ${[kind.collection.noun, ...issue.path].join(" ")}; ${suggest(name, names, "arguments")}`,
  }));
}

/** The inputs of the message at `path`. */
function memberNames(kind: ResourceKind, path: PropertyKey[]): string[] {
  const members = path.reduce<Fields>((fields, step) => {
    const shape = own(fields, String(step))?.shape;
    return shape?.is === "message" ? shape.members : {};
  }, kind.fields);
  return Object.keys(members).filter((name) => isInput(members[name]));
}

/**
 * Violations of exactly-one and at-most-one rules. An unknown value counts as set.
 *
 * @param rejected properties that already failed: they explain a group of which nothing is set
 */
function wrongChoices(
  path: Path,
  { exactlyOne, atMostOne = [], members }: Pick<MessageShape, "exactlyOne" | "members"> & Partial<MessageShape>,
  values: Values,
  rejected: readonly string[],
): Problem[] {
  const choices = { path, members, values, rejected };
  const wrong = [
    ...exactlyOne.flatMap((names) => wrongChoice(names, "exactly", choices) ?? []),
    ...atMostOne.flatMap((names) => wrongChoice(names, "at most", choices) ?? []),
  ];
  const inner = Object.entries(members).flatMap(([name, { shape }]) => {
    const value = values[name];
    return shape.is === "message" && isValues(value) ? wrongChoices([...path, name], shape, value, rejected) : [];
  });
  return [...wrong, ...inner];
}

/** The violation of one rule, `exactly` or `at most` one of `names`; undefined if it holds, or if another problem explains it. */
function wrongChoice(
  names: readonly string[],
  needed: "exactly" | "at most",
  { path, members, values, rejected }: { path: Path; members: Fields; values: Values; rejected: readonly string[] },
): Problem | undefined {
  const given = names.filter((name) => isSet(values[name], members[name]?.shape));
  const all = names.map((name) => [...path, name].join("."));
  const wrong = (found: string) => ({ property: all[0] ?? "", reason: `${needed} one of ${list(all)} must be set; ${found}` });
  if (given.length > 1) return wrong(`${list(given)} are set`);
  if (given.length === 1 || needed === "at most") return undefined;
  // The uid is required by its own rule.
  if (names.some((name) => members[name]?.by === "reference")) return undefined;
  const isExplained = rejected.some((property) => all.some((each) => `${property}.`.startsWith(`${each}.`)));
  return isExplained ? undefined : wrong("none is set");
}

/** True for a value that is set, and for an empty message, which its own rules reject. */
function isSet(value: unknown, shape: Shape = { is: "flag" }): boolean {
  if (shape.is === "message" && typeof value === "object" && value !== null) return true;
  return canonical(value, shape) !== undefined;
}

/** True for a text that the state already has. Empty ones never count: an empty parent would create a root organisation. */
function isInState(olds: Inputs, inputs: Inputs, path: PropertyKey[]): boolean {
  const value = valueAt(inputs, path);
  if (typeof value !== "string" || value === "") return false;
  // The order of most lists has no meaning.
  const list = typeof path.at(-1) === "number" ? valueAt(olds, path.slice(0, -1)) : undefined;
  return value === valueAt(olds, path) || (Array.isArray(list) && list.includes(value));
}

/** True for the missing parent of an object that has none in state. A new object always needs one. */
function isRoot({ fields, parentInput }: Kind, olds: Inputs, inputs: Inputs, property: string): boolean {
  const isAbsent = (values: Inputs) => isMissing(values[parentInput]) && givenFor(fields, parentInput, values) === undefined;
  return property === parentInput && Object.keys(olds).length > 0 && isAbsent(olds) && isAbsent(inputs);
}

/** True if the value at `path`, or a message around it, is unknown. */
function isUnknownAt(inputs: Inputs, path: PropertyKey[]): boolean {
  let value: unknown = inputs;
  for (const step of path) {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
    if (value === unknownValue) return true;
  }
  return false;
}
