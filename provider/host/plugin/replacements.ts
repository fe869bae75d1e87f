/**
 * Recognizes deletes of a replacement that the engine decides on after a diff that asked for none (`replaceOnChanges`). That diff has
 * claimed the object for its resource, which keeps a delete of another resource from taking it away, but not this one.
 */
export class Replacements {
  readonly #checked = new Set<string>();
  /** The object of each resource that was compared with the program, by URN. */
  readonly #compared = new Map<string, string>();

  /** Records that the program declares the resource. */
  checked(urn: string): void {
    this.#checked.add(urn);
  }

  /** Records a diff. That of a refresh comes before the check, and also for resources that the program no longer declares. */
  compared(urn: string, id: string): void {
    if (this.#checked.has(urn)) this.#compared.set(urn, id);
  }

  /** True if the engine deletes the object of the resource that this run has compared, and no other resource has that object. */
  isReplaced(urn: string, id: string): boolean {
    return this.#compared.get(urn) === id && [...this.#compared].every(([other, uid]) => other === urn || uid !== id);
  }
}
