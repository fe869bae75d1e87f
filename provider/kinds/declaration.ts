import { z } from "zod";
import { type Collection, objectUid, text, type WireObject } from "../client/collection";
import { parentOf } from "../client/uid";
import { answered, outputsOf, resultOf } from "./answers";
import { canonicalInputs, isSent, type Path, present, type Values } from "./canonical";
import type { Groups } from "./choices";
import type { Field, Fields, ResultOf, Shape } from "./fields";
import { type FilterDeclarations, filtersOf, type FilterValues, shapesOf } from "./filters";
import { referencePairs } from "./references";
import { inputSchema, wireSchema } from "./schemas";

/** Where the objects of a kind are in the API. */
export interface Address<Segment extends string = string> {
  /** Singular noun for messages: `role binding`. */
  readonly noun: string;
  readonly area: Collection<WireObject>["area"];
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: Segment;
  /** The stem of its capabilities, which errors about missing capabilities name: `IAM_GROUPS`. */
  readonly capabilities?: string;
}

/** Where groups are in the API. */
export const groupAddress: Address<"groups"> = { noun: "group", area: "iam", segment: "groups", capabilities: "IAM_GROUPS" };

/** Objects that block the deletion of another one. */
export interface Blocker {
  readonly collection: Collection<WireObject>;
  /** Narrows a List of them to those that block `uid`. */
  readonly query: (uid: string) => object;
  /** What else the error about them says, as a sentence. Default: nothing. */
  readonly hint?: string;
}

/** An object as the platform returns it: its uid and every field that it returns. */
export type Wire<F extends Fields> = WireObject & ResultOf<F>;

/** The natural key of a kind: names of fields. */
type Key<F extends Fields> = readonly (keyof F & string)[];

/** A kind of object that programs can read, declared once. */
export interface ReadableDeclaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  K extends Key<F> = Key<F>,
  S extends string = string,
  Most extends Groups<keyof Declared & string> = Groups<keyof Declared & string>,
> {
  /** Name of its class, and last part of its type and of its data source: `RoleBinding`. */
  readonly name: string;
  readonly address: Address<S>;
  readonly fields: F;
  /** Inputs that identify an object within its parent. Empty: it has no natural key. */
  readonly naturalKey: K;
  /** Filters of its List, besides those of every List. */
  readonly filters: Declared;
  /** Groups of filters of which at most one may be set. The platform would ignore the others. Default: none. */
  readonly atMostOneFilter?: Most;
  /** The filters that narrow a List to one natural key. Default: the filters that compare a field of it. */
  readonly lookup?: (key: Values) => object;
  /** Of several objects with the same natural key, those that a data source prefers. Default: none. */
  readonly isPreferred?: (uid: string) => boolean;
}

/** A kind of object, declared once. Everything else is derived from it (docs/architecture.md#a-kind-is-declared-once). */
export interface Declaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  One extends Groups<keyof F & string> = Groups<keyof F & string>,
  K extends Key<F> = Key<F>,
  S extends string = string,
