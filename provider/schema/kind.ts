import type { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { groupText } from "../client/known-paths";
import { literal } from "../client/printable";
import { rememberSecret } from "../client/redact";
import { isAtOrBelow } from "../client/uid";
import { canonical } from "./canonical";
import { type Difference, differencesOf } from "./differences";
import { derivedOnce } from "./derived";
import { type Field, type Fields, inputsIn, isInput, own, type Shape, type Traits } from "./field";
import { withKept } from "./kept-values";
import { valueAt, type Values } from "./values";
import type { Groups } from "./choices";
import type { Calls, Declaration } from "./declaration";
import { isNeverShown, secretPaths } from "./hidden-values";
import type { ImportForm } from "./import-id";
import { unknownValue } from "./inputs";
import { givenFor, givenIn, isUnknown, keptReferences } from "./references";

/** A kind, for data sources. */
export interface ReadableKind<W extends WireObject = WireObject> {
  /** Name of its class. */
  readonly name: string;
  readonly collection: Collection<W>;
  readonly fields: Fields;
  readonly naturalKey: readonly string[];
  /** Plural segment of the path, and key of the List envelope. */
  readonly segment: string;
  /** The input that names the parent; undefined for a read-only kind. */
  readonly parentInput: string | undefined;
  /** The values of each filter of its List. */
  readonly filters: Readonly<Record<string, Shape>>;
  readonly atMostOneFilter: Groups<string>;
  isPreferred(uid: string): boolean;
  /** The available filters of the List that narrow it to one natural key. */
  lookup(inputs: Values): object;
  /** The object in the form of data sources. */
  result(wire: W): object;
}

/** A type of resources, with the fields of programs and of state. */
export interface ResourceKind {
  /** Name of its class. */
  readonly name: string;
  readonly collection: Pick<Collection<WireObject>, "noun" | "area">;
  readonly fields: Fields;
  readonly exactlyOne: Groups<string>;
  readonly inputs: z.ZodObject;
  /** Inputs whose change replaces the resource. */
  readonly immutable: readonly string[];
  /** Inputs and outputs that contain a secret. */
  readonly secrets: readonly string[];
}

/** The members of a kind from its declaration, with the defaults. */
type Declared = Required<
  Pick<Declaration, "access" | "blocks" | "isKept" | "placeOf" | "problems" | "rank" | "settled" | "sharesUid" | "withGroup">
>;

/** A kind, for check, diff, create, read, update and delete. */
export interface Kind<W extends WireObject = WireObject> extends ReadableKind<W>, ResourceKind, Declared {
  readonly collection: Collection<W>;
  /** A sentence for the error of a deletion that objects of this kind block, besides their names. */
  readonly obstacleHint: string | undefined;
  readonly calls: Calls;
  /** The fields whose value appears only in the answer to a create. */
  readonly shownOnce: readonly string[];
  readonly parentInput: string;
  /** How an import names an object, besides by its uid; undefined if nothing else identifies it. */
  readonly importForm: ImportForm | undefined;
  /** The inputs that identify an object, its parent first. */
  readonly keyInputs: readonly string[];
  /** The collection of its parents. */
  readonly parents: Collection<WireObject>;
  /** The content of an answer. It is interpreted only here; all other code compares and stores the result. */
  observe(wire: W): Observed;
}

/** An object as one answer of the platform shows it, in canonical form. */
export interface Observed {
  readonly uid: string;
  /** The inputs that would declare it, including its parent, without values never returned by the platform. */
  readonly inputs: DeclaredInputs;
  /** The values that the platform sets and state keeps. */
  readonly outputs: Inputs;
}

/** Inputs of a resource, by their declared names. */
export type Inputs = Record<string, unknown>;

/** Inputs in canonical form, which only {@link declaredInputs} makes. Inputs with the same meaning are equal. */
export type DeclaredInputs = Inputs & { readonly [canonicalForm]: true };
declare const canonicalForm: unique symbol;

/** True if both are of one kind. Two kinds never share a segment of the API's paths. */
export function isKind(one: OfKind, other: OfKind): boolean {
  return one.collection.segment === other.collection.segment;
}

/** A kind, or an object that knows its collection. */
interface OfKind {
  readonly collection: Pick<Kind["collection"], "segment">;
}

/** The declared inputs in `values`, in canonical form. */
export function declaredInputs({ fields }: Pick<Kind, "fields">, values: Values): DeclaredInputs {
  const inputs: Inputs = {};
  for (const [name, { shape, traits }] of inputsIn(fields)) {
    const value = values[name] === undefined ? undefined : canonical(values[name], shape, traits);
    if (value !== undefined) inputs[name] = value;
  }
  return inputs as DeclaredInputs;
}

/**
 * The inputs that would declare the object as it is on the platform.
 *
 * @param known the inputs sent or read before, for values that the platform does not return
 */
export function inputsOf(kind: Kind, { inputs }: Observed, known: Inputs): Inputs {
  return withKept(inputFields(kind.fields), inputs, known);
}

const inputFields = derivedOnce((fields: Fields): Fields => Object.fromEntries(inputsIn(fields)));

/** `inputs` in the form of a program, without the uids that references stand for. */
export function asDeclared({ fields }: Kind, inputs: Inputs): Inputs {
  const replaced = givenIn(fields, inputs).map(({ uid }) => uid);
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !replaced.includes(name)));
}

