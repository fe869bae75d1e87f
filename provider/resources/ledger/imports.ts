import { PlatformError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
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
  named(collection: Collection, uid: string, path: string): void {
    this.#imports.set(path, { collection, uid, isKept: false, isSpared: false });
  }

  /** Records the diff of the resource at `path`. @param isReplaced whether it gets another object */
  compared(collection: InCollection, uid: string, isReplaced: boolean, path = ""): void {
    const known = this.#imports.get(path);
    if (known !== undefined && isOf(known, collection, uid)) known.isKept = !isReplaced;
  }

  /**
   * Records that the resource at `path` gets a new object: an engine may replace what no diff replaces, as `replaceOnChanges` says.
   *
   * @throws PlatformError `KEY_TAKEN` if the engine has deleted the old object for this create, and the object was spared
   */
  created(path: string): void {
    const known = this.#imports.get(path);
    if (known?.isSpared === true) throw stillThere(known);
    this.#imports.delete(path);
  }

  /**
   * Spares an object from its deletion if a resource has imported it in this run, and keeps it.
   *
   * @param path of the resource. Default: every resource
   * @returns true if the object is spared
   */
  spare(collection: InCollection, uid: string, path?: string): boolean {
    const kept = [...this.#imports]
      .filter(([at, each]) => (path === undefined || at === path) && each.isKept && isOf(each, collection, uid))
      .map(([, each]) => each);
    for (const each of kept) each.isSpared = true;
    return kept.length > 0;
  }
}

type Collection = Kind["collection"];

interface Imported {
  readonly collection: Collection;
  readonly uid: string;
  /** True if a diff has found that the resource keeps the object. */
  isKept: boolean;
  /** True once its deletion was skipped. */
  isSpared: boolean;
}

function isOf(imported: Imported, { segment }: InCollection, uid: string): boolean {
  return imported.collection.segment === segment && imported.uid === uid;
}

function stillThere({ collection: { noun }, uid }: Imported): PlatformError {
  return new PlatformError(
    "KEY_TAKEN",
    `create ${noun}: the engine replaces ${uid} and deletes it first (\`deleteBeforeReplace\`), but it was kept, because this run has imported ` +
      "it by its name. Nothing was created, and it still exists.\nWrite that uid in the `import` option, or remove the option. Then run again.",
  );
}
