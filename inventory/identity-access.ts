import { ancestorsOf, appliesIn, pathOf, placeOf } from "../access/places";
import type { Snapshot, Unreadable } from "../access/snapshot";
import { PlatformError } from "../provider/client/errors";
import { kindNamed, names } from "./kinds";
import { addNamed, detailsOf, Lists, namesIn, objectsIn, type Reader, Rows } from "./rows";
import { ownRights, Sight } from "./sight";
import { snapshotOf } from "./snapshot-of";

/**
 * Reads what one identity can do, wherever that is: its own role bindings, by a filter, and the groups to which they apply.
 *
 * @throws PlatformError `NOT_FOUND` if the identity is not visible
 */
export async function readIdentityAccess(client: Reader, identity: string): Promise<Snapshot> {
  const lists = new Lists(client);
  const [before, bindings] = await Promise.all([ownRights(client), lists.rows(names.roleBinding, { identity })]);
  const bound = [...new Set(bindings.flatMap(({ uid }) => placeOf(uid) ?? []))];
  const tops = bound.filter((place) => !bound.some((other) => other !== place && appliesIn(place, other)));
  const home = placeOf(identity);
  const organizations = [...new Set([home ?? [], bound].flat().map((uid) => ancestorsOf(uid)[0] ?? uid))];
  const rows = new Rows().add(names.roleBinding, bindings).add(names.group, []).add(names.externalGroupRoleMapping, []);
  const below = async (kind: string, place: string) => rows.add(kind, await lists.rows(kind, { descendantsOf: place }));
  await Promise.all([
    ...tops.map((top) => below(names.group, top)),
    // People are in no group; which groups of an identity provider they are in, only that knows.
    ...(home === undefined ? organizations.map((each) => below(names.externalGroupRoleMapping, each)) : []),
  ]);
  const around = new Rows();
  await addNamed(lists, rows, around, [
    { kind: names.identity, uid: identity, name: "" },
    ...bound.map((uid) => ({ kind: names.group, uid, name: "" })),
  ]);
  if (!around.has(names.identity, identity)) throw unseen(identity, lists.failed.get(detailsOf(names.identity)));
  rows.add(
    names.group,
    around.of(names.group).filter(({ uid }) => bound.includes(uid)),
  );
  const isMapped = rows.of(names.externalGroupRoleMapping).length > 0;
  const sight = await Sight.after(client, organizations, before, rows.entries());
  const nameOf = namesIn(rows.with(around));
  const path = (uid: string) => pathOf(uid, nameOf) ?? uid;
  const doubts = (kind: string, places: readonly string[], what: string) =>
    places.flatMap((place): Unreadable[] => {
      const reason = lists.failed.get(kind) ?? sight.doubt(kindNamed(kind), place)?.reason;
      return reason === undefined ? [] : [{ what: `${what} ${path(place)}`, reason }];
    });
  const details = [names.group, names.identity, names.role].flatMap((kind): Unreadable[] => {
    const reason = lists.failed.get(detailsOf(kind));
    return reason === undefined ? [] : [{ what: detailsOf(kind), reason }];
  });
  return snapshotOf(objectsIn(rows.with(around), nameOf).all, [
    ...doubts(names.roleBinding, organizations, "other roleBindings of the identity in"),
    ...doubts(names.group, tops, "groups below"),
    ...(home === undefined ? doubts(names.externalGroupRoleMapping, organizations, "externalGroupRoleMappings in") : []),
    ...(home === undefined && isMapped ? [throughMappings] : []),
    ...details,
  ]);
}

function unseen(
  uid: string,
  reason = "these credentials see no such identity. Check the uid, and whether they may read it.",
): PlatformError {
  return new PlatformError("NOT_FOUND", `Read identity ${uid}: ${reason}`);
}

const throughMappings: Unreadable = {
  what: "roles of the identity through external group role mappings",
  reason: "only the identity provider knows which groups a person is in",
};
