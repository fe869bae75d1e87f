import { ancestorsOf } from "../../access/places";
import type { Snapshot } from "../../access/snapshot";
import { snapshotOf } from "../../inventory/snapshot-of";
import type { Applied } from "../../preview/apply";
import { parentOf } from "../../provider/client/uid";

/** Who has what before and after an update. */
export function snapshots({ before, after }: Applied): [Snapshot, Snapshot] {
  return [withRoots(snapshotOf(before)), withRoots(snapshotOf(after))];
}

/** The uid stands for the name of an organisation that nothing names, so that paths below it can be read. */
function withRoots(snapshot: Snapshot): Snapshot {
  const { groups, bindings } = snapshot;
  const uids = [...groups.keys(), ...bindings.flatMap(({ place, identityUid }) => [place, ...ancestorsOf(identityUid)])];
  const roots = new Set(uids.flatMap((uid) => [...ancestorsOf(uid), uid]).filter((uid) => parentOf(uid) === undefined));
  const unnamed = [...roots].filter((uid) => !groups.get(uid)?.name);
  return { ...snapshot, groups: new Map([...groups, ...unnamed.map((uid) => [uid, { name: uid }] as const)]) };
}
