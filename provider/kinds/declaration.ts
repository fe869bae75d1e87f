import { z } from "zod";
import { type Collection, type Filter, objectUid, text, type WireObject } from "../client/collection";
import { parentOf } from "../client/uid";
import { canonicalInputs, isSent, type Path, present, type Values } from "./canonical";
import type { Groups } from "./choices";
import type { Field, Fields, ResultOf } from "./fields";
import { referencePairs } from "./references";
import { inputSchema, wireSchema } from "./schemas";

/** Where the objects of a kind are in the API. */
export interface Address {
  /** Singular noun for messages: `role binding`. */
  readonly noun: string;
  readonly area: Collection<WireObject>["area"];
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: string;
  /** The stem of its capabilities, which errors about missing capabilities name: `IAM_GROUPS`. */
  readonly capabilities?: string;
}

/** Where groups are in the API. */
export const groupAddress: Address = { noun: "group", area: "iam", segment: "groups", capabilities: "IAM_GROUPS" };

/** Objects that block the deletion of another one. */
export interface Blocker {
  readonly collection: Collection<WireObject>;
  /** Narrows a List of them to those that block `uid`. */
  readonly query: (uid: string) => object;
}

/** An object as the platform returns it: its uid and every field that it returns. */
export type Wire<F extends Fields> = WireObject & ResultOf<F>;

/** Filters of a List by their names in programs: the field to compare, or the filter itself. */
type FilterDeclarations<F extends Fields> = Readonly<Record<string, (keyof F & string) | Filter<never, never>>>;

/** The values of filters. */
type FilterValues<Declared> = {
  [Name in keyof Declared]?: Declared[Name] extends Filter<never, infer Value> ? Value : string;
};

/** A kind of object, declared once. Everything else is derived from it (docs/architecture.md#a-kind-is-declared-once). */
export interface Declaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  One extends Groups<keyof F & string> = Groups<keyof F & string>,
> {
  /** Name of its class, and last part of its type: `RoleBinding`. */
  readonly name: string;
  readonly address: Address;
  /** Where its parents are in the API. Default: groups. */
  readonly parentAddress?: Address;
  readonly fields: F;
  /** Inputs that identify an object among its siblings. Empty: it has no natural key. */
  readonly naturalKey: readonly (keyof F & string)[];
  /** Filters of its List, besides those of every List. */
  readonly filters: Declared;
  /** Groups of inputs of which exactly one must be set. Default: none. */
  readonly exactlyOne?: One;
  /** Problems of inputs that no field's rule finds. An unknown value is `unknownValue`. Default: nothing */
  readonly problems?: (inputs: Values) => readonly Problem[];
  readonly blockers?: readonly Blocker[];
  /** Whether `forceDestroy` of a group deletes the objects of this kind in it; otherwise it stops at them. Default: false. */
  readonly withGroup?: boolean;
  /** Default: all but the last segment of the uid. */
  readonly placeOf?: (uid: string) => string | undefined;
  /** The calls that the platform offers. Default: see {@link Calls}. */
  readonly calls?: Partial<Calls>;
  readonly batch?: { readonly limit: number; readonly member: string };
  /** Why an answer contradicts itself; undefined if it does not. */
  readonly contradiction?: (wire: Values) => string | undefined;
}

/** One thing that is wrong with inputs. */
export interface Problem {
  /** Path of the input: `claimMatch.issuer`. */
  readonly property: string;
  readonly reason: string;
}

/** What the platform offers for a kind. */
export interface Calls {
  /** `patch`: PATCH with a mask. `post`: a second create overwrites. `none`: every change replaces the object. Default: `patch`. */
  readonly update: "patch" | "post" | "none";
  /**
   * `shows`: contains every object that these credentials may read. `may be empty`: the same, but an empty List is normal even for
   * credentials that may read everything. `unreliable`: broken or forbidden, so nothing may depend on it. Default: `shows`.
   */
  readonly list: "shows" | "may be empty" | "unreliable";
  /** `refuses missing`: a DELETE of a missing object answers 404. `ignores missing`: it may succeed, so success proves nothing. Default: `ignores missing`. */
  readonly delete: "refuses missing" | "ignores missing";
  /** Parameters that every List of the kind sends. Default: none. */
  readonly listParameters: Readonly<Record<string, string | number | boolean>>;
  /** Whether a refresh requests the List of the kind in advance. Default: false. */
  readonly lookAhead: boolean;
}

/** A kind, as check, diff, create, read, update and delete use it. */
export interface Kind<W extends WireObject = WireObject> {
  /** Name of its class. */
  readonly name: string;
  readonly collection: Collection<W>;
  readonly fields: Fields;
  readonly naturalKey: readonly string[];
  readonly exactlyOne: Groups<string>;
  readonly blockers: readonly Blocker[];
  /** Whether `forceDestroy` of a group deletes the objects of this kind in it. */
  readonly withGroup: boolean;
  readonly calls: Calls;
  /** The input that names the parent. */
  readonly parentInput: string;
  /** The collection of its parents. */
  readonly parents: Collection<WireObject>;
  readonly inputs: z.ZodObject;
  /** Inputs whose change replaces the object. */
  readonly immutable: readonly string[];
  /** Inputs and outputs that hold a secret. */
  readonly secrets: readonly string[];
  /** Problems of inputs that {@link inputs} does not find. */
  problems(inputs: Values): readonly Problem[];
  /** Uid of the object that contains `uid`; undefined for a root. */
  placeOf(uid: string): string | undefined;
  /** Uid of the parent of an object; undefined for a root. */
  parentIn(wire: W): string | undefined;
  /** The filters that narrow a List to one natural key, as far as the List has them. */
  lookup(inputs: Values): object;
  /** The inputs that would declare this object, without the parent. */
  read(wire: W): Record<string, unknown>;
  /** Values that the platform sets and state keeps. */
  outputs(wire: W): Record<string, unknown>;
}

