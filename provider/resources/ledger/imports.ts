import { type InCollection, ObjectMap } from "./object-map";

/**
 * The objects that this run has imported by a name. The engine compares the text of an import with the uid in state. Where they differ, it
 * imports the object again, and then deletes the resource that it takes for another one, which is the same object.
 */
// See docs/contributing/engine.md#import.
export class Imports {
  readonly #objects = new ObjectMap<"imported" | "kept" | "replaced">();

  /** Records an import of the object by a name. */
  named(collection: InCollection, uid: string): void {
    this.#objects.set(collection, uid, "imported");
  }

  /** Records the diff of an object. @param isReplaced whether the resource gets another object */
  compared(collection: InCollection, uid: string, isReplaced: boolean): void {
    if (this.#objects.has(collection, uid)) this.#objects.set(collection, uid, isReplaced ? "replaced" : "kept");
  }

  /** True for an object that a resource has in this run by an import, and keeps. */
  keeps(collection: InCollection, uid: string): boolean {
    return this.#objects.get(collection, uid) === "kept";
  }
}
