import { ancestorsOf, pathOf } from "../access/places";
import type { WireObject } from "../provider/client/collection";
import { hasCode, messageOf, PlatformError, withContext } from "../provider/client/errors";
import { incomplete } from "../provider/client/list-windows";
import { list } from "../provider/client/printable";
import { areInOneLine, isAtOrBelow, organizationOf, parentOf } from "../provider/client/uid";
import { grantingKinds, groupOf, kindNamed, listedKinds, kindNames } from "./kinds";
import { type KeyedObject, ObjectIndex, type PlatformObject, type UnreadablePart } from "./objects";
import { type Reference, referencesInRow } from "./references";
import { addNamed, detailsOf, Lists, namesIn, objectsIn, type Reader, Rows } from "./rows";
import { ownRights, Sight } from "./sight";
import { peopleIn } from "./snapshot-of";

/** Everything in one part of an organisation, as the platform shows it. */
export interface PlatformInventory {
  /** Uid of the group at the top. */
  readonly root: string;
  /** That group and everything below it. */
  readonly objects: ObjectIndex<PlatformObject>;
  /** Related objects elsewhere. They are the groups above, the roles granted there, and the objects that bindings name. */
  readonly around: ObjectIndex<PlatformObject>;
  /** Parts that may be missing. If empty, nothing is. An entry without `kind` concerns only {@link around}. */
  readonly unreadable: readonly UnreadablePart[];
  /** Number of requests for this reading. */
  readonly requests: number;
  /** True if a List would have shown the object, so its absence proves that it does not exist. */
  shows(kind: string, uid: string): boolean;
}

/** The scope of a reading. */
export interface InventoryScope {
  /**
   * Published names of the kinds to read below the root. If empty, only grants of roles in the root itself are read. Default: every kind.
   */
  readonly below?: readonly string[];
  /** Further objects for `around`, such as references of states. Default: none. */
  readonly named?: readonly Reference[];
  /** Objects that should exist, such as objects of states. They are read by uid if a List is too large. Default: none. */
  readonly wanted?: readonly KeyedObject[];
  /** Whether `around` includes role bindings of other branches that name an identity or a role of this one. Default: false. */
  readonly elsewhere?: boolean;
}

/** Kinds that grant roles in their own group and below. A mapping grants roles in its scope instead. */
const grantingInPlace = [...grantingKinds].filter((kind) => kind !== kindNames.externalGroupRoleMapping);

/** The kinds that together show everybody's access to a part of an organisation. */
export const accessKinds: readonly string[] = [...grantingKinds, kindNames.group, kindNames.identity, kindNames.role];

/**
 * Reads the group `root`, everything below it and the grants of roles above, with all Lists at once. If a List fails or may hide objects,
 * reading continues and the List is in `unreadable`.
 *
 * @throws PlatformError if the root itself cannot be read
 */
