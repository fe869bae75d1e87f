import { ancestorsOf, pathOf } from "../access/places";
import type { PlatformClient } from "../provider/client/client";
import type { WireObject } from "../provider/client/collection";
import { messageOf, PlatformError, withContext } from "../provider/client/errors";
import type { Scope } from "../provider/client/list";
import { list } from "../provider/client/printable";
import { type Kind, observedInputs } from "../provider/kinds/kind";
import { groupOf, kindNamed, listedKinds, kindNames } from "./kinds";
import { ObjectIndex, type PlatformObject, type UnreadablePart } from "./objects";
import { type Reference, referencesInRow } from "./references";
import { ownRights, Sight } from "./sight";

/** What reading needs of a client. */
export type Reader = Pick<PlatformClient, "caller" | "list" | "requests">;

/** Everything in one part of an organisation, as the platform shows it. */
export interface PlatformInventory {
  /** Uid of the group at the top. */
  readonly root: string;
  /** That group, and everything below it. */
  readonly objects: ObjectIndex<PlatformObject>;
  /** What is elsewhere and concerns them: the groups above, the roles granted there, and whatever bindings name. */
  readonly around: ObjectIndex<PlatformObject>;
  /** What may be missing. Empty: nothing is. An entry without `kind` is about {@link around} only. */
  readonly unreadable: readonly UnreadablePart[];
  /** Requests that reading took. */
  readonly requests: number;
  /** True if a List would have shown the object: if it is missing, it does not exist. */
  shows(kind: string, uid: string): boolean;
}

/**
 * Reads the group `root` and everything below it, of every kind: by Lists, all at once. A List that fails, or that may hide objects,
 * stops nothing and is in `unreadable`.
 *
 * @param named what else is to be in `around`, such as what states refer to. Default: nothing
 * @throws PlatformError if the root itself cannot be read
 */
export async function readInventory(client: Reader, root: string, named: readonly Reference[] = []): Promise<PlatformInventory> {
  const first = client.requests;
  const lists = new Lists(client);
  const [lineage, before] = await Promise.all([rootAndAbove(client, root), ownRights(client)]);
  const above = ancestorsOf(root);
  const [below, inherited] = await Promise.all([rowsBelow(lists, root), rowsAbove(lists, above)]);
  below.add(
    kindNames.group,
    lineage.filter(({ uid }) => uid === root),
  );
  inherited.add(
    kindNames.group,
    lineage.filter(({ uid }) => uid !== root),
  );
  const [sight] = await Promise.all([
    Sight.after(client, root, before, below.with(inherited).entries()),
    addNamed(lists, below, inherited, named),
  ]);
  const nameOf = namesIn(below.with(inherited));
  const path = (uid: string) => pathOf(uid, nameOf) ?? uid;
  const doubts = [...listedKinds].flatMap(([kind, declaration]): UnreadablePart[] => {
    const what = declaration.collection.segment;
    const failed = lists.failed.get(kind);
    if (failed !== undefined) return [{ kind, place: root, what: `${what} in ${path(root)}`, reason: failed }];
    const doubt = sight.doubt(declaration, root);
    if (doubt === undefined) return [];
    const except = doubt.except.length === 0 ? "" : ` outside ${list(doubt.except.slice(0, 5).map(path))}`;
    return [{ kind, place: root, what: `${what} in ${path(root)}${except}`, reason: doubt.reason }];
  });
  const doubtsAbove = above.flatMap((place): UnreadablePart[] => {
    const what = `role bindings in ${path(place)}, above`;
    const reason = lists.failed.get(place) ?? sight.doubt(kindNamed(kindNames.roleBinding), place)?.reason;
    return reason === undefined ? [] : [{ place, what, reason }];
  });
  return {
    root,
    objects: objectsIn(below, nameOf),
    around: objectsIn(inherited, nameOf),
    unreadable: [...doubts, ...doubtsAbove],
    requests: client.requests - first,
    shows: (kind, uid) => !lists.failed.has(kind) && sight.shows(kindNamed(kind), uid),
  };
}

/** Rows by kind, each uid once. */
class Rows {
  readonly #byKind = new Map<string, Map<string, WireObject>>();

  add(kind: string, rows: readonly WireObject[]): this {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, WireObject>();
    for (const row of rows) ofKind.set(row.uid, row);
    this.#byKind.set(kind, ofKind);
    return this;
  }

  has(kind: string, uid: string): boolean {
    return this.#byKind.get(kind)?.has(uid) === true;
  }

  with(other: Rows): Rows {
    const both = new Rows();
    for (const [kind, rows] of [...this.entries(), ...other.entries()]) both.add(kind, rows);
    return both;
  }

  entries(): [string, WireObject[]][] {
    return [...this.#byKind].map(([kind, rows]) => [kind, [...rows.values()]]);
  }
}

/** Lists that may fail. */
class Lists {
  /** Why Lists failed, by kind or by what else was asked. */
  readonly failed = new Map<string, string>();

  constructor(private readonly client: Reader) {}

