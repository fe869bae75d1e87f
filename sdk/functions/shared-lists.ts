import * as pulumi from "@pulumi/pulumi";
import type { Collection, WireObject } from "../../provider/client/collection";
import type { Scope } from "../../provider/client/list";
import { platformClient } from "../platform-client";

/** The Lists of one run of a program, which its stack stands for: a process may run several programs, one after the other. */
const runs = new WeakMap<pulumi.Resource, Map<string, Promise<WireObject[]>>>();

/**
 * Every row of a List, asked once for all data sources that ask the same at the same time. A preview changes nothing, so there the
 * same time is the whole run; in an update it ends before anything that was waited for can have been made.
 *
 * @throws PlatformError see `PlatformClient.list`
 */
export async function sharedList<Wire extends WireObject, Values extends object>(
  collection: Collection<Wire, Values>,
  query: Scope & Values,
): Promise<Wire[]> {
  const client = platformClient();
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return client.list(collection, query);
  const lists = runs.get(stack) ?? new Map<string, Promise<WireObject[]>>();
  runs.set(stack, lists);
  const question = JSON.stringify([collection.segment, query]);
  const asked = lists.get(question) ?? client.list(collection, query);
  lists.set(question, asked);
  const forget = () => lists.delete(question);
  asked.catch(forget);
  if (!pulumi.runtime.isDryRun()) setImmediate(forget);
  // Each caller may do with its rows what it likes.
  return structuredClone(await asked) as Wire[];
}
