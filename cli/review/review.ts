import { type AccessChange, compare } from "../../access/compare";
import { idleMarks } from "../../access/guarded";
import { idleMarkText } from "../../access/prose/guarded-text";
import { located } from "../../access/holders";
import { type Rename, renames } from "../../access/renames";
import { bySeverity } from "../../access/severity";
import type { Snapshot, Unreadable } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import { type Notice, previewedObjects, type PreviewedObjects } from "../../inventory/preview";
import type { PreviewFile } from "../../inventory/preview-file";
import { resourcesIn } from "../../inventory/preview-resources";
import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { blockedDeletes } from "./blocked";
import type { Known } from "./known";
import { changedSinks } from "./sinks";
import { snapshots } from "./snapshots";
import {
  guardedWithoutRoles,
  loginsWithoutRoles,
  rolesWithoutHolders,
  unknownLogins,
  unknownRoles,
  unseenHolders,
} from "./unseen";

/** A change, with the resource that brings it. */
export interface ReviewedChange extends AccessChange {
  readonly urn?: string;
}

/** What an update changes for people and machines. */
export interface Review {
  readonly changes: readonly ReviewedChange[];
  readonly renames: readonly Rename[];
  /** What the preview does not say: all of `undecided` first. */
  readonly unknown: readonly Unreadable[];
  /** What may be any change: a gate cannot let it pass. */
  readonly undecided: readonly Unreadable[];
  /** References that are taken for the uid of the one resource that they depend on; empty if nothing is taken for granted. */
  readonly assumed: readonly Unreadable[];
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

/** How much a review takes for granted. */
export interface Trust {
  /** Whether a value that the program may have computed is undecided. Default: it is taken for the uid of the one resource that it depends on. */
  readonly isStrict?: boolean;
}

/** What the update in a preview gives and takes. */
export function reviewOf(file: PreviewFile, known: Known, { isStrict = false }: Trust = {}): Review {
  const previewed = previewedObjects(resourcesIn(file.steps), known.roles, known.objects);
  const [before, after] = snapshots(previewed, known);
  // Others may have given roles that the review does not show.
  const isSeen = known.objects.length > 0 && known.unreadable.length === 0;
  // A review of the preview alone promises no more than what that shows.
  const isAlone = known.objects.length === 0 && known.unreadable.length === 0;
  const changes = [
    ...compare(before, after, previewed.moved, known.guarded),
    ...guardedWithoutRoles(before, after, previewed.moved, known.guarded),
    ...loginsWithoutRoles(before, after, previewed, isSeen),
    ...rolesWithoutHolders(before, after, previewed, isSeen),
    ...changedSinks(before, after, previewed),
  ];
  const reviewed = changes
    .map((change) => withUrn(change, previewed))
    .sort((one, other) => bySeverity(one.severity, other.severity));
  const blocked = blockedDeletes(previewed, before, known.objects);
  const unseen = isSeen ? [] : unseenHolders(reviewed);
  // People, who are in no group, are one person each; whatever else is not shown may let in anybody. What `hidden` has is said there.
  const isPerson = (uid: string) => parentOf(uid) === undefined && !previewed.made.has(uid);
  const isTold = (uid: string) => isPerson(uid) || previewed.obscured.has(uid);
  const hiddenLogins = unknownLogins(
    reviewed.filter(({ holder, coveredBy }) => coveredBy === undefined && !isTold(holder.uid ?? "")),
  );
  const undecided = [
    ...(file.isWhole ? [] : [withoutSames]),
    ...previewed.hidden,
    ...(isStrict ? previewed.assumed : []),
    ...known.unseen,
    ...(isAlone ? [] : [...unseen, ...hiddenLogins]),
  ];
  const unknown = [
    ...undecided,
    ...previewed.unknown,
    ...unseen,
    ...known.unreadable,
    ...unknownRoles(reviewed),
    // What the update makes, and a reference that is not understood, are in `previewed.unknown`.
    ...unknownLogins(reviewed.filter(({ holder }) => !previewed.made.has(holder.uid ?? ""))),
  ];
  const reasons = [
    ...(file.isWhole
      ? []
      : [`${withoutSames.reason}: what does not change is not in it, and may still give what is listed as lost`]),
    ...(file.errors.length > 0 ? ["the preview failed, so it is incomplete"] : []),
    ...(previewed.unknown.length > 0 || (isStrict && previewed.assumed.length > 0)
      ? ["the preview does not say everything"]
      : []),
    ...(known.unreadable.length > 0 ? ["not everything on the platform could be read"] : []),
  ];
  return {
    changes: reviewed,
    renames: renames(before, after, previewed.moved),
    unknown: [...new Map(unknown.map((each) => [`${each.what}: ${each.reason}`, each])).values()],
    undecided,
    assumed: isStrict ? [] : previewed.assumed,
    warnings: [
      ...previewed.warnings,
      ...(isSeen ? idleMarks(known.guarded, before).map((uid) => ({ message: idleMarkText(uid) })) : []),
      ...ownLosses(reviewed),
      ...replacedSubtrees(before, previewed),
      ...blocked,
    ],
    errors: file.errors,
    bounds: reasons.length === 0 ? "exact" : "lower",
    reasons,
    made: previewed.made,
  };
}

const withoutSames: Unreadable = { what: "what does not change", reason: "the preview was made without --show-sames" };

/** That the update would end access of the run itself: it fails before it sends that, perhaps with other changes made. */
function ownLosses(changes: readonly ReviewedChange[]): Notice[] {
  const own = changes.filter(({ alarms = [] }) => alarms.includes("ownAccess"));
  return own.map(({ holder, at, urn }) => ({
    message:
      `the runs of this stack log in as ${nameInWords(holder.path ?? holder.uid ?? "")}, which would lose access of ` +
      `${nameInWords(at.path ?? at.uid)}: \`pulumi up\` does not send that (SELF_LOCKOUT), and ends with what comes before it done`,
    ...(urn !== undefined && { urn }),
  }));
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
