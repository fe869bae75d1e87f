import { compareLogins } from "../../access/logins";
import { describeLogin } from "../../access/prose/describe-login";
import { bySeverity } from "../../access/severity";
import type { ReviewedChange } from "./reviewed-changes";

/** A line of a review: a change, or a gain and a loss of one login that moves with its role. */
export type Row = ReviewedChange | Move;

/** The only gain and the only loss of one role by one login. */
export interface Move {
  readonly severity: ReviewedChange["severity"];
  readonly gain: ReviewedChange;
  readonly loss: ReviewedChange;
}

/** True for a gain and a loss in one line. */
export function isMove(row: Row): row is Move {
  return "gain" in row;
}

/** The changes as lines, in their order. A move stands at the place of its worse half. */
export function rowsOf(changes: readonly ReviewedChange[]): Row[] {
  const moves = new Map<ReviewedChange, Move>();
  for (const group of Map.groupBy(changes, keyOf).values()) {
    const move = moveOf(group);
    if (move !== undefined) moves.set(move.gain, move).set(move.loss, move);
  }
  return [...new Set(changes.map((change) => moves.get(change) ?? change))];
}

/** The role and the login in words, which may be equal for different logins. */
function keyOf({ holder, role }: ReviewedChange): string {
  return `${role.uid} ${holder.login === undefined ? `uid ${holder.uid ?? ""}` : describeLogin(holder.login)}`;
}

function moveOf(changes: readonly ReviewedChange[]): Move | undefined {
  const [gain, loss] = changes.toSorted((one, other) => one.effect.localeCompare(other.effect, "en"));
  if (changes.length !== 2 || gain?.effect !== "gain" || loss?.effect !== "loss" || !changes.every(isWholeRole)) return undefined;
  const [was, is] = [loss.holder.login, gain.holder.login];
  if (was !== undefined && is !== undefined && compareLogins(was, is).relation !== "same") return undefined;
  const [worse] = [gain.severity, loss.severity].toSorted(bySeverity);
  return { severity: worse ?? gain.severity, gain, loss };
}

/** True if a binding gives or takes a whole role. A loss with an alarm stays a line of its own. */
function isWholeRole({ through, capabilities, alarms }: ReviewedChange): boolean {
  return through.kind === "roleBinding" && capabilities === undefined && alarms === undefined;
}
