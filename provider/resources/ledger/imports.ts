import type { InCollection } from "./object-map";

/**
 * The objects that this run has imported by a name. The engine compares the text of an import with the uid in state. Where they differ, it
 * imports the object again, and then deletes the resource that it takes for another one, which is the same object.
 */
// See docs/contributing/engine.md#import.
export class Imports {
  /** The import of each resource, by the path of the resource. */
  readonly #imports = new Map<string, Imported>();

  /** Records an import of the object by a name. @param path of the resource */
  named({ segment }: InCollection, uid: string, path: string): void {
    this.#imports.set(path, { object: `${segment} ${uid}`, isKept: false });
  }

  /** Records the diff of the resource at `path`. @param isReplaced whether it gets another object */
  compared({ segment }: InCollection, uid: string, isReplaced: boolean, path = ""): void {
    const known = this.#imports.get(path);
    if (known?.object === `${segment} ${uid}`) known.isKept = !isReplaced;
  }

  /** Records that the resource at `path` gets a new object: an engine may replace what no diff replaces, as `replaceOnChanges` says. */
  created(path: string): void {
    this.#imports.delete(path);
  }

  /** True for an object that a resource has in this run by an import, and keeps. @param path of the resource. Default: any */
  keeps({ segment }: InCollection, uid: string, path?: string): boolean {
    const all = path === undefined ? [...this.#imports.values()] : [this.#imports.get(path)];
    return all.some((each) => each?.isKept === true && each.object === `${segment} ${uid}`);
  }
}

interface Imported {
  /** The object by its collection and its uid. */
  readonly object: string;
  /** True if a diff has found that the resource keeps the object. */
  isKept: boolean;
}
