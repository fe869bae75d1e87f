import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Collection, WireObject } from "../../provider/client/collection";
import type { Scope } from "../../provider/client/list";
import { type Exclusions, given, problemsOf, refuse, scope } from "./arguments";
import { sharedList } from "./shared-lists";
import type { Source } from "./source";

/**
 * What every list can be asked. All filters that are given must hold; none means everything that these credentials see.
 */
export type ListArgs = { [Name in keyof Scope]: Scope[Name] | undefined };

/**
 * A data source of many objects. It reads every page, in previews too, and nothing of it is in the state.
 *
 * @param args filters, order and page size
 * @param opts taken for likeness with Pulumi's own functions; credentials always come from the configuration
 * @throws pulumi.RunError when an argument is wrong or the platform refuses
 */
export type ListFunction<Args, Result> = (args?: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;

/** A filter's rule for each of a collection's own filters. */
type FilterRules<Values> = { [Name in keyof Values]-?: z.ZodType<NonNullable<Values[Name]>> };

/**
 * Every object of a collection that the filters select.
 *
 * @param call name of the data source, for messages
 * @param filters what the filters may be that this collection has besides those of every List
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
    rules,
    excludes,
    async read(args) {
      const asked = given(args);
      refuse(problemsOf(rules(), asked, excludes));
      // The rules of the filters carry their types, which a shape put together at run time has lost.
      return result(await sharedList(collection, taken.parse(asked) as Scope & Values));
    },
  };
}
