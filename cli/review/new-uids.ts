import { isPersonUid } from "../../access/holders";
import { compareLogins } from "../../access/logins";
import { describeLogin } from "../../access/prose/describe-login";
import type { Snapshot, SnapshotIdentity } from "../../access/snapshot";

/**
 * Identities that get another uid: replaced ones, and deleted ones whose login a new identity has. A run that logs in by the old uid cannot
 * log in any more.
 *
 * @param moved uid of the same object in `before` for each object in `after` whose uid differs
 * @returns the old uids
 */
export function identitiesWithNewUids(before: Snapshot, after: Snapshot, moved: ReadonlyMap<string, string>): string[] {
  const gone = [...before.identities].filter(([uid]) => !after.identities.has(uid) && !isPersonUid(uid));
  const replaced = new Set(moved.values());
  const made = [...after.identities].filter(([uid]) => !before.identities.has(uid) && !moved.has(uid));
  const byWords = Map.groupBy(made, ([, { login = {} }]) => describeLogin(login));
  const hasSuccessor = ({ login }: SnapshotIdentity) =>
    login !== undefined &&
    byWords.get(describeLogin(login))?.some(([, made]) => compareLogins(login, made.login ?? {}).relation === "same") === true;
  return gone.flatMap(([uid, identity]) => (replaced.has(uid) || hasSuccessor(identity) ? [uid] : []));
}