/** The state of an object, which contains its inputs and the values of the platform. @param known see {@link inputsOf}. Default: none */
export function stateOf(kind: Kind, observed: Observed, known: Inputs = {}): Inputs {
  const { inputs, outputs } = observed;
  const state = {
    ...withKept(kind.fields, { ...inputs, ...outputs }, known),
    ...keptReferences(kind.fields, inputs, known),
  };
  hideSecrets(kind, state);
  return state;
}

/** Redacts the secrets among `values` in all later messages, because a platform may repeat them in an error. */
export function hideSecrets(kind: Pick<Kind, "fields">, values: Inputs): void {
  for (const path of secretPaths(kind.fields)) {
    const value = valueAt(values, path);
    if (typeof value === "string") rememberSecret(value);
  }
}

/** The differences between `before` and `after`. */
export function differences(kind: Pick<Kind, "fields">, before: Inputs, after: Inputs): Difference[] {
  return differencesOf(kind.fields, declaredInputs(kind, before), declaredInputs(kind, after));
}

/** Names of the inputs in which `before` and `after` differ. */
export function changedInputs(kind: Kind, before: Inputs, after: Inputs): string[] {
  return inputNames(differences(kind, before, after));
}

/**
 * Names of the inputs in which the object differs from `inputs`, see {@link shownDifferences}.
 *
 * @param sent the inputs of the last create or change, because the platform may return uids in place of its texts. Default: `inputs`
 */
export function differing(kind: Kind, observed: Observed, inputs: DeclaredInputs, sent: Inputs = inputs): string[] {
  return inputNames(shownDifferences(kind, inputsOf(kind, observed, sent), inputs));
}

/** The differences between an object with the inputs `live` and `inputs`. Values that the platform never returns are not compared. */
export function shownDifferences(kind: Kind, live: Inputs, inputs: DeclaredInputs): Difference[] {
  return differencesOf(kind.fields, live, inputs, isNeverShown);
}

/** The names of the inputs with `differences`, without duplicates. */
export function inputNames(differences: readonly Difference[]): string[] {
  return [...new Set(differences.flatMap(({ path: [name] }) => name ?? []))];
}

/**
 * The natural key as one string; undefined if the kind has none, or while a part is missing or unknown. An unresolved reference replaces
 * its uid, so two resources with the same reference have the same key.
 */
export function naturalKeyOf(kind: Kind, inputs: Inputs): string | undefined {
  if (kind.naturalKey.length === 0) return undefined;
  const parts: unknown[] = [];
  for (const name of kind.keyInputs) {
    const value = inputs[name];
    const part = typeof value === "string" ? value : writtenReference(kind, name, inputs);
    if (part === undefined || part === unknownValue) return undefined;
    parts.push(part);
  }
  return JSON.stringify([kind.collection.segment, ...parts]);
}

/** The reference in the program instead of the input `name`; undefined if there is none, or an unknown one. */
function writtenReference({ fields }: Kind, name: string, inputs: Inputs): unknown {
  const reference = givenFor(fields, name, inputs);
  if (reference === undefined || isUnknown(inputs[reference.name])) return undefined;
  const text = inputs[reference.name];
  return {
    [reference.name]:
      typeof text === "object" ? Object.entries({ ...text }).sort(([one], [other]) => (one < other ? -1 : 1)) : text,
  };
}

