import { moveSentence, plainMarkup, sentenceOf, type Markup } from "../../access/prose/sentence";
import type { Located } from "../../access/holders";
import { severities } from "../../access/severity";
import type { Review } from "./review";
import type { ReviewedChange } from "./reviewed-changes";
import { isMove, type Row, rowsOf } from "./rows";
import { sinkSentence } from "./sinks";

/** The result of the review, in a line. */
export function titleOf({ changes, errors, bounds }: Review): string {
  if (changes.length > 0) return `${countText(changes)} (${severityText(changes)})`;
  if (errors.length > 0) return "The preview failed: nothing can be said about access.";
  return bounds === "exact" ? "No access changes." : "No access changes found, but not everything is known.";
}

/** `2 gains, 1 loss`, without changes covered by another role. */
function countText(changes: readonly ReviewedChange[]): string {
  const real = changes.filter(({ coveredBy }) => coveredBy === undefined);
  const count = (effect: string) => real.filter((change) => change.effect === effect).length;
  const [gains, losses] = [count("gain"), count("loss")];
  return `${gains} ${gains === 1 ? "gain" : "gains"}, ${losses} ${losses === 1 ? "loss" : "losses"}`;
}

/** `1 critical, 2 high`. */
function severityText(changes: readonly ReviewedChange[]): string {
  const counts = severities.map((severity) => [severity, changes.filter((each) => each.severity === severity).length] as const);
  return counts.flatMap(([severity, count]) => (count === 0 ? [] : [`${count} ${severity}`])).join(", ");
}

/** The changes to list, and the changes that another role covers. */
export function split(changes: readonly ReviewedChange[]): { shown: Row[]; covered: ReviewedChange[] } {
  const shown = rowsOf(changes.filter(({ coveredBy }) => coveredBy === undefined));
  return { shown, covered: changes.filter(({ coveredBy }) => coveredBy !== undefined) };
}

/** Whether a line gives access, removes it, or does both. */
export function effectOf(row: Row): "gain" | "loss" | "move" {
  return isMove(row) ? "move" : row.effect;
}

/** A change in words, without its sign. */
export function sentence(change: ReviewedChange, markup: Markup = plainMarkup, role = ""): string {
  return change.through.kind === "subscription" ? sinkSentence(change, markup) : sentenceOf(change, markup, { role });
}

/** The sentence of a line, with the role that the holder had before, or keeps. */
export function rowSentence(change: Row, covered: readonly ReviewedChange[], markup: Markup = plainMarkup): string {
  if (isMove(change)) return moveSentence(change.gain, change.loss, markup);
  const other = covered.find(
    (each) =>
      each.effect !== change.effect &&
      isSame(each.at, change.at) &&
      isSame(each.holder, change.holder) &&
      each.coveredBy === (change.role.name ?? change.role.uid),
  );
  const name = other?.role.name;
  const suffix = name === undefined ? "" : ` (${change.effect === "gain" ? "was" : "is now"} ${markup.name(name)})`;
  return sentence(change, markup, suffix);
}

/** True for the same object before and after. A renamed object has another path, and a moved one another uid. */
function isSame(one: Partial<Located>, other: Partial<Located>): boolean {
  return one.uid === other.uid || (one.path !== undefined && one.path === other.path);
}

/** The assumptions of the review; undefined if there are none. */
export function assumedText({ assumed }: Review): string | undefined {
  if (assumed.length === 0) return undefined;
  const what =
    assumed.length === 1
      ? "1 reference known only after the update is assumed to be the resource it depends on"
      : `${assumed.length} references known only after the update are assumed to be the resources they depend on`;
  return `Assumed: ${what}; an \`apply\` could return another uid. --json lists them; --strict assumes nothing.`;
}

/** Why there may be more changes than are listed; undefined if there cannot. */
export function boundsText({ bounds, reasons }: Review): string | undefined {
  return bounds === "exact" ? undefined : `There may be more: ${reasons.join("; ")}.`;
}
