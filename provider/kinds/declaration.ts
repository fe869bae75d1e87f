import { z } from "zod";
import { type Collection, type Filter, objectUid, text, type WireObject } from "../client/collection";
import { parentOf } from "../client/uid";
import { canonicalInputs, isInput, type Path, present, type Values } from "./canonical";
import type { Groups } from "./choices";
import type { Field, Fields, ResultOf } from "./fields";
import { inputSchema, wireSchema } from "./schemas";

/** Where the objects of a kind are in the API. */
export interface Address {
  /** Singular noun, for people: `role binding`. */
  readonly noun: string;
  readonly area: Collection<WireObject>["area"];
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: string;
  /** What the capabilities for its calls are named after: `IAM_GROUPS`. Errors of missing capabilities name them. */
  readonly capabilities?: string;
}

/** Where groups are in the API. */
export const groupAddress: Address = { noun: "group", area: "iam", segment: "groups", capabilities: "IAM_GROUPS" };

/** Objects that keep another one from being deleted. */
export interface Blocker {
  readonly collection: Collection<WireObject>;
  /** Narrows a List of them to those that block `uid`. */
  readonly query: (uid: string) => object;
}

/** An object as the platform answers it: its uid and every field that is answered. */
export type Wire<F extends Fields> = WireObject & ResultOf<F>;

/** Filters of a List by the name that programs use: the field that a filter compares, or the filter itself. */
type FilterDeclarations<F extends Fields> = Readonly<Record<string, (keyof F & string) | Filter<never, never>>>;

/** The values of filters. */
type FilterValues<Declared> = {
  [Name in keyof Declared]?: Declared[Name] extends Filter<never, infer Value> ? Value : string;
};

/** A kind of object, declared once. Everything else about it follows (docs/architecture.md#a-kind-is-declared-once). */
export interface Declaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  One extends Groups<keyof F & string> = Groups<keyof F & string>,
> {
  /** Name of its class, and last part of its type: `RoleBinding`. */
  readonly name: string;
  readonly address: Address;
  /** Where the parents of its objects are. Default: groups. */
  readonly parentAddress?: Address;
  readonly fields: F;
  /** Inputs that identify an object among those with one parent. Empty: nothing does. */
  readonly naturalKey: readonly (keyof F & string)[];
  /** The filters that its List has besides those of every List. */
  readonly filters: Declared;
  /** Groups of inputs of which exactly one is given. Default: none. */
  readonly exactlyOne?: One;
  /** What is wrong with inputs besides what each field's rule says. A value that is not known yet is `unknownValue`. Default: nothing */
  readonly problems?: (inputs: Values) => readonly Problem[];
  readonly blockers?: readonly Blocker[];
  /** Default: all but the last segment of the uid. */
  readonly placeOf?: (uid: string) => string | undefined;
  /** What the platform offers for it. Default: see {@link Calls}. */
  readonly calls?: Partial<Calls>;
  readonly batch?: { readonly limit: number; readonly member: string };
  /** Why an answer contradicts itself; undefined where it does not. */
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
  /** `patch`: a PATCH with a mask. `post`: the create overwrites. `none`: every change means a new object. Default: `patch`. */
  readonly update: "patch" | "post" | "none";
  /**
   * `shows`: shows every object that these credentials may read. `may be empty`: so, but an empty one is nothing unusual, also for
   * credentials that may read all. `unreliable`: broken or forbidden, so nothing may depend on it. Default: `shows`.
   */
  readonly list: "shows" | "may be empty" | "unreliable";
  /** `refuses missing`: a DELETE of a missing object answers "not found". `ignores missing`: it may succeed, so a success proves nothing. Default: `ignores missing`. */
  readonly delete: "refuses missing" | "ignores missing";
  /** Parameters that every List of the kind sends. Default: none. */
  readonly listParameters: Readonly<Record<string, string | number | boolean>>;
  /** Whether a refresh asks for the List of the kind before it needs it. Default: false. */
  readonly lookAhead: boolean;
}

/** A kind, as the life of its objects uses it. */
export interface Kind<W extends WireObject = WireObject> {
  /** Name of its class. */
  readonly name: string;
  readonly collection: Collection<W>;
  readonly fields: Fields;
  readonly naturalKey: readonly string[];
  readonly exactlyOne: Groups<string>;
  readonly blockers: readonly Blocker[];
  readonly calls: Calls;
  /** The input that names the parent. */
  readonly parentInput: string;
  /** The objects that can be a parent. */
  readonly parents: Collection<WireObject>;
  readonly inputs: z.ZodObject;
  /** Inputs of which another value means a new object. */
  readonly immutable: readonly string[];
  /** Inputs and outputs that hold a secret. */
  readonly secrets: readonly string[];
  /** What is wrong with inputs besides what {@link inputs} says. */
  problems(inputs: Values): readonly Problem[];
  /** Uid of the object in which `uid` is; undefined for a root. */
  placeOf(uid: string): string | undefined;
  /** Uid of the parent of an object; undefined for a root. */
  parentIn(wire: W): string | undefined;
  /** Narrows a List to one natural key, as far as the List has filters for it. */
  lookup(inputs: Values): object;
  /** The inputs, without the parent, that would declare this object. */
  read(wire: W): Record<string, unknown>;
  /** What the platform sets and state keeps. */
  outputs(wire: W): Record<string, unknown>;
}

/** A kind with the types of its fields. */
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
    exactlyOne,
    problems,
    blockers,
    calls,
    parentInput,
    parents: placesAt(declaration.parentAddress ?? groupAddress),
    inputs: inputSchema(fields),
    immutable: of((field) => isInput(field) && (calls.update === "none" || field.traits.immutable === true)),
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
        present(all.filter(([, { by }]) => by !== "parent").map(([field, declared]) => [field, answered(field, declared, wire)])),
      ),
    outputs: (wire) => outputsOf(fields, wire),
  };
}

/** The objects at `address`, of which only uid and name are read. */
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
