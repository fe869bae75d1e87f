import type { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { parentOf } from "../client/uid";
import { answered, outputsOf, resultOf } from "./answers";
import { type Field, type Fields, isSent } from "./field";
import { present, type Values } from "./values";
import type { Groups } from "./choices";
import {
  type Address,
  type Calls,
  type Declaration,
  groupAddress,
  type Key,
  placesAt,
  type ReadableDeclaration,
  type Wire,
} from "./declaration";
import { type FilterDeclarations, filtersOf, type FilterValues, shapesOf } from "./filters";
import { asShown, holdsSecret } from "./hidden-values";
import { importFormOf } from "./import-id";
import { declaredInputs, type Kind, type ReadableKind, type ResourceKind } from "./kind";
import { referencePairs } from "./references";
import { inputSchema, wireSchema } from "./schemas";

/** A kind with its fields' types, for data sources. */
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
  /** The values of its filters; it exists for the compiler only. */
  readonly filterValues?: Filters;
}

/** A type of resources without an object on the platform, with its fields' types. */
export interface DeclaredValue<F extends Fields> extends ResourceKind {
  readonly fields: F;
  readonly exactlyOne: readonly [];
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
  /** The values of its filters; it exists for the compiler only. */
  readonly filterValues?: Filters;
}

/** The read-only kind of `declaration`. */
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

/** A type of resources without objects on the platform, which consist of their values. */
export function declareValue<const F extends Fields>(
  declaration: Pick<ReadableDeclaration<F>, "name" | "fields"> & { readonly address: Pick<Address, "noun" | "area"> },
): DeclaredValue<F> {
  const { name, address, fields } = declaration;
  return {
    name,
    collection: address,
    fields,
    exactlyOne: [],
    inputs: inputSchema(fields),
    immutable: namesOf(fields, ({ traits }) => traits.immutable === true),
    secrets: namesOf(fields, holdsSecret),
  };
}

function namesOf(fields: Fields, which: (field: Field) => boolean): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (which(field) ? [name] : []));
}

/** The kind of `declaration`. */
export function declare<
  const F extends Fields,
  const Declared extends FilterDeclarations<F>,
  const One extends Groups<keyof F & string> = readonly [],
  const K extends Key<F> = Key<F>,
  S extends string = string,
>(declaration: Declaration<F, Declared, One, K, S>): DeclaredKind<F, FilterValues<Declared>, One, K, S> {
  const {
    name,
    fields,
    importId,
    sharesUid = false,
    exactlyOne = [] as Groups<string> as One,
    problems = () => [],
    access,
    rank = Infinity,
    blocks = {},
    obstacleHint,
    withGroup = false,
    isKept = () => false,
    settled = () => undefined,
    placeOf = sharesUid ? (uid: string) => uid : parentOf,
    parentAddress = groupAddress,
  } = declaration;
  const depth = (sharesUid ? 0 : 1) + (parentAddress.segment === groupAddress.segment ? 0 : 1);
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
  const returned = all.filter(([, { by }]) => by !== "parent" && by !== "local" && by !== "reference");
  return {
    ...declareReadable<F, Declared, K, S>(declaration),
    collection: { ...collectionOf(declaration, calls), depth } as Collection<Wire<F>, FilterValues<Declared>>,
    naturalKey: naturalKey as readonly string[] as K,
    importForm: importFormOf({ importId, sharesUid, naturalKey, parentInput }),
    sharesUid,
    exactlyOne: [...exactlyOne, ...referencePairs(fields)] as Groups<string> as One,
    problems,
    isKept,
    settled,
    access,
    rank,
    blocks,
    obstacleHint,
    withGroup,
    calls,
    parentInput,
    keyInputs: [...new Set([parentInput, ...naturalKey])],
    parents: placesAt(parentAddress),
    inputs: inputSchema(fields),
    immutable: namesOf(
      fields,
      (field) => (isSent(field) || field.by === "reference") && (calls.update === "none" || field.traits.immutable === true),
    ),
    secrets: namesOf(fields, holdsSecret),
    shownOnce: namesOf(fields, ({ traits }) => traits.once === true),
    placeOf,
    observe(wire) {
      const values = returned.map(([field, declared]): [string, unknown] => [field, answered(field, declared, wire)]);
      const shown = { ...Object.fromEntries(values), [parentInput]: answered(parentInput, parent, wire) ?? placeOf(wire.uid) };
      return {
        uid: wire.uid,
        inputs: declaredInputs({ fields }, asShown(fields, shown)),
        outputs: outputsOf(fields, wire),
      };
    },
  };
}

function missingParent(name: string): never {
  throw new Error(`${name} declares no parent.`);
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
