import { type InCollection, ObjectMap } from "./object-map";

/**
 * The objects that this run has imported by a name. The engine compares the text of an import with the uid in state. Where they differ, it
 * imports the object again, and then deletes the resource that it takes for another one, which is the same object.
 */
// See docs/contributing/engine.md#import.
export class Imports {
  /** The resources that have imported each object, by path, and whether a diff has found that they keep it. */
  readonly #objects = new ObjectMap<Map<string, boolean>>();

  /** Records an import of the object by a name. @param path of the resource */
  named(collection: InCollection, uid: string, path: string): void {
    const known = this.#objects.get(collection, uid) ?? new Map<string, boolean>();
    this.#objects.set(collection, uid, known.set(path, false));
  }

  /** Records the diff of the resource at `path`. @param isReplaced whether it gets another object */
  compared(collection: InCollection, uid: string, isReplaced: boolean, path = ""): void {
    const known = this.#objects.get(collection, uid);
    if (known?.has(path)) known.set(path, !isReplaced);
  }

  /** True for an object that a resource has in this run by an import, and keeps. @param path of the resource. Default: any */
  keeps(collection: InCollection, uid: string, path?: string): boolean {
    const known = this.#objects.get(collection, uid) ?? new Map<string, boolean>();
    return path === undefined ? [...known.values()].includes(true) : known.get(path) === true;
  }
}