  /** @param what under which a failure is noted. Default: the kind */
  async rows(kind: string, query: Scope, what = kind): Promise<WireObject[]> {
    return this.client.list(kindNamed(kind).collection, query).catch((error: unknown) => {
      this.failed.set(what, messageOf(error));
      return [];
    });
  }
}

/** The root and the groups above it that are visible. @throws PlatformError if the root is not */
async function rootAndAbove(client: Reader, root: string): Promise<WireObject[]> {
  try {
    const rows = await client.list(kindNamed(kindNames.group).collection, { uids: [...ancestorsOf(root), root] });
    if (rows.some(({ uid }) => uid === root)) return rows;
  } catch (error) {
    throw withContext(`Read group ${root}`, error);
  }
  throw new PlatformError(
    "NOT_FOUND",
    `Read group ${root}: these credentials see no such group. Check its uid, the address of the API, and that their identity has a role there or above.`,
  );
}

async function rowsBelow(lists: Lists, root: string): Promise<Rows> {
  const rows = new Rows();
  const ofKind = async ([name, kind]: [string, Kind]) => {
    rows.add(name, await lists.rows(name, { descendantsOf: root }));
    // An object that shares the uid of its group is at the root, not below it.
    if (kind.sharesUid) rows.add(name, await lists.rows(name, { uids: [root] }));
  };
  await Promise.all([...listedKinds].map(ofKind));
  return rows;
}

/** Roles that are granted in the groups `above` and hold below too. */
async function rowsAbove(lists: Lists, above: readonly string[]): Promise<Rows> {
  const rows = new Rows();
  const bindings = above.map(async (place) =>
    rows.add(kindNames.roleBinding, await lists.rows(kindNames.roleBinding, { childrenOf: place }, place)),
  );
  const [organization] = above;
  const mappings = organization === undefined ? [] : [mappingsAbove(lists, organization, above)];
  await Promise.all([...bindings, ...mappings.map(async (found) => rows.add(kindNames.externalGroupRoleMapping, await found))]);
  return rows;
}

async function mappingsAbove(lists: Lists, organization: string, above: readonly string[]): Promise<WireObject[]> {
  const kind = kindNames.externalGroupRoleMapping;
  const rows = await lists.rows(kind, { descendantsOf: organization }, organization);
  return rows.filter(({ uid }) => above.includes(kindNamed(kind).placeOf(uid) ?? ""));
}

/** Adds to `around` what the rows refer to, as far as it is visible, and the groups that its path names. */
async function addNamed(lists: Lists, below: Rows, around: Rows, named: readonly Reference[]): Promise<void> {
  const known = below.with(around);
  const wanted = new Map<string, Map<string, string>>();
  const want = (kind: string, uid: string, name: string) => {
    if (!known.has(kind, uid)) wanted.set(kind, (wanted.get(kind) ?? new Map<string, string>()).set(uid, name));
  };
  const shown = known.entries().flatMap(([kind, rows]) => rows.flatMap((row) => referencesInRow(kindNamed(kind), row)));
  for (const { kind, uid, name } of [...named, ...shown]) want(kind, uid, name);
  for (const uids of [...wanted.values()])
    for (const uid of uids.keys()) for (const each of ancestorsOf(uid)) want(kindNames.group, each, "");
  await Promise.all(
    [...wanted].map(async ([kind, found]) => {
      // An answer repeats the names of what it refers to, which may be hidden.
      around.add(
        kind,
        [...found].flatMap(([uid, name]) => (name === "" ? [] : [{ uid, name }])),
      );
      around.add(kind, await lists.rows(kind, { uids: [...found.keys()] }, `names of ${kind}`));
    }),
  );
}

/** Names by uid. A group counts before what shares its uid. */
function namesIn(rows: Rows): (uid: string) => string | undefined {
  const found = new Map<string, string>();
  const groupsLast = rows.entries().sort(([one]) => (one === kindNames.group ? 1 : -1));
  for (const [, all] of groupsLast)
    for (const row of all) {
      const { name } = row as { name?: unknown };
      if (typeof name === "string" && name !== "") found.set(row.uid, name);
    }
  return (uid) => found.get(uid);
}

function objectsIn(rows: Rows, nameOf: (uid: string) => string | undefined): ObjectIndex<PlatformObject> {
  return new ObjectIndex(rows.entries().flatMap(([name, all]) => all.map((row) => objectFrom(name, row, nameOf))));
}

function objectFrom(kindName: string, row: WireObject, nameOf: (uid: string) => string | undefined): PlatformObject {
  const kind = kindNamed(kindName);
  const isNamed = "name" in kind.fields;
  const place = groupOf(kind, row.uid);
  const path = isNamed && !kind.sharesUid ? pathOf(row.uid, nameOf) : place === undefined ? undefined : pathOf(place, nameOf);
  const name = isNamed ? (row as { name?: string }).name : undefined;
  return {
    kind: kindName,
    uid: row.uid,
    place,
    ...(name !== undefined && name !== "" && { name }),
    ...(path !== undefined && { path }),
    value: observedInputs(kind, row),
    row,
  };
}
