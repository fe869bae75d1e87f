/** The data about a resource in most calls of the engine. */
export interface Subject {
  readonly urn: string;
  /** Token of the type: `platform:iam:Group`. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
}

/** A resource with an object. */
export interface Existing extends Subject {
  readonly id: string;
}

/**
 * Recognizes the delete of a replacement that the engine decided on although the diff asked for none (`replaceOnChanges`). The diff has
 * claimed the object for the resource, so that no other resource deletes it. The delete of the replacement must delete it.
 */
export class Replacements {
  readonly #checked = new Set<string>();
  /** The object of each resource that was compared with the program, by URN. */
  readonly #compared = new Map<string, { readonly type: string; readonly id: string }>();

  /** Records that the program declares the resource. */
  checked(urn: string): void {
    this.#checked.add(urn);
  }

  /** True once the program has declared the resource in this run. */
  isChecked({ urn }: Existing): boolean {
    return this.#checked.has(urn);
  }

  /** Records a diff of an update. A refresh diffs before the check, and also diffs resources that the program no longer declares. */
  compared({ urn, type, id }: Existing): void {
    if (this.#checked.has(urn)) this.#compared.set(urn, { type, id });
  }

  /**
   * True if this run has compared this resource with the program, and no other resource owns its object. Objects of different types may
   * have the same uid, such as a group and the access to it.
   */
  isReplaced({ urn, type, id }: Existing): boolean {
    const holders = [...this.#compared].filter(([, held]) => held.type === type && held.id === id);
    return holders.length === 1 && holders[0]?.[0] === urn;
  }
}
