import type { AccessChange } from "../../access/compare";
import type { Unreadable } from "../../access/snapshot";
import type { Applied } from "../../preview/apply";
import { previewCommand, type PreviewFile } from "../../preview/file";
import { parentOf } from "../../provider/client/uid";
import type { Judged } from "./judged";
import type { Known } from "./known";
import { unknownLogins, unknownRoles, unseenHolders } from "./unseen";

/** A fact that a review does not know for certain. */
interface Doubt extends Unreadable {
  /** `undecided`: it may be any change. `unknown`: the worst case is listed. `assumed`: the only possible case is listed. */
  readonly is: "undecided" | "unknown" | "assumed";
  /** Why there may be more changes than are listed; absent if the worst case is listed. */
  readonly bounds?: string;
}

/** The facts from which a review finds its doubts. */
interface Facts {
  readonly file: PreviewFile;
  readonly judged: Judged;
  readonly applied: Applied;
  readonly known: Known;
  readonly changes: readonly AccessChange[];
  /** Whether a value that the program may have computed is undecided. */
  readonly isStrict: boolean;
}

const partial =
  "the preview was made without --show-sames, so unchanged resources are missing, and may still give access listed as lost";
const failed = "the preview failed, so it is incomplete";
const silent = "the preview does not show everything";
const unread = "not everything on the platform could be read";

const withoutSames: Unreadable = {
  what: "unchanged resources",
  reason: `the preview was made without --show-sames. Write it with \`${previewCommand}\``,
};

function unshownDelete(name: string): Unreadable {
  const reason = "an earlier update replaced it and did not delete it, so the next one does";
  return { what: `the former ${name}`, reason: `${reason}. Write the preview with \`--show-replacement-steps\`` };
}

/** All doubts of a review, each with its consequence. Doubts that decide a gate come first. */
function doubtsOf({ file, judged, applied, known, changes, isStrict }: Facts): Doubt[] {
  const all = (is: Doubt["is"], some: readonly Unreadable[], bounds?: string) =>
    some.map(({ what, reason }): Doubt => ({ is, what, reason, ...(bounds !== undefined && { bounds }) }));
  const open = (is: Doubt["is"]) => applied.open.filter((each) => each.is === is);
  // A review of the preview alone promises no more than the preview shows.
  const isAlone = known.objects.length === 0 && known.unreadable.length === 0;
  const unseen = isSeen(known) ? [] : unseenHolders(changes);
  const isMade = ({ holder }: AccessChange) => applied.made.has(holder.uid ?? "");
  return [
    ...all("undecided", file.isWhole ? [] : [withoutSames], partial),
    ...all("undecided", (file.unshown ?? []).map(unshownDelete), silent),
    ...all("undecided", [...judged.undecided, ...open("undecided")], silent),
    ...(isStrict ? all("undecided", open("assumed"), silent) : all("assumed", open("assumed"))),
    ...all("undecided", known.unseen, unread),
    ...all("undecided", isAlone ? [] : [...unseen, ...hiddenLogins(changes, applied)]),
    ...all("unknown", open("unknown"), silent),
    ...all("unknown", unseen),
    ...all("unknown", known.unreadable, unread),
    ...all("unknown", unknownRoles(changes)),
    // New objects and references that are not understood are already open in the plan.
    ...all("unknown", unknownLogins(changes.filter((change) => !isMade(change)))),
  ];
}

/** True if the platform shows all roles that others may have given. */
export function isSeen({ objects, unreadable }: Known): boolean {
  return objects.length > 0 && unreadable.length === 0;
}

/** Unknown logins of identities that gain access, unless another doubt already names them. */
function hiddenLogins(changes: readonly AccessChange[], { open, made }: Applied): Unreadable[] {
  const told = new Set(open.flatMap(({ about = [] }) => about));
  // A person, who is in no group, is one human. A hidden identity may log in anybody.
  const isPerson = (uid: string) => parentOf(uid) === undefined && !made.has(uid);
  const isTold = (uid: string) => isPerson(uid) || told.has(uid);
  return unknownLogins(changes.filter(({ holder, coveredBy }) => coveredBy === undefined && !isTold(holder.uid ?? "")));
}

/** The parts of a review that name its doubts. */
export interface Told {
  /** Facts that the preview does not show, starting with all of `undecided`. */
  readonly unknown: readonly Unreadable[];
  /** Facts that may be any change, so a gate cannot pass. */
  readonly undecided: readonly Unreadable[];
  /** References assumed to be the uid of the only resource they depend on; empty if nothing is assumed. */
  readonly assumed: readonly Unreadable[];
  /** `lower`: there may be more changes. */
  readonly bounds: "exact" | "lower";
  /** Why there may be more changes; empty if there cannot. */
  readonly reasons: readonly string[];
}

/** The doubts as a review presents them: a list for each sort, and the reasons why there may be more changes. */
export function toldOf(facts: Facts): Told {
  const doubts = doubtsOf(facts);
  const those = (...sorts: readonly Doubt["is"][]): Unreadable[] =>
    doubts.filter(({ is }) => sorts.includes(is)).map(({ what, reason }) => ({ what, reason }));
  const found = new Set(doubts.map(({ bounds }) => bounds));
  if (facts.file.errors.length > 0) found.add(failed);
  const reasons = [partial, failed, silent, unread].filter((reason) => found.has(reason));
  return {
    undecided: those("undecided"),
    unknown: [...new Map(those("undecided", "unknown").map((each) => [`${each.what}: ${each.reason}`, each])).values()],
    assumed: those("assumed"),
    bounds: reasons.length === 0 ? "exact" : "lower",
    reasons,
  };
}
