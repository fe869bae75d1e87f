import type { WireObject } from "../client/collection";

/**
 * The objects that the List of one kind has shown in one organisation, since before this run deleted any such object. After the last of
 * them is deleted, no other object can show that the List works, so this is the evidence.
 */
export class Seen {
  /** Uids of objects that this run deletes or has deleted. Add an object before its DELETE, and remove it if the DELETE failed. */
  readonly leaving = new Set<string>();
  readonly #ever = new Set<string>();
  /** The last complete answer; undefined if it was longer than a page, or failed. */
  #last: readonly string[] | undefined;
  readonly #beganWhole: boolean;

  /** @param first the answer before the first DELETE; undefined if it was longer than a page, or failed */
  constructor(first: readonly WireObject[] | undefined) {
    this.#beganWhole = first !== undefined;
    this.note(first);
  }

  /** Notes a later answer. @param rows undefined if it was longer than a page */
  note(rows: readonly WireObject[] | undefined): void {
    this.#last = rows?.map(({ uid }) => uid);
    for (const uid of this.#last ?? []) this.#ever.add(uid);
  }

  /** True if the whole List did not show the object before the first DELETE. */
  lacked(uid: string): boolean {
    return this.#beganWhole && !this.#ever.has(uid);
  }

  /**
   * True if the List showed the object, and this run also deletes all others in its last answer. A binding of the caller in that answer is
   * not among them, so a caller cannot lose its visible bindings unnoticed.
   */
  wasLast(uid: string): boolean {
    return this.#ever.has(uid) && this.#last !== undefined && this.#last.every((other) => this.leaving.has(other));
  }
}