> extends ReadableDeclaration<F, Declared, K, S, readonly []> {
  /** Where its parents are in the API. Default: groups. */
  readonly parentAddress?: Address;
  /** The object has the uid of its parent, which has at most one: the parent is its natural key and its place. Default: false. */
  readonly sharesUid?: true;
  /** Groups of inputs of which exactly one must be set. Default: none. */
  readonly exactlyOne?: One;
  /**
   * Problems of inputs that no field's rule finds. An unknown value is `unknownValue`. Default: nothing
   *
   * @param olds the inputs in state; empty for a new object
   */
  readonly problems?: (inputs: Values, olds: Values) => readonly Problem[];
  readonly blockers?: readonly Blocker[];
  /** Whether `forceDestroy` of a group deletes the objects of this kind in it; otherwise it stops at them. Default: false. */
  readonly withGroup?: boolean;
  /** The uid of the group that decides who may read an object. Default: all but the last segment of its uid; all of it if {@link sharesUid}. */
  readonly placeOf?: (uid: string) => string | undefined;
  /** The calls that the platform offers. Default: see {@link Calls}. */
  readonly calls?: Partial<Calls>;
  readonly batch?: { readonly limit: number; readonly member: string };
  /** Whether the object stays on the platform when its resource is deleted, by its state. Default: never. */
  readonly isKept?: (state: Values) => boolean;
  /**
   * Why a missing object has served its purpose, by its state, so that it is not a difference and is not created again. `spent`:
   * probably; it may also have been deleted by hand. Default: undefined, a missing object was deleted.
   *
   * @param now the platform's time, in milliseconds since 1970
   */
  readonly settled?: (state: Values, now: number) => "expired" | "spent" | undefined;
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
   * credentials that may read everything. `unreliable`: the same, and it may be broken, so its failure stops nothing, and reads
   * never use it. Default: `shows`.
   */
  readonly list: "shows" | "may be empty" | "unreliable";
  /**
   * `refuses missing`: a DELETE of a missing object returns 404, so success is trusted: for kinds that give no one access. `ignores
   * missing`: success may have deleted nothing, so it must be proven. Default: `ignores missing`.
   */
  readonly delete: "refuses missing" | "ignores missing";
  /** Parameters that every List of the kind sends. Default: none. */
  readonly listParameters: Readonly<Record<string, string | number | boolean>>;
  /** Whether a refresh requests the List of the kind in advance. Default: false. */
  readonly lookAhead: boolean;
}

/** A kind, as data sources use it. */
export interface ReadableKind<W extends WireObject = WireObject> {
  /** Name of its class. */
  readonly name: string;
  readonly collection: Collection<W>;
  readonly fields: Fields;
  readonly naturalKey: readonly string[];
  /** Plural segment of the path, and key of the List envelope. */
  readonly segment: string;
  /** The input that names the parent; undefined for a kind that programs can only read. */
  readonly parentInput: string | undefined;
  /** What each filter of its List takes. */
  readonly filters: Readonly<Record<string, Shape>>;
  readonly atMostOneFilter: Groups<string>;
  isPreferred(uid: string): boolean;
  /** The filters that narrow a List to one natural key, as far as the List has them. */
  lookup(inputs: Values): object;
  /** The object as data sources return it. */
  result(wire: W): object;
}

/** A kind, as check, diff, create, read, update and delete use it. */
export interface Kind<W extends WireObject = WireObject> extends ReadableKind<W> {
  /** True if objects have the uid of their parent. */
  readonly sharesUid: boolean;
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
  /** Problems of inputs that {@link inputs} does not find. @param olds the inputs in state; empty for a new object */
  problems(inputs: Values, olds: Values): readonly Problem[];
  /** See {@link Declaration.isKept}. */
  isKept(state: Values): boolean;
  /** See {@link Declaration.settled}. */
  settled(state: Values, now: number): "expired" | "spent" | undefined;
  /** Uid of the group that decides who may read `uid`; undefined for a root. */
  placeOf(uid: string): string | undefined;
  /** Uid of the parent of an object; undefined for a root. */
  parentIn(wire: W): string | undefined;
  /** The inputs that would declare this object, without the parent. */
  read(wire: W): Record<string, unknown>;
  /** Values that the platform sets and state keeps. */
  outputs(wire: W): Record<string, unknown>;
}

/** A kind with its fields' types, as data sources use it. */
export interface DeclaredReadable<
  F extends Fields,
  Filters extends object,
  K extends Key<F> = Key<F>,
  S extends string = string,
  Most extends Groups<string> = Groups<string>,
> extends ReadableKind<Wire<F>> {
  readonly fields: F;
  readonly naturalKey: K;
  readonly segment: S;
  readonly atMostOneFilter: Most;
  readonly collection: Collection<Wire<F>, Filters>;
  /** What its filters take; it exists for the compiler only. */
  readonly filterValues?: Filters;
}

/** A kind with its fields' types. */
export interface DeclaredKind<
  F extends Fields,
  Filters extends object,
  One extends Groups<string> = Groups<string>,
  K extends Key<F> = Key<F>,
  S extends string = string,
