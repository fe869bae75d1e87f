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
  named({ collection: { segment, noun } }: Pick<Kind, "collection">, uid: string, path: string): void {
    this.#imports.set(path, { segment, noun, uid, isKept: false, wasKept: false });
  }

  /** Records the diff of the resource at `path`. @param isReplaced whether it gets another object */
  compared({ segment }: InCollection, uid: string, isReplaced: boolean, path = ""): void {
    const known = this.#imports.get(path);
    if (known?.segment === segment && known.uid === uid) known.isKept = !isReplaced;
  }

  /**
   * Records that the resource at `path` gets a new object: an engine may replace what no diff replaces, as `replaceOnChanges` says.
   *
   * @throws PlatformError `KEY_TAKEN` if the old object was kept although the engine has deleted it first, for this create
   */
  created(path: string): void {
    const known = this.#imports.get(path);
    if (known?.wasKept === true) throw stillThere(known);
    this.#imports.delete(path);
  }

  /**
   * True for an object that a resource has in this run by an import, and keeps. Its deletion is then skipped.
   *
   * @param path of the resource. Default: any
   */
  keeps({ segment }: InCollection, uid: string, path?: string): boolean {
    const all = path === undefined ? [...this.#imports.values()] : [this.#imports.get(path)];
    const kept = all.filter((each) => each?.isKept === true && each.segment === segment && each.uid === uid);
    for (const each of kept) if (each !== undefined) each.wasKept = true;
    return kept.length > 0;
  }
}

interface Imported {
  /** Segment of the object's collection. */
  readonly segment: string;
  readonly noun: string;
  readonly uid: string;
  /** True if a diff has found that the resource keeps the object. */
  isKept: boolean;
  /** True once a deletion of the object was skipped. */
  wasKept: boolean;
}

function stillThere({ noun, uid }: Imported): PlatformError {
  return new PlatformError(
    "KEY_TAKEN",
    `create ${noun}: the engine replaces ${uid} and deletes it first (\`deleteBeforeReplace\`), but it was kept, because this run has imported ` +
      "it by its name. Nothing was created, and it still exists.\nWrite that uid in the `import` option, or remove the option. Then run again.",
  );
}
