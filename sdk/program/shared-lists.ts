import * as pulumi from "@pulumi/pulumi";
import type { PlatformClient } from "../../provider/client/client";
import type { Collection, WireObject } from "../../provider/client/collection";
import type { ListScope } from "../../provider/client/list";
import type { Reader } from "../../provider/sources/source";

/** Lists in progress or cached, by stack, client and query. A process may run several programs, each with its own stack. */
const runs = new WeakMap<pulumi.Resource, WeakMap<PlatformClient, Map<string, Promise<WireObject[]>>>>();

/** Reads with `client`; identical concurrent reads of several data sources are sent once. */
export function sharedReader(client: PlatformClient): Reader {
  return {
    get: (collection, uid, options) => client.get(collection, uid, options),
    list: (collection, query) => sharedList(client, collection, query),
    listUpTo: (collection, query, most, options) => client.listUpTo(collection, query, most, options),
    lookUpIdentity: (issuer, subject) => client.lookUpIdentity(issuer, subject),
  };
}

/**
 * Every row of a List, requested once for all data sources with the same query. A preview keeps the answer for the whole run. An update
 * drops it on the next tick, because the program may have created objects by then.
 *
 * @throws PlatformError see `PlatformClient.list`
 */
async function sharedList<Wire extends WireObject, Values extends object>(
  client: PlatformClient,
  collection: Collection<Wire, Values>,
  query: ListScope & Values,
): Promise<Wire[]> {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return client.list(collection, query);
  const clients = runs.get(stack) ?? new WeakMap<PlatformClient, Map<string, Promise<WireObject[]>>>();
  runs.set(stack, clients);
  const lists = clients.get(client) ?? new Map<string, Promise<WireObject[]>>();
  clients.set(client, lists);
  const question = JSON.stringify([collection.area, collection.segment, collection.listParameters, query]);
  const asked = lists.get(question) ?? client.list(collection, query);
  lists.set(question, asked);
  const forget = () => lists.delete(question);
  asked.catch(forget);
  if (!pulumi.runtime.isDryRun()) setImmediate(forget);
  // Callers may modify their rows.
  return structuredClone(await asked) as Wire[];
}
