import type { WireObject } from "../client/collection";
import { literal } from "../client/printable";
import { rememberSecret } from "../client/redact";
import { canonicalInputs, type Difference, differencesOf, present, type Values, withKept } from "./canonical";
import { type Kind, secretPaths } from "./declaration";
import { unknownValue } from "./inputs";

export type { Kind } from "./declaration";

/** Inputs of a resource, by their declared names. */
export type Inputs = Record<string, unknown>;

/** The declared inputs in `values`, in canonical form. */
export function declaredInputs(kind: Kind, values: Inputs): Inputs {
  return canonicalInputs(kind.fields, values);
}

/**
 * The inputs that declare the object as it is on the platform.
 *
 * @param known what was sent or read before: the source of values that the platform does not answer. Default: nothing
 */
export function observedInputs<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, known: Inputs = {}): Inputs {
  const observed = { [kind.parentInput]: kind.parentIn(wire), ...kind.read(wire) };
  return canonicalInputs(kind.fields, withKept(kind.fields, present(Object.entries(observed)), known));
}

/** What state keeps of an object: its inputs and what the platform set. @param known see {@link observedInputs} */
export function stateOf<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, known: Inputs = {}): Inputs {
  const state = withKept(kind.fields, { ...observedInputs(kind, wire, known), ...kind.outputs(wire) }, known);
  hideSecrets(kind, state);
  return state;
}

/** Keeps the secrets of `kind` among `values` out of every later message: a platform may send them back in an error. */
export function hideSecrets(kind: Kind, values: Inputs): void {
  for (const path of secretPaths(kind.fields)) {
    const value = path.reduce<unknown>((inner, name) => (inner as Values | null | undefined)?.[name], values);
    if (typeof value === "string") rememberSecret(value);
  }
}

/** Where `before` and `after` differ. */
export function differences(kind: Kind, before: Inputs, after: Inputs): Difference[] {
  return differencesOf(kind.fields, declaredInputs(kind, before), declaredInputs(kind, after));
}

/** Names of the inputs in which `before` and `after` differ. */
export function changedInputs(kind: Kind, before: Inputs, after: Inputs): string[] {
  return inputNames(differences(kind, before, after));
}

/** Names of the inputs that the object has otherwise than `inputs` declare. Values that the platform never answers do not count. */
export function differing<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, inputs: Inputs): string[] {
  const observed = observedInputs(kind, wire);
  return inputNames(
    differencesOf(kind.fields, observed, declaredInputs(kind, inputs), ({ traits }) => traits.writeOnly === true),
  );
}

/** The inputs that hold `differences`, each once. */
export function inputNames(differences: readonly Difference[]): string[] {
  return [...new Set(differences.flatMap(({ path: [name] }) => name ?? []))];
}

/** The natural key as one string; undefined where the kind has none, and while a part of it is missing or unknown. */
export function keyOf(kind: Kind, inputs: Inputs): string | undefined {
  if (kind.naturalKey.length === 0) return undefined;
  const parts = [kind.parentInput, ...kind.naturalKey].map((name) => inputs[name]);
  return parts.every((part) => typeof part === "string" && part !== unknownValue)
    ? JSON.stringify([kind.collection.segment, ...parts])
    : undefined;
}

/** An object by its natural key, for messages: `group "platform" under acme/eng`. */
export function describe(kind: Kind, inputs: Inputs): string {
  const key = kind.naturalKey.map((name) => (name === "name" ? "" : `${name} `) + literal(inputs[name])).join(", ");
  return [kind.collection.noun, key, "under", String(inputs[kind.parentInput])].filter((part) => part !== "").join(" ");
}

/** The value of an input for messages. */
export function show(value: unknown): string {
  return value === undefined ? "nothing" : literal(value);
}
