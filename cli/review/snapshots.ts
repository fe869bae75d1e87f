import { ancestorsOf } from "../../access/places";
import type { Snapshot } from "../../access/snapshot";
import { objectKey } from "../../inventory/objects";
import { snapshotOf } from "../../inventory/snapshot-of";
import type { Applied } from "../../preview/apply";
import { parentOf } from "../../provider/client/uid";

/** The access before an update, after it, and the least access after it, without the objects that it perhaps removes. */
export function snapshots({ before, after, mayGo }: Applied): [before: Snapshot, after: Snapshot, least: Snapshot] {
  const is = withRoots(snapshotOf(after));
  const stays = after.filter((object) => !mayGo.has(objectKey(object)));
  return [withRoots(snapshotOf(before)), is, stays.length === after.length ? is : withRoots(snapshotOf(stays))];
}

/** Names an organisation without a known name by its uid, so paths below it can be read. */
function withRoots(snapshot: Snapshot): Snapshot {
  const { groups, bindings } = snapshot;
  const uids = [...groups.keys(), ...bindings.flatMap(({ place, identityUid }) => [place, ...ancestorsOf(identityUid)])];
  const roots = new Set(uids.flatMap((uid) => [...ancestorsOf(uid), uid]).filter((uid) => parentOf(uid) === undefined));
  const unnamed = [...roots].filter((uid) => !groups.get(uid)?.name);
  return { ...snapshot, groups: new Map([...groups, ...unnamed.map((uid) => [uid, { name: uid }] as const)]) };
}
