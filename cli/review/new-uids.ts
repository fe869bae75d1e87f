import { isPersonUid, located } from "../../access/holders";
import { compareLogins } from "../../access/logins";
import { describeLogin } from "../../access/prose/describe-login";
import type { Snapshot, SnapshotIdentity } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import type { Notice } from "../../preview/apply";
import { shortList } from "../../provider/client/printable";
import { mostNamed } from "./blocked";

/**
 * A warning about identities with another uid afterwards, because a run cannot log in by the old one; empty without any.
 *
 * @param moved uid of the same object in `before` for each object in `after` whose uid differs
 */
export function newUids(before: Snapshot, after: Snapshot, moved: ReadonlyMap<string, string>): Notice[] {
  const uids = identitiesWithNewUids(before, after, moved);
  if (uids.length === 0) return [];
  const names = uids.map((uid) => nameInWords(located(before, uid).path ?? uid));
  const [get, them] = uids.length === 1 ? ["1 identity gets", "it"] : [`${uids.length} identities get`, "them"];
  const message = `${get} another uid: ${shortList(names, mostNamed)}. A run that logs in as ${them} needs the new uid, for example in PLATFORM_IDENTITY`;
  return [{ message }];
}

/** The old uids of replaced identities, and of deleted ones whose login a new identity has. */
function identitiesWithNewUids(before: Snapshot, after: Snapshot, moved: ReadonlyMap<string, string>): string[] {
  const gone = [...before.identities].filter(([uid]) => !after.identities.has(uid) && !isPersonUid(uid));
  const replaced = new Set(moved.values());
  const made = [...after.identities].filter(([uid]) => !before.identities.has(uid) && !moved.has(uid));
  const byWords = Map.groupBy(made, ([, { login = {} }]) => describeLogin(login));
  const hasSuccessor = ({ login }: SnapshotIdentity) =>
    login !== undefined &&
    byWords.get(describeLogin(login))?.some(([, made]) => compareLogins(login, made.login ?? {}).relation === "same") === true;
  return gone.flatMap(([uid, identity]) => (replaced.has(uid) || hasSuccessor(identity) ? [uid] : []));
}