> extends Kind<Wire<F>> {
  readonly fields: F;
  readonly exactlyOne: One;
  readonly naturalKey: K;
  readonly segment: S;
  readonly atMostOneFilter: readonly [];
  readonly collection: Collection<Wire<F>, Filters>;
  /** What its filters take; it exists for the compiler only. */
  readonly filterValues?: Filters;
}

/** The kind that `declaration` declares, which programs can only read. */
export function declareReadable<
  const F extends Fields,
  const Declared extends FilterDeclarations<F>,
  const K extends Key<F> = Key<F>,
  S extends string = string,
  const Most extends Groups<keyof Declared & string> = readonly [],
>(declaration: ReadableDeclaration<F, Declared, K, S, Most>): DeclaredReadable<F, FilterValues<Declared>, K, S, Most> {
  const { name, fields, naturalKey, atMostOneFilter = [] as Groups<string> as Most, isPreferred = () => false } = declaration;
  const compared = Object.entries(declaration.filters).flatMap(([filter, by]): [string, string][] =>
    typeof by === "string" && naturalKey.includes(by) ? [[filter, by]] : [],
  );
  const { lookup = (key: Values) => present(compared.map(([filter, by]) => [filter, key[by]])) } = declaration;
  return {
    name,
    collection: collectionOf(declaration) as Collection<Wire<F>, FilterValues<Declared>>,
    fields,
    naturalKey,
    segment: declaration.address.segment,
    parentInput: undefined,
    filters: shapesOf(fields, declaration.filters),
    atMostOneFilter,
    isPreferred,
    lookup,
    result: (wire) => resultOf(fields, wire),
  };
}

/** The kind that `declaration` declares. */
export function declare<
  const F extends Fields,
  const Declared extends FilterDeclarations<F>,
  const One extends Groups<keyof F & string> = readonly [],
  const K extends Key<F> = Key<F>,
  S extends string = string,
>(declaration: Declaration<F, Declared, One, K, S>): DeclaredKind<F, FilterValues<Declared>, One, K, S> {
  const { name, fields, sharesUid = false, exactlyOne = [] as Groups<string> as One } = declaration;
  const { problems = () => [], blockers = [], withGroup = false, isKept = () => false, settled = () => undefined } = declaration;
  const { placeOf = sharesUid ? (uid: string) => uid : parentOf } = declaration;
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
  const naturalKey = sharesUid ? [parentInput] : declaration.naturalKey;
  const of = (which: (field: Field) => boolean) => all.filter(([, field]) => which(field)).map(([field]) => field);
  return {
    ...declareReadable<F, Declared, K, S>(declaration),
    collection: collectionOf(declaration, calls) as Collection<Wire<F>, FilterValues<Declared>>,
    naturalKey: naturalKey as unknown as K,
    sharesUid,
    exactlyOne: [...exactlyOne, ...referencePairs(fields)] as Groups<string> as One,
    problems,
    isKept,
    settled,
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

/** Where `inputs` have values that no answer shows and a body sends. */
export function unseenPaths(fields: Fields, inputs: Values): Path[] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    const value = inputs[name];
    if (value === undefined || value === null) return [];
    if (traits.writeOnly) return [[name]];
    if (shape.is !== "message" || typeof value !== "object") return [];
    return unseenPaths(shape.members, value as Values).map((path) => [name, ...path]);
  });
}

function collectionOf(
  { address, fields, filters, batch, contradiction }: ReadableDeclaration & Pick<Declaration, "batch" | "contradiction">,
  { listParameters }: Pick<Calls, "listParameters"> = { listParameters: {} },
): Collection<WireObject> {
  const schema = wireSchema(fields);
  return {
    ...address,
    schema: (contradiction === undefined
      ? schema
      : schema.superRefine((wire, context) => {
          const message = contradiction(wire);
          if (message !== undefined) context.addIssue({ code: "custom", message });
        })) as unknown as z.ZodType<WireObject>,
    filters: filtersOf(fields, filters),
    listParameters,
    ...(batch && { batch }),
  };
}