/** A kind with its fields' types. */
export interface DeclaredKind<F extends Fields, Filters extends object, One extends Groups<string> = Groups<string>> extends Kind<
  Wire<F>
> {
  readonly fields: F;
  readonly exactlyOne: One;
  readonly collection: Collection<Wire<F>, Filters>;
}

/** The kind that `declaration` declares. */
export function declare<
  const F extends Fields,
  const Declared extends FilterDeclarations<F>,
  const One extends Groups<keyof F & string> = readonly [],
>(declaration: Declaration<F, Declared, One>): DeclaredKind<F, FilterValues<Declared>, One> {
  const {
    name,
    fields,
    naturalKey,
    exactlyOne = [] as Groups<string> as One,
    problems = () => [],
    blockers = [],
    withGroup = false,
    placeOf = parentOf,
  } = declaration;
  const all = Object.entries(fields);
  const calls: Calls = {
    update: "patch",
    list: "shows",
    delete: "ignores missing",
    listParameters: {},
    lookAhead: false,
    ...declaration.calls,
  };
  const [parentInput, parent] = all.find(([, { by }]) => by === "parent") ?? missingParent(name);
  const of = (which: (field: Field) => boolean) => all.filter(([, field]) => which(field)).map(([field]) => field);
  return {
    name,
    collection: collectionOf(declaration, calls) as Collection<Wire<F>, FilterValues<Declared>>,
    fields,
    naturalKey,
    exactlyOne: [...exactlyOne, ...referencePairs(fields)] as Groups<string> as One,
    problems,
    blockers,
    withGroup,
    calls,
    parentInput,
    parents: placesAt(declaration.parentAddress ?? groupAddress),
    inputs: inputSchema(fields),
    immutable: of(
      (field) => (isSent(field) || field.by === "reference") && (calls.update === "none" || field.traits.immutable === true),
    ),
    secrets: of(holdsSecret),
    placeOf,
    parentIn: (wire) => (answered(parentInput, parent, wire) as string | undefined) ?? placeOf(wire.uid),
    lookup: (inputs) =>
      present(
        Object.entries(declaration.filters).flatMap(([filter, by]) =>
          typeof by === "string" && naturalKey.includes(by) ? [[filter, inputs[by]] as const] : [],
        ),
      ),
    read: (wire) =>
      canonicalInputs(
        fields,
        present(
          all
            .filter(([, { by }]) => by !== "parent" && by !== "local" && by !== "reference")
            .map(([field, declared]) => [field, answered(field, declared, wire)]),
        ),
      ),
    outputs: (wire) => outputsOf(fields, wire),
  };
}

/** The objects at `address`, with uid and name only. */
export function placesAt(address: Address): Collection<WireObject & { name: string }> {
  return { ...address, schema: z.looseObject({ uid: objectUid, name: text }), filters: {} };
}

function missingParent(name: string): never {
  throw new Error(`${name} declares no parent.`);
}

/** True for a secret, and for a message that holds one. */
function holdsSecret({ shape, traits }: Field): boolean {
  return traits.secret === true || (shape.is === "message" && Object.values(shape.members).some(holdsSecret));
}

/** Where the secrets of `fields` are. */
export function secretPaths(fields: Fields): Path[] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    if (traits.secret) return [[name]];
    return shape.is === "message" ? secretPaths(shape.members).map((path) => [name, ...path]) : [];
  });
}

/** The value of a field in an answer. */
function answered(name: string, { traits }: Field, wire: Values): unknown {
  return traits.read ? traits.read(wire) : wire[traits.wire ?? name];
}

function outputsOf(fields: Fields, wire: Values): Record<string, unknown> {
  return present(
    Object.entries(fields)
      .filter(([, { by }]) => by === "output")
      .map(([name, field]) => {
        const value = answered(name, field, wire) ?? undefined;
        const isMessage = field.shape.is === "message" && typeof value === "object";
        return [name, isMessage ? outputsOf(field.shape.members, value as Values) : value];
      }),
  );
}

function collectionOf<F extends Fields>(declaration: Declaration<F>, { listParameters }: Calls): Collection<WireObject> {
  const { address, fields, batch, contradiction } = declaration;
  const schema = wireSchema(fields);
  const filters = Object.entries(declaration.filters).map(([name, by]) => [
    name,
    typeof by === "string" ? filterBy(name, by, fields[by] as Field) : by,
  ]);
  return {
    ...address,
    schema: (contradiction === undefined
      ? schema
      : schema.superRefine((wire, context) => {
          const message = contradiction(wire);
          if (message !== undefined) context.addIssue({ code: "custom", message });
        })) as unknown as z.ZodType<WireObject>,
    filters: Object.fromEntries(filters) as Collection<WireObject>["filters"],
    listParameters,
    ...(batch && { batch }),
  };
}

function filterBy(name: string, by: string, field: Field): Filter<WireObject, unknown> {
  return { parameter: snakeCase(name), matches: (row, value) => answered(by, field, row as unknown as Values) === value };
}

/** A name in the spelling of masks and query parameters. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
