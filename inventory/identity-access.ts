import { isAtOrBelow, parentOf } from "../provider/client/uid";
import { ancestorsOf, pathOf } from "../access/places";
import type { Snapshot, Unreadable } from "../access/snapshot";
import { PlatformError } from "../provider/client/errors";
import { kindNamed, kindNames } from "./kinds";
import { addNamed, detailsOf, Lists, namesIn, objectsIn, type Reader, Rows } from "./rows";
import { ownRights, Sight } from "./sight";
import { snapshotOf } from "./snapshot-of";

/**
 * Reads the access of one identity in all places. It lists the identity's own role bindings with a filter, and reads the groups to which
 * they apply.
 *
 * @param called the name of the identity in messages. Default: its uid
 * @throws PlatformError `NOT_FOUND` if the identity is not visible
 */
export async function readIdentityAccess(client: Reader, identity: string, called = identity): Promise<Snapshot> {
  const lists = new Lists(client);
  const [before, bindings] = await Promise.all([ownRights(client), lists.rows(kindNames.roleBinding, { identity })]);
  const bound = [...new Set(bindings.flatMap(({ uid }) => parentOf(uid) ?? []))];
  const tops = bound.filter((place) => !bound.some((other) => other !== place && isAtOrBelow(place, other)));
  const home = parentOf(identity);
  const organizations = [...new Set([home ?? [], bound].flat().map((uid) => ancestorsOf(uid)[0] ?? uid))];
  const rows = new Rows()
    .add(kindNames.roleBinding, bindings)
    .add(kindNames.group, [])
    .add(kindNames.externalGroupRoleMapping, []);
  const below = async (kind: string, place: string) => rows.add(kind, await lists.rows(kind, { descendantsOf: place }));
  await Promise.all([
    ...tops.map((top) => below(kindNames.group, top)),
    // People belong to no group of the platform, and only their identity provider knows their groups there.
    ...(home === undefined ? organizations.map((each) => below(kindNames.externalGroupRoleMapping, each)) : []),
  ]);
  const around = new Rows();
  await addNamed(lists, rows, around, [
    { kind: kindNames.identity, uid: identity, name: "" },
    ...bound.map((uid) => ({ kind: kindNames.group, uid, name: "" })),
  ]);
  // No List shows people, but their role bindings do.
  const isBound = home === undefined && bindings.length > 0;
  if (!isBound && !around.has(kindNames.identity, identity))
    throw unseen(
      called,
      lists.failed.get(detailsOf(kindNames.identity))?.reason ?? (home === undefined ? withoutRole : undefined),
    );
  rows.add(
    kindNames.group,
    around.of(kindNames.group).filter(({ uid }) => bound.includes(uid)),
  );
  const isMapped = rows.of(kindNames.externalGroupRoleMapping).length > 0;
  const sight = await Sight.after(client, organizations, before, rows.entries());
  const nameOf = namesIn(rows.with(around));
  const path = (uid: string) => pathOf(uid, nameOf) ?? uid;
  const doubts = (kind: string, places: readonly string[], what: string) =>
    places.flatMap((place): Unreadable[] => {
      const reason = (lists.failed.get(kind) ?? sight.doubt(kindNamed(kind), place)?.why)?.reason;
      return reason === undefined ? [] : [{ what: `${what} ${path(place)}`, reason }];
    });
  const details = [kindNames.group, kindNames.identity, kindNames.role].flatMap((kind): Unreadable[] => {
    const reason = lists.failed.get(detailsOf(kind))?.reason;
    return reason === undefined ? [] : [{ what: detailsOf(kind), reason }];
  });
  return snapshotOf(objectsIn(rows.with(around), nameOf).all, [
    ...doubts(kindNames.roleBinding, organizations, "other roleBindings of the identity in"),
    ...doubts(kindNames.group, tops, "groups below"),
    ...(home === undefined ? doubts(kindNames.externalGroupRoleMapping, organizations, "externalGroupRoleMappings in") : []),
    ...(home === undefined && isMapped ? [throughMappings] : []),
    ...details,
  ]);
}

const withoutRole =
  "no role binding that these credentials see names this person, and people are known only by their role bindings.";

function unseen(
  called: string,
  reason = "these credentials see no such identity. Check the uid, and whether they may read it.",
): PlatformError {
  return new PlatformError("NOT_FOUND", `Read identity ${called}: ${reason}`);
}

const throughMappings: Unreadable = {
  what: "roles of the identity through external group role mappings",
  reason: "only the identity provider knows which groups a person is in",
};
