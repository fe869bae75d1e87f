import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Collection, WireObject } from "../../provider/client/collection";
import type { Scope } from "../../provider/client/list";
import { type Exclusions, scope } from "./arguments";
import { sharedList } from "./shared-lists";
import type { Source } from "./source";

/** Filters of every List, combined by AND. Without a filter it returns everything that these credentials can see. */
export type ListArgs = { [Name in keyof Scope]: Scope[Name] | undefined };

/**
 * A data source for many objects. It reads every page, in previews too, and stores nothing in state.
 *
 * @param args filters, order and page size
 * @param opts `provider` (or that of `parent`) selects another platform or identity; the other options have no effect
 * @throws pulumi.RunError for an invalid argument, and when the platform rejects the request
 */
export type ListFunction<Args, Result> = (args?: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;

/** A filter's rule for each of a collection's own filters. */
type FilterRules<Values> = { [Name in keyof Values]-?: z.ZodType<NonNullable<Values[Name]>> };

/**
 * Every object of a collection that the filters select.
 *
 * @param call name of the data source, for messages
 * @param filters rules of the collection's own filters
 * @param result puts the rows, in the order of the platform, under the wire's key
 */
export function sourceOfAll<Wire extends WireObject, Values extends object, Result>(
  call: string,
  collection: Collection<Wire, Values>,
  filters: FilterRules<Values>,
  result: (rows: Wire[]) => Result,
  excludes: Exclusions = {},
): Source<Result> {
  const taken = z.strictObject({ ...scope, ...filters }).partial();
  const rules = () => taken.shape;
  return {
    call,
    area: collection.area,
    rules,
    excludes,
    async read(asked, client) {
      // A shape assembled at run time has lost the types that the rules carry.
      return result(await sharedList(client, collection, taken.parse(asked) as Scope & Values));
    },
  };
}