export async function readInventory(client: Reader, root: string, scope: InventoryScope = {}): Promise<PlatformInventory> {
  const { below: kinds = [...listedKinds.keys()], named = [], wanted = [], elsewhere = false } = scope;
  const first = client.requests;
  const lists = new Lists(client);
  const [lineage, before] = await Promise.all([rootAndAbove(client, root), ownRights(client)]);
  const places = kinds.length === 0 ? [...ancestorsOf(root), root] : ancestorsOf(root);
  const [below, inherited, beside] = await Promise.all([
    rowsBelow(lists, root, kinds),
    rowsAt(lists, root, places),
    elsewhere ? bindingsBeside(lists, root) : [],
  ]);
  inherited.add(kindNames.roleBinding, beside);
  for (const group of lineage) (group.uid === root ? below : inherited).add(kindNames.group, [group]);
  const tooLarge = await addWanted(
    lists,
    below,
    wanted.filter(({ uid }) => isAtOrBelow(uid, root)),
  );
  const rows = below.with(inherited);
  const [sight] = await Promise.all([
    Sight.after(client, [root], before, rows.entries()),
    addNamed(lists, below, inherited, [...named, ...providersOf(inherited)]),
  ]);
  const nameOf = namesIn(below.with(inherited));
  const path = (uid: string) => pathOf(uid, nameOf) ?? uid;
  const doubts = kinds.flatMap((kind): UnreadablePart[] => {
    const what = kindNamed(kind).collection.segment;
    const failed = lists.failed.get(kind);
    if (failed !== undefined) return [{ kind, kinds: [kind], place: root, what: `${what} in ${path(root)}`, ...failed }];
    const doubt = sight.doubt(kindNamed(kind), root);
    if (doubt === undefined) return [];
    const except = doubt.except.length === 0 ? "" : ` outside ${list(doubt.except.slice(0, 5).map(path))}`;
    return [{ kind, kinds: [kind], place: root, what: `${what} in ${path(root)}${except}`, ...doubt.why }];
  });
  const doubtsAt = places.flatMap((place): UnreadablePart[] => {
    const found = [...grantingKinds].flatMap((kind) => {
      const why = lists.failed.get(`${kind} at ${place}`) ?? sight.doubt(kindNamed(kind), place)?.why;
      return why === undefined ? [] : [{ kind, what: kindNamed(kind).collection.segment, why }];
    });
    const what = `${list(found.map((each) => each.what))} in ${path(place)}${place === root ? "" : ", above"}`;
    const worst = found.find(({ why }) => why.cause === "failed") ?? found[0];
    return worst === undefined ? [] : [{ kinds: found.map(({ kind }) => kind), place, what, ...worst.why }];
  });
  const organization = organizationOf(root);
  const besideFailed = lists.failed.get(besideOf(root));
  const what = `roleBindings in ${path(organization)}, in other groups`;
  const besideDoubts: UnreadablePart[] =
    besideFailed === undefined ? [] : [{ kinds: [kindNames.roleBinding], place: organization, what, ...besideFailed }];
  const details = [...listedKinds.keys()].flatMap((kind): UnreadablePart[] => {
    const failed = lists.failed.get(detailsOf(kind));
    return failed === undefined ? [] : [{ kinds: [kind], place: root, what: detailsOf(kind), ...failed }];
  });
  const [objects, others] = [objectsIn(below, nameOf), objectsIn(inherited, nameOf)];
  const people = peopleIn([...objects.all, ...others.all]).map((person): PlatformObject => ({
    ...person,
    row: { uid: person.uid },
  }));
  return {
    root,
    objects,
    around: new ObjectIndex([...others.all, ...people]),
    unreadable: [...doubts, ...tooLarge.map((object) => tooLargePart(object, path)), ...doubtsAt, ...besideDoubts, ...details],
    requests: client.requests - first,
    shows: (kind, uid) => !lists.failed.has(kind) && sight.shows(kindNamed(kind), uid),
  };
}

/** The root and the visible groups above it. @throws PlatformError if the root is not visible */
async function rootAndAbove(client: Reader, root: string): Promise<WireObject[]> {
  try {
    const { rows, unread } = await client.listReadable(kindNamed(kindNames.group).collection, {
      uids: [...ancestorsOf(root), root],
    });
    if (rows.some(({ uid }) => uid === root)) return rows;
    const own = unread.filter(({ uid }) => uid === root);
    if (own.length > 0) throw incomplete("List of groups", own);
  } catch (error) {
    if (!hasCode(error, "NOT_FOUND")) throw withContext(`Read group ${root}`, error);
    const advice = "the server does not know this path. Check the address of the API, and its version";
    throw new PlatformError("NOT_FOUND", `Read group ${root}: ${advice}. ${messageOf(error)}`, { cause: error });
  }
  throw new PlatformError(
    "NOT_FOUND",
    `Read group ${root}: these credentials see no such group. Check its uid, the address of the API, and that their identity has a role there or above.`,
  );
}

