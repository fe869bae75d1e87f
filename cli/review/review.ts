import { compare } from "../../access/compare";
import { idleMarks } from "../../access/guarded";
import { idleMarkText } from "../../access/prose/guarded-text";
import { holderInWords } from "../../access/prose/person";
import { located } from "../../access/holders";
import { type Rename, renames } from "../../access/renames";
import type { Snapshot, Unreadable } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import { type Applied, apply, type Notice } from "../../preview/apply";
import type { PreviewFile } from "../../preview/file";
import { nameOf, planOf } from "../../preview/plan";
import { type Rights, rightsFor } from "../../preview/rights";
import { shortList } from "../../provider/client/printable";
import { isAtOrBelow, isBelow } from "../../provider/client/uid";
import { blockedDeletes, mostNamed, type Warning } from "./blocked";
import { isSeen, type Told, toldOf } from "./doubts";
import { judgedIn } from "./judged";
import type { Known } from "./known";
import { newUids } from "./new-uids";
import { type ReviewedChange, reviewedChanges } from "./reviewed-changes";
import { changedSinks } from "./sinks";
import { snapshots } from "./snapshots";
import { guardedWithoutRoles, loginsWithoutRoles, rolesWithoutHolders } from "./unseen";

/** The changes of an update for people and machines. */
export interface Review extends Told {
  readonly changes: readonly ReviewedChange[];
  readonly renames: readonly Rename[];
  readonly warnings: readonly Warning[];
  /** The rights of the identity to run the update, and the source that names it; undefined if the platform was not asked. */
  readonly rights?: Rights & { readonly by: string };
  /** Errors of a failed preview; empty if it passed. */
  readonly errors: readonly string[];
  /** Uids that stand for objects not made yet. They are meaningless outside the review. */
  readonly made: ReadonlySet<string>;
}

/** The assumptions that a review may make. */
export interface Trust {
  /**
   * Whether a value that the program may have computed is undecided. Default: it is assumed to be the uid of the only resource it depends
   * on.
   */
  readonly isStrict?: boolean;
}

/** Reviews the update in a preview: the access that it gives and removes. */
export function reviewOf(file: PreviewFile, known: Known, { isStrict = false }: Trust = {}): Review {
  const judged = judgedIn(file, known.address);
  const applied = apply(known, planOf(judged.file.steps));
  const [before, after, least] = snapshots(applied);
  const changes = changesIn(applied, known, [before, after, least]);
  const marks = isSeen(known) ? idleMarks(known.guarded, before) : [];
  const { caller } = known;
  return {
    changes,
    renames: renames(before, after, applied.moved),
    ...toldOf({ file, judged, applied, known, changes, isStrict }),
    warnings: [
      ...judged.notices,
      ...applied.warnings,
      ...marks.map((uid) => ({ message: idleMarkText(uid) })),
      ...ownLosses(changes),
      ...unnamed(changes),
      ...ignoredProtection(file),
      ...replacedSubtrees(before, applied),
      ...newUids(before, after, applied.moved),
      ...blockedDeletes(applied, before, known),
    ],
    ...(caller && { rights: rightsOf(rightsFor(applied, before, least, caller), caller.by, judged.undecided) }),
    errors: file.errors,
    made: applied.made,
  };
}

/** All access that the update gives, and the least access it removes, the worst first. */
function changesIn(
  applied: Applied,
  known: Known,
  [before, after, least]: readonly [Snapshot, Snapshot, Snapshot],
): ReviewedChange[] {
  const { guarded } = known;
  const most = compare(before, after, applied.moved, guarded);
  const fewest = least === after ? most : compare(before, least, applied.moved, guarded);
  const all = [
    ...most.filter(({ effect }) => effect === "gain"),
    ...fewest.filter(({ effect }) => effect === "loss"),
    ...guardedWithoutRoles(before, after, applied.moved, guarded),
    ...loginsWithoutRoles(before, after, applied, isSeen(known)),
    ...rolesWithoutHolders(before, after, applied, isSeen(known)),
    ...changedSinks(before, after, applied),
  ];
  return reviewedChanges(all, applied.urns);
}

/** @param others resources with unknown calls */
function rightsOf(rights: Rights, by: string, others: readonly Unreadable[]): NonNullable<Review["rights"]> {
  return { ...rights, by, unchecked: [...rights.unchecked, ...others] };
}

/** Warnings about an update that would end its own access. It fails before such a call, but earlier changes stay applied. */
function ownLosses(changes: readonly ReviewedChange[]): Notice[] {
  const own = changes.filter(({ alarms = [] }) => alarms.includes("ownAccess"));
  return own.map(({ holder, at, urn }) => ({
    message:
      `the runs of this stack log in as ${holderInWords(holder)}, which would lose access of ` +
      `${nameInWords(at.path ?? at.uid)}: \`pulumi up\` will stop there with SELF_LOCKOUT; earlier changes stay applied`,
    ...(urn !== undefined && { urn }),
  }));
}

/** A warning about people who gain access and of whom only the uid is known; empty without any. */
function unnamed(changes: readonly ReviewedChange[]): Notice[] {
  const uids = new Set(changes.flatMap(({ effect, holder }) => (effect === "gain" && holder.isUnseen ? [holder.uid ?? ""] : [])));
  if (uids.size === 0) return [];
  const who = shortList([...uids], mostNamed);
  return [
    {
      message: `who ${who} is, this review does not know: \`pulumi-platform rehearse\` does, and so does \`identityRef: { issuer, subject }\` in the program`,
    },
  ];
}

/** Operations that delete an object, which the engine refuses for a protected resource. */
const deleting: ReadonlySet<string> = new Set(["delete", "delete-replaced", "replace"]);

/** Warnings about protected resources that the update deletes. Without `--ignore-protect` such a preview fails. */
function ignoredProtection({ steps, errors }: PreviewFile): Notice[] {
  if (errors.length > 0) return [];
  const urns = new Set(steps.flatMap(({ op, urn, oldState }) => (deleting.has(op) && oldState.protect ? [urn] : [])));
  return [...urns].map((urn) => ({
    message: `${nameOf(urn)} has \`protect\`, and this preview ignores it (\`--ignore-protect\`): the update deletes the object`,
    urn,
  }));
}

/** The topmost groups that a move replaces, with their contents. */
function replacedSubtrees(before: Snapshot, { moved, urns }: Applied): Notice[] {
  const replaced = [...moved].filter(([, uid]) => before.groups.has(uid));
  const tops = replaced.filter(([, uid]) => !replaced.some(([, other]) => other !== uid && isAtOrBelow(uid, other)));
  return tops.map(([made, uid]): Notice => {
    const below = [...urns.keys()].filter((key) => isBelow(key.slice(key.indexOf(" ") + 1), uid)).length;
    const urn = urns.get(objectKey({ kind: kindNames.group, uid: made }));
    const what = below === 0 ? "" : `, with the ${below} ${below === 1 ? "object" : "objects"} of this program in it`;
    return {
      message: `${nameInWords(located(before, uid).path ?? uid)} is replaced${what}: all get new uids. Others' role bindings and objects in it are deleted, or block the update`,
      ...(urn !== undefined && { urn }),
    };
  });
}
