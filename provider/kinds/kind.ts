import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { literal } from "../client/printable";
import { rememberSecret } from "../client/redact";
import { parentOf } from "../client/uid";
import { unknownValue } from "./inputs";

/** Inputs of a resource, by their declared names. */
export type Inputs = Record<string, unknown>;

/** Objects that keep another one from being deleted. */
export interface Blocker {
  collection: Collection<WireObject>;
  /** Where to look for them: query of the List. */
  query: (uid: string) => object;
}

/**
 * A resource kind, declared once: the whole life of its objects follows from this (DESIGN §3).
 * Every kind lies under a group, named by the input `parentUid`, which cannot change in place.
 */
export interface Kind<Wire extends WireObject = WireObject> {
  readonly collection: Collection<Wire>;
  /** Declared inputs, `parentUid` among them; optional ones may be left out, null or empty. */
  readonly inputs: z.ZodObject;
  /** Inputs that the platform cannot change (API-FACTS §4): another value means a new object. */
  readonly immutable: readonly string[];
  /** Inputs that tell two objects under one parent apart. */
  readonly naturalKey: readonly string[];
  /** Query that narrows a List to one natural key. */
  lookup(inputs: Inputs): object;
  /** The inputs, without `parentUid`, that would declare this object. */
  read(wire: Wire): Inputs;
  /** What the platform fills in and programs may use. */
  outputs(wire: Wire): Inputs;
  readonly blockers: readonly Blocker[];
  /** What the platform's calls do. */
  readonly calls?: {
    /** `may be empty`: an empty List is nothing unusual, also for credentials that may read all. Default: `shows`. */
    readonly list?: "shows" | "may be empty";
    /** `refuses missing`: a DELETE of a missing object answers "not found". Default: it may succeed, so a success proves nothing. */
    readonly delete?: "refuses missing" | "ignores missing";
  };
  /** Inputs and outputs that no message may show. Their resource class names them in `secrets` too, so that state is encrypted. */
  readonly secrets?: readonly string[];
}

/**
 * `value` in the one form in which two equal values are equal: members of a message that are absent, null or empty
 * are left out, for a server cannot tell them apart (API-FACTS §2.0). Lists and the entries of maps count as they are.
 *
 * @param schema tells messages from maps; what nobody declared is a map
 */
function canonical(value: unknown, schema?: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (typeof value !== "object") return value;
  const shape = shapeOf(schema);
  const members = Object.entries(value)
    .map(([name, member]) => [name, shape ? canonical(member, shape[name]) : (member as unknown)] as const)
    .filter(([, member]) => member !== undefined);
  if (members.length === 0) return undefined;
  return Array.isArray(value) ? value : Object.fromEntries(members);
}

/** The members of a message; undefined for every other schema. */
function shapeOf(schema: unknown): z.core.$ZodShape | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return shapeOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

/** The declared inputs in `values`, in canonical form. */
export function declaredInputs(kind: Kind, values: Inputs): Inputs {
  const picked = Object.keys(kind.inputs.shape).map((name) => [name, values[name]] as const);
  return (canonical(Object.fromEntries(picked), kind.inputs) ?? {}) as Inputs;
}

/** The inputs that declare the object as it is on the platform. */
export function observedInputs<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire): Inputs {
  return (canonical({ parentUid: parentOf(wire.uid), ...kind.read(wire) }, kind.inputs) ?? {}) as Inputs;
}

/** What state keeps of an object: its inputs and what the platform filled in. */
export function stateOf<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire): Inputs {
  const state = { ...observedInputs(kind, wire), ...kind.outputs(wire) };
  hideSecrets(kind, state);
  return state;
}

/** Keeps the secrets of `kind` among `values` out of every later message: a platform may send them back in an error. */
export function hideSecrets(kind: Kind, values: Inputs): void {
  for (const name of kind.secrets ?? []) if (typeof values[name] === "string") rememberSecret(values[name]);
}

/** Names of the inputs in which `before` and `after` differ. */
export function changedInputs(kind: Kind, before: Inputs, after: Inputs): string[] {
  const [old, now] = [declaredInputs(kind, before), declaredInputs(kind, after)];
  return Object.keys(kind.inputs.shape).filter((name) => !isDeepStrictEqual(old[name], now[name]));
}

/** Names of the inputs that the object has otherwise than `inputs` declare. */
export function differing<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, inputs: Inputs): string[] {
  return changedInputs(kind, observedInputs(kind, wire), inputs);
}

/** The natural key as one string; undefined when a part of it is missing or not known yet. */
export function keyOf(kind: Kind, inputs: Inputs): string | undefined {
  const parts = ["parentUid", ...kind.naturalKey].map((name) => inputs[name]);
  return parts.every((part) => typeof part === "string" && part !== unknownValue)
    ? JSON.stringify([kind.collection.segment, ...parts])
    : undefined;
}

/** An object by its natural key, for messages: `group "platform" under acme/eng`. */
export function describe(kind: Kind, inputs: Inputs): string {
  const key = kind.naturalKey.map((name) => (name === "name" ? "" : `${name} `) + literal(inputs[name])).join(", ");
  return `${kind.collection.noun} ${key} under ${String(inputs["parentUid"])}`;
}

/** Names for messages: `name, description and claimMatch`. */
export function list(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}

/** A value for messages. */
export function show(value: unknown): string {
  return value === undefined ? "nothing" : literal(canonical(value));
}