async function rowsBelow(lists: Lists, root: string, kinds: readonly string[]): Promise<Rows> {
  const rows = new Rows();
  const ofKind = async (kind: string) => {
    rows.add(kind, await lists.rows(kind, { descendantsOf: root }));
    // An object with the uid of its group is at the root, not below it.
    if (kindNamed(kind).sharesUid) rows.add(kind, await lists.rows(kind, { uids: [root] }));
  };
  await Promise.all(kinds.map(ofKind));
  return rows;
}

/**
 * Adds to `below` the wanted objects whose Lists are too large, if they can be read by uid.
 *
 * @returns the objects that are too large themselves
 */
async function addWanted(lists: Lists, below: Rows, wanted: readonly KeyedObject[]): Promise<KeyedObject[]> {
  const missing = wanted.filter(({ kind, uid }) => lists.tooLarge.has(kind) && !below.has(kind, uid));
  const found = [...Map.groupBy(missing, ({ kind }) => kind)].map(async ([kind, objects]) => {
    const { rows, tooLarge } = await lists.byUid(
      kind,
      objects.map(({ uid }) => uid),
    );
    below.add(kind, rows);
    return tooLarge.map((uid): KeyedObject => ({ kind, uid }));
  });
  return (await Promise.all(found)).flat();
}

function tooLargePart({ kind, uid }: KeyedObject, path: (uid: string) => string): UnreadablePart {
  const what = `${kindNamed(kind).collection.noun} ${path(uid)}`;
  return {
    kind,
    kinds: [kind],
    place: groupOf(kindNamed(kind), uid) ?? uid,
    uid,
    what,
    reason: "it is larger than any answer that is read",
  };
}

/** Grants of roles in `places`. They hold in `root`, which is the last of the places or below it. */
async function rowsAt(lists: Lists, root: string, places: readonly string[]): Promise<Rows> {
  const rows = new Rows();
  const [organization] = places;
  if (organization === undefined) return rows;
  const at = grantingInPlace.flatMap((kind) =>
    places.map(async (place) => {
      const scope = kindNamed(kind).sharesUid ? { uids: [place] } : { childrenOf: place };
      rows.add(kind, await lists.rows(kind, scope, `${kind} at ${place}`));
    }),
  );
  await Promise.all([
    ...at,
    // All identity providers of the organisation are asked, because a mapping applies in its scope.
    lists
      .rows(
        kindNames.externalGroupRoleMapping,
        { descendantsOf: organization },
        `${kindNames.externalGroupRoleMapping} at ${organization}`,
      )
      .then((all) =>
        rows.add(
          kindNames.externalGroupRoleMapping,
          all.filter((row) => concerns(row, root)),
        ),
      ),
  ]);
  return rows;
}

/** The role bindings in other branches of the organisation that name an identity or a role in or below `root`. */
async function bindingsBeside(lists: Lists, root: string): Promise<WireObject[]> {
  const organization = organizationOf(root);
  if (organization === root) return [];
  const kind = kindNamed(kindNames.roleBinding);
  const rows = await lists.rows(kindNames.roleBinding, { descendantsOf: organization }, besideOf(root));
  const isOfRoot = (row: WireObject) => referencesInRow(kind, row).some(({ uid }) => isAtOrBelow(uid, root));
  return rows.filter((row) => !isAtOrBelow(row.uid, root) && isOfRoot(row));
}

/** The name of the request for role bindings in other branches than that of `root`. */
function besideOf(root: string): string {
  return `${kindNames.roleBinding} beside ${root}`;
}

/** True for a mapping that grants its role in `root` or below it. */
function concerns(mapping: WireObject, root: string): boolean {
  const { scope } = mapping as { scope?: unknown };
  return typeof scope !== "string" || scope === "" || areInOneLine(root, scope);
}

/** A mapping may belong to an identity provider in another branch of the organisation. */
function providersOf(rows: Rows): Reference[] {
  return rows
    .of(kindNames.externalGroupRoleMapping)
    .map(({ uid }) => ({ kind: kindNames.identityProvider, uid: parentOf(uid) ?? "", name: "" }));
}
