import { type Outcome, outcomeOf } from "./engine";
import { Platform, Refused } from "./platform";
import { type Update, withoutChange, withoutResource } from "./random-update";

/** How many rejected changes are left out of one update: more are seldom worth the time. */
const most = 12;

/**
 * The outcome of a random update without the changes that the platform rejects, of which most have one. A resource rejected again is
 * left out.
 *
 * @param order of the slots, where none needs another
 * @returns undefined if too much is rejected
 */
export function acceptedOutcome(random: Update, order: readonly string[]): Outcome | undefined {
  const rejected = new Set<string>();
  let update = random;
  for (let left = most; left >= 0; left -= 1) {
    try {
      return outcomeOf(update, new Platform(), order);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { slot } = error;
      if (slot === undefined) return undefined;
      update = rejected.has(slot) ? withoutResource(update, slot) : withoutChange(update, slot);
      rejected.add(slot);
    }
  }
  return undefined;
}
