import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
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
  /** Inputs that tell two objects under one parent apart. */
  readonly naturalKey: readonly string[];
  /** Query that narrows a List to one natural key. */
  lookup(inputs: Inputs): object;
  /** The inputs, without `parentUid`, that would declare this object. */
  read(wire: Wire): Inputs;
  /** What the platform fills in and programs may use. */
  outputs(wire: Wire): Inputs;
  readonly blockers: readonly Blocker[];
  /** True when the platform answers the delete of a missing object with success (API-FACTS §1). Default false. */
  readonly deletesMissing?: boolean;
}

/**
 * `value` in the one form in which two equal values are equal: members that are absent, null or empty
 * are left out, for a server cannot tell them apart (API-FACTS §2.0).
 */
function canonical(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical);
  if (typeof value !== "object") return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, canonical(member)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The declared inputs in `values`, in canonical form. */
export function declaredInputs(kind: Kind, values: Inputs): Inputs {
  const picked = Object.keys(kind.inputs.shape).map((name) => [name, values[name]] as const);
  return (canonical(Object.fromEntries(picked)) ?? {}) as Inputs;
}

/** The inputs that declare the object as it is on the platform. */
export function observedInputs<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire): Inputs {
  return (canonical({ parentUid: parentOf(wire.uid), ...kind.read(wire) }) ?? {}) as Inputs;
}

/** What state keeps of an object: its inputs and what the platform filled in. */
export function stateOf<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire): Inputs {
  return { ...observedInputs(kind, wire), ...kind.outputs(wire) };
}

/** Names of the inputs in which `before` and `after` differ. */
export function changedInputs(kind: Kind, before: Inputs, after: Inputs): string[] {
  const [old, now] = [declaredInputs(kind, before), declaredInputs(kind, after)];
  return Object.keys(kind.inputs.shape).filter((name) => !isDeepStrictEqual(old[name], now[name]));
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
  const key = kind.naturalKey.map((name) => (name === "name" ? "" : `${name} `) + JSON.stringify(inputs[name])).join(", ");
  return `${kind.collection.noun} ${key} under ${String(inputs["parentUid"])}`;
}

/** A value for messages. */
export function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(canonical(value));
}
