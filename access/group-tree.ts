import { isAtOrBelow } from "../provider/client/uid";
import { ancestorsOf } from "./places";
import type { Snapshot } from "./snapshot";

/** The groups of a snapshot as a tree. Groups that only other objects name are included. */
export class GroupTree {
  readonly #sorted: readonly string[];
  readonly #all: ReadonlySet<string>;

  constructor({ groups, bindings, mappings, offers = [], accounts = [] }: Snapshot) {
    const places = [...bindings, ...mappings, ...offers, ...accounts].map(({ place }) => place);
    this.#all = new Set([...groups.keys(), ...places].flatMap((uid) => [...ancestorsOf(uid), uid]));
    this.#sorted = [...this.#all].sort();
  }

  get all(): readonly string[] {
    return this.#sorted;
  }

  has(uid: string): boolean {
    return this.#all.has(uid);
  }

  /** The group and all groups below. */
  within(place: string): string[] {
    // Texts with one prefix and a slash are adjacent in the order, but they do not follow `place` directly. `-` and `.` sort before the
    // slash.
    const found = this.#all.has(place) ? [place] : [];
    for (let index = this.#firstFrom(`${place}/`); index < this.#sorted.length; index += 1) {
      const uid = this.#sorted[index];
      if (uid === undefined || !isAtOrBelow(uid, place)) break;
      found.push(uid);
    }
    return found;
  }

  #firstFrom(text: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? "") < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