/** The key of a pending create in its note, which is the natural key, otherwise all inputs. */
export function noteKeyOf(kind: Kind, inputs: Inputs): string | undefined {
  if (kind.naturalKey.length > 0) return naturalKeyOf(kind, inputs);
  return JSON.stringify([kind.collection.segment, declaredInputs(kind, inputs)]);
}

/** The outputs with the uids of texts in the inputs `names`, and the outputs that describe the objects with these names. */
export function resolvedOutputs({ fields }: Kind, names: readonly string[]): string[] {
  const traitsIn = ({ shape, traits }: Field): Traits[] => [
    traits,
    ...(shape.is === "message" ? Object.values(shape.members).flatMap(traitsIn) : []),
  ];
  const resolved = names.flatMap((name) => {
    const field = own(fields, name);
    return field === undefined ? [] : traitsIn(field).flatMap(({ resolvedTo }) => resolvedTo ?? []);
  });
  const about = Object.entries(fields).filter(
    ([, { traits }]) => traits.firstFor !== undefined && names.includes(traits.firstFor),
  );
  return [...resolved, ...about.map(([name]) => name)];
}

/** The inputs that identify an object in messages, which are the natural key, otherwise every given uid and text. */
function tellingInputs({ naturalKey, fields, secrets }: Kind, inputs: Inputs): readonly string[] {
  if (naturalKey.length > 0) return naturalKey;
  return Object.entries(fields).flatMap(([name, { by, shape, traits }]) => {
    const isTelling = by !== "parent" && isInput(fields[name]) && !traits.writeOnly && !secrets.includes(name);
    return isTelling && (shape.is === "text" || shape.is === "uid") && inputs[name] !== undefined ? [name] : [];
  });
}

/** An object by its natural key, for messages: `group "platform" under acme/eng`. References are written as in the program. */
export function describe(kind: Kind, inputs: Inputs): string {
  const place = placeIn(kind, inputs);
  return place === undefined ? named(kind, inputs) : `${named(kind, inputs)} under ${groupText(place)}`;
}

/**
 * An existing object, for messages. It is described like others and with its uid, but without the uid of its place, which begins its own
 * uid.
 */
export function describeExisting(kind: Kind, uid: string, inputs: Inputs): string {
  if (Object.keys(inputs).length === 0)
    return groupText(uid) === uid ? `${kind.collection.noun} ${uid}` : `${kind.collection.noun} ${groupText(uid)} (${uid})`;
  const place = placeIn(kind, inputs);
  const isRepeated = place !== undefined && groupText(place) === place && isAtOrBelow(uid, place);
  return `${isRepeated ? named(kind, inputs) : describe(kind, inputs)} (${uid})`;
}

/** The parent, if it is known. */
function placeIn(kind: Kind, inputs: Inputs): string | undefined {
  const place = inputs[written(kind, kind.parentInput, inputs)];
  return typeof place === "string" && place !== unknownValue ? place : undefined;
}

function named(kind: Kind, inputs: Inputs): string {
  const isKnown = (name: string) => inputs[name] !== undefined && inputs[name] !== unknownValue;
  const names = tellingInputs(kind, inputs).filter((name) => name !== kind.parentInput);
  const given = names.map((name) => written(kind, name, inputs)).filter(isKnown);
  const key = given.map((name) => (name === "name" ? "" : `${name} `) + literal(withoutPath(inputs[name])));
  return key.length === 0 ? kind.collection.noun : `${kind.collection.noun} ${key.join(", ")}`;
}

/** An address without parts that may be secret. Knowledge of a webhook's path is enough to write to it. */
function withoutPath(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^(https?:\/\/[^/?#]+)[/?#].+$/s, "$1/...") : value;
}

/** The argument of the program for the input `name`. */
function written({ fields }: Kind, name: string, inputs: Inputs): string {
  return givenFor(fields, name, inputs)?.name ?? name;
}

/** The value of an input for messages. */
export function show(value: unknown): string {
  return value === undefined ? "nothing" : literal(value);
}
