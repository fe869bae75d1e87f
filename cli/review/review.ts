import { type AccessChange, compare } from "../../access/compare";
import { idleMarks } from "../../access/guarded";
import { idleMarkText } from "../../access/prose/guarded-text";
import { holderInWords } from "../../access/prose/person";
import { located } from "../../access/holders";
import { type Rename, renames } from "../../access/renames";
import { bySeverity } from "../../access/severity";
import type { Snapshot, Unreadable } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import type { Open } from "../../preview/effect";
import { type Applied, apply, type Notice } from "../../preview/apply";
import type { PreviewFile } from "../../preview/file";
import { planOf } from "../../preview/plan";
import { type Rights, rightsFor } from "../../preview/rights";
import { isAtOrBelow, isBelow, parentOf } from "../../provider/client/uid";
import { blockedDeletes, type Warning } from "./blocked";
import { judgedIn } from "./judged";
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
  readonly warnings: readonly Warning[];
  /** Whether the identity that will run the update may do so, and what says which it is; undefined where the platform was not asked. */
  readonly rights?: Rights & { readonly by: string };
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
  const judged = judgedIn(file, known.address);
  const applied = apply(known, planOf(judged.file.steps));
  const [before, after, least] = snapshots(applied);
  const open = (is: Open["is"]) =>
    applied.open.filter((each) => each.is === is).map(({ what, reason }): Unreadable => ({ what, reason }));
  const assumed = open("assumed");
  // Others may have given roles that the review does not show.
  const isSeen = known.objects.length > 0 && known.unreadable.length === 0;
  // A review of the preview alone promises no more than what that shows.
  const isAlone = known.objects.length === 0 && known.unreadable.length === 0;
  const most = compare(before, after, applied.moved, known.guarded);
  const fewest = least === after ? most : compare(before, least, applied.moved, known.guarded);
  const changes = [
    ...most.filter(({ effect }) => effect === "gain"),
    ...fewest.filter(({ effect }) => effect === "loss"),
    ...guardedWithoutRoles(before, after, applied.moved, known.guarded),
    ...loginsWithoutRoles(before, after, applied, isSeen),
    ...rolesWithoutHolders(before, after, applied, isSeen),
    ...changedSinks(before, after, applied),
  ];
  const reviewed = changes
    .map((change) => withUrn(change, applied))
    .sort((one, other) => bySeverity(one.severity, other.severity));
  const blocked = blockedDeletes(applied, before, known);
  const unseen = isSeen ? [] : unseenHolders(reviewed);
  // People, who are in no group, are one person each; whatever else is not shown may let in anybody, unless that is said already.
  const isPerson = (uid: string) => parentOf(uid) === undefined && !applied.made.has(uid);
  const told = new Set(applied.open.flatMap(({ about = [] }) => about));
  const isTold = (uid: string) => isPerson(uid) || told.has(uid);
  const hiddenLogins = unknownLogins(
    reviewed.filter(({ holder, coveredBy }) => coveredBy === undefined && !isTold(holder.uid ?? "")),
  );
  const undecided = [
    ...(file.isWhole ? [] : [withoutSames]),
    ...judged.undecided,
    ...open("undecided"),
    ...(isStrict ? assumed : []),
    ...known.unseen,
    ...(isAlone ? [] : [...unseen, ...hiddenLogins]),
  ];
  const unknown = [
    ...undecided,
    ...open("unknown"),
    ...unseen,
    ...known.unreadable,
    ...unknownRoles(reviewed),
    // What the update makes, and a reference that is not understood, are in `open`.
    ...unknownLogins(reviewed.filter(({ holder }) => !applied.made.has(holder.uid ?? ""))),
  ];
  const reasons = [
    ...(file.isWhole
      ? []
      : [
          "the preview was made without --show-sames: what does not change is not in it, and may still give what is listed as lost",
        ]),
    ...(file.errors.length > 0 ? ["the preview failed, so it is incomplete"] : []),
    ...(judged.undecided.length > 0 || applied.open.some(({ is }) => isStrict || is !== "assumed")
      ? ["the preview does not say everything"]
      : []),
    ...(known.unreadable.length > 0 ? ["not everything on the platform could be read"] : []),
  ];
  return {
    changes: reviewed,
    renames: renames(before, after, applied.moved),
    unknown: [...new Map(unknown.map((each) => [`${each.what}: ${each.reason}`, each])).values()],
    undecided,
    assumed: isStrict ? [] : assumed,
    warnings: [
      ...judged.notices,
      ...applied.warnings,
      ...(isSeen ? idleMarks(known.guarded, before).map((uid) => ({ message: idleMarkText(uid) })) : []),
      ...ownLosses(reviewed),
      ...replacedSubtrees(before, applied),
      ...blocked,
    ],
    ...(known.caller && { rights: rightsOf(rightsFor(applied, before, least, known.caller), known.caller.by, judged.undecided) }),
    errors: file.errors,
    bounds: reasons.length === 0 ? "exact" : "lower",
    reasons,
    made: applied.made,
  };
}

/** @param others resources whose calls nothing shows */
function rightsOf(rights: Rights, by: string, others: readonly Unreadable[]): NonNullable<Review["rights"]> {
  return { ...rights, by, unchecked: [...rights.unchecked, ...others] };
}

const withoutSames: Unreadable = {
  what: "what does not change",
  reason: "the preview was made without --show-sames. Write it with `pulumi preview --json --show-sames`",
};

/** That the update would end access of the run itself: it fails before it sends that, perhaps with other changes made. */
function ownLosses(changes: readonly ReviewedChange[]): Notice[] {
  const own = changes.filter(({ alarms = [] }) => alarms.includes("ownAccess"));
  return own.map(({ holder, at, urn }) => ({
    message:
      `the runs of this stack log in as ${holderInWords(holder)}, which would lose access of ` +
      `${nameInWords(at.path ?? at.uid)}: \`pulumi up\` does not send that (SELF_LOCKOUT), and ends with what comes before it done`,
    ...(urn !== undefined && { urn }),
  }));
}

/** Groups that are replaced by a move, with what is in them: the highest ones. */
function replacedSubtrees(before: Snapshot, { moved, urns }: Applied): Notice[] {
  const replaced = [...moved].filter(([, uid]) => before.groups.has(uid));
  const tops = replaced.filter(([, uid]) => !replaced.some(([, other]) => other !== uid && isAtOrBelow(uid, other)));
  return tops.map(([made, uid]): Notice => {
    const below = [...urns.keys()].filter((key) => isBelow(key.slice(key.indexOf(" ") + 1), uid)).length;
    const urn = urns.get(objectKey({ kind: kindNames.group, uid: made }));
    const what = below === 0 ? "" : `, with the ${below} ${below === 1 ? "object" : "objects"} of this program in it`;
    return {
      message: `${nameInWords(located(before, uid).path ?? uid)} is replaced${what}: all get new uids, and what others have in it is revoked, or blocks the update`,
      ...(urn !== undefined && { urn }),
    };
  });
}

function withUrn(change: AccessChange, { urns }: Applied): ReviewedChange {
  const { kind, uid } = change.through;
  const kinds = kind === "login" ? [kindNames.identity, kindNames.identityProvider] : [kindNames[kind]];
  const urn = kinds.map((each) => urns.get(objectKey({ kind: each, uid }))).find((each) => each !== undefined);
  return { ...change, ...(urn !== undefined && { urn }) };
}
