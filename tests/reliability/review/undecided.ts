import { isDeepStrictEqual } from "node:util";
import type { Unreadable } from "../../../access/snapshot";
import type { Outcome } from "./engine";
import { type Resource, type Slot, type Update, withoutChange } from "./random-update";

/** The effect of an update on one resource, in a word. */
function operationOf({ before, after, isForced, isRetained }: Slot): string {
  if (before === undefined) return after === undefined ? "same" : "created";
  if (isRetained) return "retained";
  if (after === undefined) return "deleted";
  if (isForced) return "forced";
  if (before.component !== after.component || before.logical !== after.logical) return "moved to another URN";
  return isDeepStrictEqual(before, after) ? "same" : "changed";
}

/** True if the preview does not show how some identity logs in: no review can tell whom that lets in. */
function hidesLogin({ update }: Outcome): boolean {
  return [...update.values()].some(isLoginHidden);
}

function isLoginHidden({ before, after }: Slot): boolean {
  return [before, after].some(
    (each) => each?.kind === "Identity" && (each.isLoginSecret || (each === after && each.isLoginPending)),
  );
}

/** The update with a login that the preview shows. */
function withLogin(update: Update, name: string, slot: Slot): Update {
  const shown = (resource: Resource | undefined) => resource && { ...resource, isLoginSecret: false, isLoginPending: false };
  return new Map([...update, [name, { ...slot, before: shown(slot.before), after: shown(slot.after) }]]);
}

/** Counts the updates that a review leaves undecided, with what makes them so. */
export class UndecidedUpdates {
  reviewed = 0;
  undecided = 0;
  /** The number of reviews in `undecided` without any change, so a gate for any change has no other reason. */
  withoutChange = 0;
  /** Updates whose preview shows every login. */
  shown = 0;
  undecidedShown = 0;
  readonly #byReason = new Map<string, number>();
  readonly #byOperation = new Map<string, number>();

  count(outcome: Outcome, review: { undecided: readonly Unreadable[]; changes: readonly unknown[] }): void {
    const [isShown, isUndecided] = [!hidesLogin(outcome), review.undecided.length > 0];
    this.reviewed += 1;
    if (isShown) this.shown += 1;
    if (!isUndecided) return;
    this.undecided += 1;
    if (isShown) this.undecidedShown += 1;
    if (review.changes.length === 0) this.withoutChange += 1;
    const reasons = review.undecided.map(({ what, reason }) => withoutNames(`${what}: ${reason}`));
    for (const reason of new Set(reasons)) this.#byReason.set(reason, (this.#byReason.get(reason) ?? 0) + 1);
  }

  /**
   * Counts what makes an update undecided: whatever it does with a resource without which the review decides it.
   *
   * @param isDecided reviews another update
   */
  attribute(update: Update, isDecided: (other: Update) => boolean): void {
    const operations = [...update].flatMap(([name, slot]): string[] => {
      const operation = `${slot.before?.kind ?? slot.after?.kind} ${operationOf(slot)}`;
      if (isLoginHidden(slot) && isDecided(withLogin(update, name, slot))) return [`${operation}, its login hidden`];
      return operationOf(slot) !== "same" && isDecided(withoutChange(update, name)) ? [operation] : [];
    });
    for (const operation of operations.length === 0 ? ["several together"] : new Set(operations))
      this.#byOperation.set(operation, (this.#byOperation.get(operation) ?? 0) + 1);
  }

  /** The counts, and each share in per cent. */
  figures(): object {
    const { reviewed, undecided, withoutChange, shown, undecidedShown } = this;
    const share = (part: number, whole: number) => Number(((100 * part) / whole).toFixed(1));
    return {
      reviewed,
      undecided: { count: undecided, percent: share(undecided, reviewed) },
      undecidedWithoutChange: { count: withoutChange, percent: share(withoutChange, reviewed) },
      undecidedWhereEveryLoginIsShown: { of: shown, count: undecidedShown, percent: share(undecidedShown, shown) },
      byOperation: sorted(this.#byOperation),
      byReason: sorted(this.#byReason),
    };
  }
}

/** Names, paths and logins of the generator: a reason is the same whomever it is about. */
function withoutNames(text: string): string {
  return text.replaceAll(/\b(x|y|acme(\/\w+)*|\w+ at https:\/\/[\w.]+|(?<=who is )\w+)(?= |:|$)/g, "…");
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}
