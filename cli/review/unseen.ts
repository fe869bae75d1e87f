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
 * Identities that others can log in as, of which no role is known here: they may have one by another program, or in another
 * organisation. Where the platform was not read, it may be any.
 */
export function loginsWithoutRoles(before: Snapshot, after: Snapshot, { moved }: Applied, isSeen: boolean): AccessChange[] {
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

/** Losses of guarded identities of which no role is known here: they go, or those who logged in as them no longer can. */
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

/** What a change of a login says of an identity of which no role is known here. */
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

/** Roles that allow more, of which no holder is known here: another program may have given them. */
export function rolesWithoutHolders(before: Snapshot, after: Snapshot, { moved }: Applied, isSeen: boolean): AccessChange[] {
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

/** Roles that those who gain have, and holders of roles that gain, where neither is seen: they may have it at the top of the organisation. */
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
  "it is the uid of a person, and no role binding that the review sees says whose. In a RoleBinding, write `identityRef: { issuer, " +
  "subject }` instead of the uid, so that everybody sees who it is";

const notShown = "neither the preview nor the platform shows it. Let the review read the whole organisation, or use --offline";

/** Roles of which nothing shows what they allow. */
export function unknownRoles(changes: readonly AccessChange[]): Unreadable[] {
  const unreadable = changes.filter(({ role }) => role.capabilities === undefined && role.uid !== "" && role.uid !== accountRole);
  return [...new Map(unreadable.map(({ role }) => [role.uid, role.name])).entries()].map(([uid, name]) => ({
    what: name === undefined ? `role ${uid}` : `capabilities of role ${nameInWords(name)}`,
    reason:
      "neither the preview nor the platform shows it; the change counts as if it allowed much. Let the review read the organisation",
  }));
}

/** How those who gain by a role binding log in, where nothing shows it. */
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
