import * as pulumi from "@pulumi/pulumi";
import type { Collection, WireObject } from "../../provider/client/collection";
import type { Scope } from "../../provider/client/list";
import { kinds } from "../../provider/resources/kinds";
import { platformClient } from "../platform-client";
import { hasDeclared } from "../resource";

/** The Lists of one run of a program, which its stack stands for: a process may run several programs, one after the other. */
const runs = new WeakMap<pulumi.Resource, Map<string, Promise<WireObject[]>>>();

/**
 * Every row of a List, asked once for all data sources of a run that ask the same. Only what the run itself may be changing is
 * asked anew each time.
 *
 * @throws PlatformError see `PlatformClient.list`
 */
export async function sharedList<Wire extends WireObject, Values extends object>(
  collection: Collection<Wire, Values>,
  query: Scope & Values,
): Promise<Wire[]> {
  const client = platformClient();
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || mayBeChanging(collection, stack)) return client.list(collection, query);
  const lists = runs.get(stack) ?? new Map<string, Promise<WireObject[]>>();
  runs.set(stack, lists);
  const question = JSON.stringify([collection.segment, query]);
  const asked = lists.get(question) ?? client.list(collection, query);
  lists.set(question, asked);
  asked.catch(() => lists.delete(question));
  // Each caller may do with its rows what it likes.
  return structuredClone(await asked) as Wire[];
}

/** True for objects of the kinds that programs declare, once this one has begun to. */
function mayBeChanging({ segment }: { segment: string }, stack: pulumi.Resource): boolean {
  const isDeclared = Object.values(kinds).some((kind) => kind.collection.segment === segment);
  return isDeclared && hasDeclared(stack) && !pulumi.runtime.isDryRun();
}
