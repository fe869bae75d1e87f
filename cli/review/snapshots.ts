import { ancestorsOf } from "../../access/places";
import type { Named, Snapshot } from "../../access/snapshot";
import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import type { PreviewedObjects } from "../../inventory/preview";
import { snapshotOf } from "../../inventory/snapshot-of";
import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import type { Known } from "./known";

/** Who has what before and after: by the program, and by everything else that the platform shows. */
export function snapshots(previewed: PreviewedObjects, known: Known): [Snapshot, Snapshot] {
  const [had, stays] = [new Set(previewed.before.map(objectKey)), new Set(previewed.after.map(objectKey))];
  // What an update takes over was of others before.
  const others = known.objects.filter((object) => !had.has(objectKey(object)));
  const gone = previewed.before.filter((object) => object.kind === kindNames.group && !stays.has(objectKey(object)));
  // What others have in a group that is deleted goes with it.
  const left = others.filter(
    (object) => !stays.has(objectKey(object)) && !gone.some((group) => isAtOrBelow(object.uid, group.uid)),
  );
  return [
    completed(snapshotOf([...previewed.before, ...others]), previewed, known),
    completed(snapshotOf([...previewed.after, ...left]), previewed, known, previewed.obscured),
  ];
}

/**
 * A snapshot with the names and capabilities that are known otherwise.
 *
 * @param changing uids of objects that may change: what is known of them is no longer so
 */
function completed(
  snapshot: Snapshot,
  previewed: PreviewedObjects,
  known: Known,
  changing: ReadonlySet<string> = new Set(),
): Snapshot {
  const roles = new Map(snapshot.roles);
  const used = [...snapshot.bindings, ...snapshot.mappings, ...(snapshot.offers ?? [])].map(({ roleUid }) => roleUid);
  for (const uid of used) {
    if (roles.get(uid)?.capabilities !== undefined || changing.has(uid)) continue;
    const role = known.roles.get(uid);
    const name = role?.name ?? previewed.roleNames.get(uid);
    const capabilities = role?.capabilities ?? (uid.includes("/") ? undefined : known.builtIns.get(name ?? ""));
    if (name !== undefined) roles.set(uid, { name, ...(capabilities && { capabilities }) });
  }
  const named = (uids: Iterable<string>, objects: ReadonlyMap<string, Named>): [string, Named][] =>
    [...new Set(uids)].flatMap((uid): [string, Named][] => {
      const name = previewed.names.get(uid);
      return name === undefined || objects.has(uid) ? [] : [[uid, { name }]];
    });
  const places = [...snapshot.bindings, ...snapshot.groups.keys()].flatMap((each) => {
    const uid = typeof each === "string" ? each : each.place;
    return [...ancestorsOf(uid), uid];
  });
  const bound = snapshot.bindings.map(({ identityUid }) => identityUid);
  const around = bound.flatMap((uid) => ancestorsOf(uid));
  const groups = new Map([...snapshot.groups, ...named([...places, ...around], snapshot.groups)]);
  // The uid stands for the name of an organisation that nothing names, so that paths below it can be read.
  for (const root of [...places, ...around].filter((uid) => parentOf(uid) === undefined && !groups.has(uid)))
    groups.set(root, { name: root });
  return {
    ...snapshot,
    roles,
    groups,
    identities: new Map([...snapshot.identities, ...named(bound, snapshot.identities)]),
  };
}
