import type { WireObject } from "../client/collection";
import { literal } from "../client/printable";
import { rememberSecret } from "../client/redact";
import { canonicalInputs, type Difference, differencesOf, isInput, own, present, type Values, withKept } from "./canonical";
import { type Kind, secretPaths } from "./declaration";
import type { Field, Traits } from "./fields";
import { unknownValue } from "./inputs";
import { declaredForm, givenFor, isUnknown, keptReferences } from "./references";

export type { Kind } from "./declaration";

/** Inputs of a resource, by their declared names. */
export type Inputs = Record<string, unknown>;

/** The declared inputs in `values`, in canonical form. */
export function declaredInputs(kind: Kind, values: Inputs): Inputs {
  return canonicalInputs(kind.fields, values);
}

/**
 * The inputs that would declare the object as it is on the platform.
 *
 * @param known what was sent or read before, for values that the platform does not return. Default: nothing
 */
export function observedInputs<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, known: Inputs = {}): Inputs {
  const observed = { [kind.parentInput]: kind.parentIn(wire), ...kind.read(wire) };
  return canonicalInputs(kind.fields, withKept(kind.fields, present(Object.entries(observed)), known));
}

/** `inputs` as the program has them: a reference instead of the uid that it was resolved to. */
export function asDeclared({ fields }: Kind, inputs: Inputs): Inputs {
  return declaredForm(fields, inputs);
}

/** What state keeps of an object: its inputs, and what the platform set. @param known see {@link observedInputs} */
export function stateOf<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, known: Inputs = {}): Inputs {
  const observed = observedInputs(kind, wire, known);
  const state = {
    ...withKept(kind.fields, { ...observed, ...kind.outputs(wire) }, known),
    ...keptReferences(kind.fields, observed, known),
  };
  hideSecrets(kind, state);
  return state;
}

/** Redacts the secrets among `values` in all later messages: a platform may echo them in an error. */
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

/**
 * Names of the inputs in which the object differs from `inputs`. Values that the platform never returns, or never knew, are ignored.
 *
 * @param sent what was sent to make or change the object: the platform may return uids in place of its texts. Default: `inputs`
 */
export function differing<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, inputs: Inputs, sent = inputs): string[] {
  const observed = observedInputs(kind, wire, sent);
  return inputNames(
    differencesOf(
      kind.fields,
      observed,
      declaredInputs(kind, inputs),
      ({ by, traits }) => by === "local" || traits.writeOnly === true,
    ),
  );
}

/** The names of the inputs with `differences`, without duplicates. */
export function inputNames(differences: readonly Difference[]): string[] {
  return [...new Set(differences.flatMap(({ path: [name] }) => name ?? []))];
}

/**
 * The natural key as one string; undefined if the kind has none, or while a part is missing or unknown. A reference that was not
 * resolved stands for its uid: two resources with the same text have the same key.
 */
export function keyOf(kind: Kind, inputs: Inputs): string | undefined {
  if (kind.naturalKey.length === 0) return undefined;
  const parts = keyInputs(kind).map((name) => keyPart(kind, name, inputs));
  return parts.includes(undefined) ? undefined : JSON.stringify([kind.collection.segment, ...parts]);
}

function keyPart({ fields }: Kind, name: string, inputs: Inputs): unknown {
  const value = inputs[name];
  if (typeof value === "string") return value === unknownValue ? undefined : value;
  const reference = givenFor(fields, name, inputs);
  if (reference === undefined || isUnknown(inputs[reference.name])) return undefined;
  const text = inputs[reference.name];
  return {
    [reference.name]:
      typeof text === "object" ? Object.entries({ ...text }).sort(([one], [other]) => (one < other ? -1 : 1)) : text,
  };
}

/** The inputs that identify an object of the kind, its parent first. */
export function keyInputs({ parentInput, naturalKey }: Pick<Kind, "parentInput" | "naturalKey">): string[] {
  return [...new Set([parentInput, ...naturalKey])];
}

/** The key under which a pending create is noted: the natural key, else all inputs. */
export function noteKeyOf(kind: Kind, inputs: Inputs): string | undefined {
  if (kind.naturalKey.length > 0) return keyOf(kind, inputs);
  return JSON.stringify([kind.collection.segment, declaredInputs(kind, inputs)]);
}

/** The outputs with the uids of what texts in `names` stand for. */
export function resolvedOutputs({ fields }: Kind, names: readonly string[]): string[] {
  const traitsIn = ({ shape, traits }: Field): Traits[] => [
    traits,
    ...(shape.is === "message" ? Object.values(shape.members).flatMap(traitsIn) : []),
  ];
  return names.flatMap((name) => {
    const field = own(fields, name);
    return field === undefined ? [] : traitsIn(field).flatMap(({ resolvedTo }) => resolvedTo ?? []);
  });
}

/** True for a kind with a value that only the answer to a create shows. */
export function hasOnce(kind: Kind): boolean {
  return Object.values(kind.fields).some(({ traits }) => traits.once);
}

/** The inputs that identify an object in messages: the natural key, else every uid and text that is set. */
function tellingInputs({ naturalKey, fields, secrets }: Kind, inputs: Inputs): readonly string[] {
  if (naturalKey.length > 0) return naturalKey;
  return Object.entries(fields).flatMap(([name, { by, shape, traits }]) => {
    const isTelling = by !== "parent" && isInput(fields[name]) && !traits.writeOnly && !secrets.includes(name);
    return isTelling && (shape.is === "text" || shape.is === "uid") && inputs[name] !== undefined ? [name] : [];
  });
}

/** An object by its natural key, for messages: `group "platform" under acme/eng`. References are as the program has them. */
export function describe(kind: Kind, inputs: Inputs): string {
  const written = (name: string) => givenFor(kind.fields, name, inputs)?.name ?? name;
  const names = tellingInputs(kind, inputs).filter((name) => name !== kind.parentInput && inputs[name] !== unknownValue);
  const key = names.map(written).map((name) => (name === "name" ? "" : `${name} `) + literal(inputs[name]));
  const place = inputs[written(kind.parentInput)];
  return [kind.collection.noun, key.join(", "), ...(place === unknownValue ? [] : ["under", String(place)])]
    .filter((part) => part !== "")
    .join(" ");
}

/** The value of an input for messages. */
export function show(value: unknown): string {
  return value === undefined ? "nothing" : literal(value);
}
