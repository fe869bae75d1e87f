import { levelOf, mayControl } from "../../access/capabilities";
import { type AccessChange, addedTo } from "../../access/compare";
import { changedLogins, compareLogins, isAnybody, isWhole, letsOthersIn, type Login } from "../../access/logins";
import { alarmsOf, type Guarded } from "../../access/guarded";
import { holder, located } from "../../access/holders";
import { holderInWords } from "../../access/prose/person";
import type { Relation } from "../../access/constraints";
import { severityOf } from "../../access/severity";
import type { Snapshot, Unreadable } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { accountRole } from "../../access/ways";
import type { Applied } from "../../preview/apply";
import { parentOf } from "../../provider/client/uid";

/**
 * Logins that let others in, of identities without a known role. Another program, or another organisation, may have given such an
 * identity a role. If the platform was not read, it may have any role.
 */
export function loginsWithoutRoles(
  before: Snapshot,
  after: Snapshot,
  { moved }: Pick<Applied, "moved">,
  isSeen: boolean,
): AccessChange[] {
  const bound = new Set([...after.bindings.map(({ identityUid }) => identityUid), ...(after.offers ?? []).map(({ uid }) => uid)]);
  const mapped = new Set(after.mappings.map(({ identityProviderUid }) => identityProviderUid));
  return changedLogins(before, after, moved)
    .filter(({ uid, relation }) => letsOthersIn(relation) && !bound.has(uid) && !mapped.has(uid))
    .map(({ uid, relation, after: login }): AccessChange => {
      const unseen = { effect: "gain", level: "unknown", isRoot: false, reach: 0, isAnybody: isAnybody(login) } as const;
      const seen = isAnybody(login) || !isWhole(login) ? "high" : "medium";
      const severity = isSeen ? seen : severityOf(unseen);
      return { effect: "gain", severity, ...ofLogin(after, uid, login, relation) };
    });
}

/** Losses of guarded identities without a known role. They are deleted, or their former users can no longer log in. */
export function guardedWithoutRoles(
  before: Snapshot,
  after: Snapshot,
  moved: Applied["moved"],
  guarded: Guarded,
): AccessChange[] {
  const now = new Map([...after.identities].map(([uid, identity]) => [moved.get(uid) ?? uid, identity]));
  const bound = new Set(before.bindings.map(({ identityUid }) => identityUid));
  return [...before.identities].flatMap(([uid, { login = {} }]): AccessChange[] => {
    const alarms = bound.has(uid) ? [] : alarmsOf(uid, guarded);
    const is = now.get(uid);
    const relation = is === undefined ? "other" : compareLogins(is.login ?? {}, login).relation;
    if (alarms.length === 0 || !letsOthersIn(relation)) return [];
    return [{ effect: "loss", severity: "critical", ...ofLogin(before, uid, login, relation), alarms }];
  });
}

/** The change of a login of an identity without a known role. */
function ofLogin(side: Snapshot, uid: string, login: Login, relation: Relation): Omit<AccessChange, "effect" | "severity"> {
  const at = located(side, parentOf(uid) ?? uid);
  return {
    holder: { ...holder(side, uid), login },
    role: { uid: "", name: "no role that is known here" },
    at,
    groups: [at.uid],
    reach: 0,
    through: { kind: "login", uid },
    ...(relation === "unclear" && { isUnclear: true }),
  };
}

/** Roles that allow more, but have no known holder. Another program may have given them. */
export function rolesWithoutHolders(
  before: Snapshot,
  after: Snapshot,
  { moved }: Pick<Applied, "moved">,
  isSeen: boolean,
): AccessChange[] {
  const given = new Set([...after.bindings, ...after.mappings, ...(after.offers ?? [])].map(({ roleUid }) => roleUid));
  return [...after.roles].flatMap(([uid, role]): AccessChange[] => {
    const added = given.has(uid) ? undefined : addedTo(before.roles.get(moved.get(uid) ?? uid), role);
    if (added === undefined) return [];
    const level = levelOf(added.capabilities);
    const at = located(after, parentOf(uid) ?? uid);
    const seen = mayControl(level) ? "medium" : "low";
    return [
      {
        effect: "gain",
        severity: isSeen ? seen : severityOf({ effect: "gain", level, isRoot: false, reach: 0 }),
        holder: {},
        role: { uid, ...role },
        at,
        groups: [at.uid],
        reach: 0,
        through: { kind: "role", uid },
        ...added,
        isWithoutHolder: true,
      },
    ];
  });
}

/** Unseen roles of gaining identities, and unseen holders of gaining roles. They may hold at the top of the organisation. */
export function unseenHolders(changes: readonly AccessChange[]): Unreadable[] {
  const unseen = changes.filter(
    ({ effect, isWithoutHolder, role }) => effect === "gain" && (isWithoutHolder === true || role.uid === ""),
  );
  return unseen.map(({ holder, role, isWithoutHolder }) => ({
    what:
      isWithoutHolder === true
        ? `who has the role ${nameInWords(role.name ?? role.uid)}`
        : `which roles ${holderInWords(holder)} has`,
    reason: notShown,
  }));
}

const unnamed =
  "it is the uid of a person, and no visible role binding says whose. In a RoleBinding, write `identityRef: { issuer, " +
  "subject }` instead of the uid, so everybody sees who it is";

const notShown = "neither the preview nor the platform shows it. Let the review read the whole organisation, or use --offline";

/** Roles with unknown capabilities. */
export function unknownRoles(changes: readonly AccessChange[]): Unreadable[] {
  const unreadable = changes.filter(({ role }) => role.capabilities === undefined && role.uid !== "" && role.uid !== accountRole);
  return [...new Map(unreadable.map(({ role }) => [role.uid, role.name])).entries()].map(([uid, name]) => ({
    what: name === undefined ? `role ${uid}` : `capabilities of role ${nameInWords(name)}`,
    reason:
      "neither the preview nor the platform shows it; the change is ranked as if it allowed much. Let the review read the organisation",
  }));
}

/** Unknown logins of identities that gain by a role binding. */
export function unknownLogins(changes: readonly AccessChange[]): Unreadable[] {
  const gained = changes.filter(
    ({ effect, holder, through }) => effect === "gain" && through.kind === "roleBinding" && !holder.login,
  );
  const byUid = new Map(gained.map(({ holder }) => [holder.uid ?? "", holder]));
  return [...byUid].map(([uid, who]) =>
    who.path === undefined && parentOf(uid) === undefined
      ? { what: `who ${uid} is`, reason: unnamed }
      : { what: `how ${holderInWords(who)} logs in`, reason: notShown },
  );
}
