import type * as pulumi from "@pulumi/pulumi";
import type { ListScope } from "../../provider/client/list";
import type { Choose } from "../../provider/schema/choices";
import { readableKinds, type ReadableKinds } from "../../provider/kinds/kinds";
import type { ReadableKind } from "../../provider/schema/kind";
import type { Field, Fields, ResultOf } from "../../provider/schema/field";
import type { ClientSource, Source } from "../../provider/sources/source";
import { sourceOfAll } from "../../provider/sources/source-of-all";
import { sourceOfOne } from "../../provider/sources/source-of-one";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { sharedReader } from "../program/shared-lists";
import { plainForm } from "./source";

export { type GetOutputFunction, type ListOutputFunction, outputForm, plainForm };

/** An object by its uid. */
export interface ByUid {
  /** Uid of the object. */
  uid: string;
}

/** An object by its name; names are unique only within a parent. */
export interface ByName {
  /** Name of the object, exactly. */
  name: string;
  /** Uid of its parent group. Default: any visible group. */
  parentUid?: string | undefined;
  /** Path of its parent group, instead of `parentUid`: names from the root organisation down, such as `acme/engineering`. */
  parentPath?: string | undefined;
}

/** The members of `One` or those of `Other`, never both. Written out, so that the compiler's messages show the members. */
export type Either<One, Other> = [
  (One & { [Name in keyof Other]?: undefined }) | (Other & { [Name in keyof One]?: undefined }),
] extends [infer All]
  ? { [Name in keyof All]: All[Name] }
  : never;

/** Filters of every List, combined by AND. Without a filter it returns everything that these credentials can see. */
export type ListArgs = { [Name in keyof ListScope]: ListScope[Name] | undefined };

/**
 * A data source for one object. It reads in previews too, and stores nothing in state.
 *
 * @param args which object
 * @param opts `provider` (or that of `parent`) selects another platform or identity; the other options have no effect
 * @throws pulumi.RunError for an invalid argument, for no match, and for several matches
 */
export type GetFunction<Args, Result> = (args: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;

/**
 * A data source for many objects. It reads every page, in previews too, and stores nothing in state.
 *
 * @param args filters, order and page size
 * @param opts `provider` (or that of `parent`) selects another platform or identity; the other options have no effect
 * @throws pulumi.RunError for an invalid argument, and when the platform rejects the request
 */
export type ListFunction<Args, Result> = (args?: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;

/** Names of the fields that name the parent. */
type ParentOf<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<unknown, "parent"> ? Name : never }[keyof F];

type ValuesOf<F extends Fields> = { -readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never };

/** The arguments for the parent group, of which a program gives one. */
type ParentArgs = readonly ["parentUid", "parentPath"];

/** The arguments that identify an object without its uid (see `keyRules` of provider/sources). */
type KeyArgs<F extends Fields, Key extends readonly (keyof F)[]> = Key extends readonly ["name"]
  ? "parentUid" extends ParentOf<F>
    ? ByName // without a choice of the parent, so that the compiler's messages show both ways to name an object
    : Pick<ByName, "name"> & Pick<ValuesOf<F>, ParentOf<F>>
  : "parentPath" extends keyof F
    ? Choose<Pick<ValuesOf<F>, Key[number] | ParentOf<F> | "parentPath">, readonly [ParentArgs]>
    : Pick<ValuesOf<F>, Key[number] | ParentOf<F>>;

type GetArgs<F extends Fields, KeyFields> = KeyFields extends readonly [keyof F, ...(keyof F)[]]
  ? Either<ByUid, KeyArgs<F, KeyFields>>
  : ByUid;

type FilterArgs<K> = K extends { readonly filterValues?: infer Filters extends object } ? Filters : never;

/** The key of a kind that data sources read. */
type Key = keyof ReadableKinds;

type FieldsOf<Name extends Key> = ReadableKinds[Name]["fields"];

/** The arguments of the data source for one object of a kind. */
export type GetArgsOf<Name extends Key> = GetArgs<FieldsOf<Name>, ReadableKinds[Name]["naturalKey"]>;

/** The arguments of the data source for all objects of a kind. */
export type ListArgsOf<Name extends Key> = ListArgs &
  Choose<FilterArgs<ReadableKinds[Name]>, readonly [], ReadableKinds[Name]["atMostOneFilter"]>;

/** An object of a kind, as data sources return it. */
export type GetResultOf<Name extends Key> = Readonly<ByUid> & ResultOf<FieldsOf<Name>>;

/** The result of the data source for all objects of a kind, with the objects under the wire's key. */
export type ListResultOf<Name extends Key> = { readonly [Segment in ReadableKinds[Name]["segment"]]: GetResultOf<Name>[] };

/** Both data sources of a kind, each in both forms. */
interface DataSources<Name extends Key> {
  readonly one: GetFunction<GetArgsOf<Name>, GetResultOf<Name>>;
  readonly oneOutput: GetOutputFunction<GetArgsOf<Name>, GetResultOf<Name>>;
  readonly all: ListFunction<ListArgsOf<Name>, ListResultOf<Name>>;
  readonly allOutput: ListOutputFunction<ListArgsOf<Name>, ListResultOf<Name>>;
}

/** `source` for programs, whose identical concurrent calls are sent once. */
function ofProgram<Result>(source: Source<Result>): ClientSource<Result> {
  return { ...source, read: (asked, client, configuration) => source.read(asked, sharedReader(client), configuration) };
}

/** The data sources of a kind, for one object and for all. */
export function dataSources<Name extends Key>(key: Name): DataSources<Name> {
  const kind: ReadableKind = readableKinds[key];
  const [one, all] = [ofProgram(sourceOfOne(kind)), ofProgram(sourceOfAll(kind))];
  const forms: Record<keyof DataSources<Name>, unknown> = {
    one: plainForm(one),
    oneOutput: outputForm(one),
    all: plainForm(all),
    allOutput: outputForm(all),
  };
  // Arguments and results have the types of the declaration, which the sources' own types lack.
  return forms as unknown as DataSources<Name>;
}
