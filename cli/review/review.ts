import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { ancestorsOf } from "../../access/places";
import { changedLogins, isWhole, letsOthersIn } from "../../access/logins";
import { isAnybody } from "../../access/describe-login";
import { levelOf, mayControl } from "../../access/capabilities";
import { type AccessChange, addedTo, compare } from "../../access/compare";
import { holder, located } from "../../access/holders";
import { type Rename, renames } from "../../access/renames";
import { bySeverity, severityOf } from "../../access/severity";
import type { Named, Snapshot, SnapshotRole, Unreadable } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { accountRole } from "../../access/ways";
import { kindNames } from "../../inventory/kinds";
import { type InventoryObject, objectKey } from "../../inventory/objects";
import { type Notice, previewedObjects, type PreviewedObjects } from "../../inventory/preview";
import { resourcesIn } from "../../inventory/preview-resources";
import type { PreviewFile } from "../../inventory/preview-file";
import { snapshotOf } from "../../inventory/snapshot-of";

/** A change, with the resource that brings it. */
export interface ReviewedChange extends AccessChange {
  readonly urn?: string;
}

/** What an update changes for people and machines. */
export interface Review {
  readonly changes: readonly ReviewedChange[];
  readonly renames: readonly Rename[];
  /** What the preview does not say. */
  readonly unknown: readonly Unreadable[];
  /** What may be any change: a gate cannot let it pass. */
  readonly undecided: readonly Unreadable[];
  readonly warnings: readonly Notice[];
  /** Why the preview failed; empty if it did not. */
  readonly errors: readonly string[];
  /** `lower`: there may be more. */
  readonly bounds: "exact" | "lower";
  /** Why there may be more; empty if there cannot. */
  readonly reasons: readonly string[];
  /** Uids that stand for objects that are not made yet: they mean nothing to others. */
  readonly made: ReadonlySet<string>;
}

/** What is known besides a preview. */
export interface Known {
  /** Roles by uid, as the platform shows them. */
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  /** Capabilities of built-in roles by name, where their uid is not known. */
  readonly builtIns: ReadonlyMap<string, readonly string[]>;
  /** Everything that the platform shows of the organisation; empty if it was not asked. */
  readonly objects: readonly InventoryObject[];
  /** What could not be read there. */
  readonly unreadable: readonly Unreadable[];
  /** Those of `unreadable` that may hide who has access: a gate cannot let them pass. */
  readonly unseen: readonly Unreadable[];
}

/** What the update in a preview gives and takes. */
export function reviewOf(file: PreviewFile, known: Known): Review {
  const previewed = previewedObjects(resourcesIn(file.steps), known.roles, known.objects);
  const [before, after] = snapshots(previewed, known);
  // Others may have given roles that the review does not show.
  const isSeen = known.objects.length > 0 && known.unreadable.length === 0;
  // A review of the preview alone promises no more than what that shows.
  const isAlone = known.objects.length === 0 && known.unreadable.length === 0;
  const changes = [
    ...compare(before, after, previewed.moved),
    ...loginsWithoutRoles(before, after, previewed, isSeen),
    ...rolesWithoutHolders(before, after, previewed, isSeen),
  ];
  const reviewed = changes
    .map((change) => withUrn(change, previewed))
    .sort((one, other) => bySeverity(one.severity, other.severity));
  const unseen = isSeen ? [] : unseenHolders(reviewed);
  const unknown = [
    ...previewed.unknown,
    ...unseen,
    ...known.unreadable,
    ...unknownRoles(reviewed),
    // What the update makes, and a reference that is not understood, are in `previewed.unknown`.
    ...unknownLogins(reviewed.filter(({ holder }) => !previewed.made.has(holder.uid ?? ""))),
  ];
  // People, who are in no group, are one person each; whatever else is not shown may let in anybody.
  const isPerson = (uid: string) => parentOf(uid) === undefined && !previewed.made.has(uid);
  const hiddenLogins = unknownLogins(
    reviewed.filter(({ holder, coveredBy }) => coveredBy === undefined && !isPerson(holder.uid ?? "")),
  );
  const reasons = [
    ...(file.isWhole
      ? []
      : [`${withoutSames.reason}: what does not change is not in it, and may still give what is listed as lost`]),
    ...(file.errors.length > 0 ? ["the preview failed, so it is incomplete"] : []),
    ...(previewed.unknown.length > 0 ? ["the preview does not say everything"] : []),
    ...(known.unreadable.length > 0 ? ["not everything on the platform could be read"] : []),
  ];
  return {
    changes: reviewed,
    renames: renames(before, after, previewed.moved),
    unknown,
    undecided: [
      ...(file.isWhole ? [] : [withoutSames]),
      ...previewed.hidden,
      ...known.unseen,
      ...(isAlone ? [] : [...unseen, ...hiddenLogins]),
    ],
    warnings: [...previewed.warnings, ...replacedSubtrees(before, previewed)],
    errors: file.errors,
    bounds: reasons.length === 0 ? "exact" : "lower",
    reasons,
    made: previewed.made,
  };
}

const withoutSames: Unreadable = { what: "what does not change", reason: "the preview was made without --show-sames" };

