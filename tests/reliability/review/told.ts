import type { AccessChange } from "../../../access/compare";
import { sentenceOf } from "../../../access/prose/sentence";
import type { Review } from "../../../cli/review/review";
import type { PreviewFile } from "../../../preview/file";
import { type Abilities, type Ability, untold } from "../effective-access";
import type { Outcome } from "./engine";
import type { Resource } from "./random-update";

/** The access that an update has given and taken. */
export interface Changed {
  readonly gains: readonly Ability[];
  readonly losses: readonly Ability[];
}

/** The access that a review should have reported. */
export interface Missing {
  readonly gains: readonly string[];
  readonly losses: readonly string[];
  readonly details?: object;
}

/** A review of an update, and the platform before and after it. */
export interface Reviewed {
  readonly file: PreviewFile;
  readonly review: Review;
  readonly before: Abilities;
  readonly after: Abilities;
  /** The name of a group in the abilities, by what a review calls it. */
  readonly nameOf: (uid: string) => string;
}

/** The changes that the review does not report, with the preview and the review. */
export function missingIn({ gains, losses }: Changed, { file, review, before, after, nameOf }: Reviewed): Missing {
  const told = (effect: AccessChange["effect"]) =>
    review.changes.filter((each) => each.effect === effect && each.coveredBy === undefined && each.isWithoutHolder !== true);
  const missing = {
    gains: untold(gains, told("gain"), after.people, nameOf),
    losses: untold(losses, told("loss"), before.people, nameOf),
  };
  const isTold = missing.gains.length + missing.losses.length === 0;
  return { ...missing, ...(!isTold && { details: detailsOf(file, review) }) };
}

function detailsOf({ steps }: PreviewFile, { changes }: Review): object {
  return {
    steps: steps.map(({ op, urn, oldState, newState }) =>
      JSON.stringify([op, urn, oldState.id, oldState.inputs, newState.inputs, newState.propertyDependencies]),
    ),
    changes: changes.map((change) => `${change.effect} ${sentenceOf(change)}`),
  };
}

/** The group that a review means by `uid`, as it is after the update: one that is not made yet is called by its resource. */
export function groupIn({ update, uids }: Pick<Outcome, "update" | "uids">, uid: string): string {
  const [, component = "", logical] = /\/([^/]*\$)?[^$/]*iam:Group::(\w+)$/.exec(uid) ?? [];
  const isMeant = (after: Resource | undefined) =>
    after?.kind === "Group" && after.component === component && after.logical === logical;
  const [name = ""] = [...update].find(([, { after }]) => isMeant(after)) ?? [];
  return uids.get(name) ?? uid;
}