/** Roles that those who gain have, and holders of roles that gain, where neither is seen: they may have it at the top of the organisation. */
function unseenHolders(changes: readonly ReviewedChange[]): Unreadable[] {
  const unseen = changes.filter(({ isWithoutHolder, role }) => isWithoutHolder === true || role.uid === "");
  return unseen.map(({ holder, role, isWithoutHolder }) => ({
    what:
      isWithoutHolder === true
        ? `who has the role ${nameInWords(role.name ?? role.uid)}`
        : `which roles ${nameInWords(holder.path ?? holder.uid ?? "")} has`,
    reason: "neither the preview nor the platform shows it",
  }));
}

/** Who has what before and after: by the program, and by everything else that the platform shows. */
function snapshots(previewed: PreviewedObjects, known: Known): [Snapshot, Snapshot] {
  const managed = new Set([...previewed.before, ...previewed.after].map(objectKey));
  const others = known.objects.filter((object) => !managed.has(objectKey(object)));
  const stays = new Set(previewed.after.map(objectKey));
  const gone = previewed.before.filter((object) => object.kind === kindNames.group && !stays.has(objectKey(object)));
  // What others have in a group that is deleted goes with it.
  const left = others.filter(({ uid }) => !gone.some((group) => isAtOrBelow(uid, group.uid)));
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

/**
 * Identities that others can log in as, of which no role is known here: they may have one by another program, or in another
 * organisation. Where the platform was not read, it may be any.
 */
function loginsWithoutRoles(before: Snapshot, after: Snapshot, { moved }: PreviewedObjects, isSeen: boolean): AccessChange[] {
  const bound = new Set([...after.bindings.map(({ identityUid }) => identityUid), ...(after.offers ?? []).map(({ uid }) => uid)]);
  const mapped = new Set(after.mappings.map(({ identityProviderUid }) => identityProviderUid));
  return changedLogins(before, after, moved)
    .filter(({ uid, relation }) => letsOthersIn(relation) && !bound.has(uid) && !mapped.has(uid))
    .map(({ uid, relation, after: login }): AccessChange => {
      const at = located(after, parentOf(uid) ?? uid);
      const unseen = { effect: "gain", level: "unknown", isRoot: false, reach: 0, isAnybody: isAnybody(login) } as const;
      const seen = isAnybody(login) || !isWhole(login) ? "high" : "medium";
      return {
        effect: "gain",
        severity: isSeen ? seen : severityOf(unseen),
        holder: { ...holder(after, uid), login },
        role: { uid: "", name: "no role that is known here" },
        at,
        groups: [at.uid],
        reach: 0,
        through: { kind: "login", uid },
        ...(relation === "unclear" && { isUnclear: true }),
      };
    });
}

/** Roles that allow more, of which no holder is known here: another program may have given them. */
function rolesWithoutHolders(before: Snapshot, after: Snapshot, { moved }: PreviewedObjects, isSeen: boolean): AccessChange[] {
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

/** Groups that are replaced by a move, with what is in them: the highest ones. */
function replacedSubtrees(before: Snapshot, { moved, urns, before: objects }: PreviewedObjects): Notice[] {
  const replaced = [...moved].filter(([, uid]) => before.groups.has(uid));
  const tops = replaced.filter(([, uid]) => !replaced.some(([, other]) => other !== uid && isAtOrBelow(uid, other)));
  return tops.map(([made, uid]): Notice => {
    const below = objects.filter((object) => object.uid !== uid && isAtOrBelow(object.uid, uid)).length;
    const urn = urns.get(objectKey({ kind: kindNames.group, uid: made }));
    const what = below === 0 ? "" : `, with the ${below} ${below === 1 ? "object" : "objects"} of this program in it`;
    return {
      message: `${nameInWords(located(before, uid).path ?? uid)} is replaced${what}: all get new uids, and what others have in it is revoked, or blocks the update`,
      ...(urn !== undefined && { urn }),
    };
  });
}

function withUrn(change: AccessChange, { urns }: PreviewedObjects): ReviewedChange {
  const { kind, uid } = change.through;
  const kinds = kind === "login" ? [kindNames.identity, kindNames.identityProvider] : [kindNames[kind]];
  const urn = kinds.map((each) => urns.get(objectKey({ kind: each, uid }))).find((each) => each !== undefined);
  return { ...change, ...(urn !== undefined && { urn }) };
}

function unknownRoles(changes: readonly ReviewedChange[]): Unreadable[] {
  const unreadable = changes.filter(({ role }) => role.capabilities === undefined && role.uid !== "" && role.uid !== accountRole);
  return [...new Map(unreadable.map(({ role }) => [role.uid, role.name])).entries()].map(([uid, name]) => ({
    what: name === undefined ? `role ${uid}` : `capabilities of role ${nameInWords(name)}`,
    reason: "neither the preview nor the platform shows it; the change counts as if it allowed much",
  }));
}

/** How those who gain by a role binding log in, where nothing shows it. */
function unknownLogins(changes: readonly ReviewedChange[]): Unreadable[] {
  const gained = changes.filter(
    ({ effect, holder, through }) => effect === "gain" && through.kind === "roleBinding" && !holder.login,
  );
  return [...new Set(gained.map(({ holder }) => holder.path ?? holder.uid ?? ""))].map((who) => ({
    what: `how ${nameInWords(who)} logs in`,
    reason: "neither the preview nor the platform shows it",
  }));
}
