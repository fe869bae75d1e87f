import { parentOf } from "../provider/client/uid";

/** Groups by the paths that they may have at some time of an update. */
export class GroupPaths {
  readonly #keys = new Map<string, Set<string>>();
  readonly #paths = new Map<string, readonly string[]>();

  /** The keys of the groups that may have the path. */
  at(path: string): readonly string[] {
    return [...(this.#keys.get(path) ?? [])];
  }

  /** Adds a group under each of its names. Those above it are added before it. */
  add(key: string, names: readonly string[]): void {
    const parent = parentOf(key);
    const around = parent === undefined ? [] : (this.#paths.get(parent) ?? []);
    const paths = parent === undefined ? names : around.flatMap((path) => names.map((name) => `${path}/${name}`));
    for (const path of paths) this.#keys.set(path, (this.#keys.get(path) ?? new Set()).add(key));
    this.#paths.set(key, [...(this.#paths.get(key) ?? []), ...paths]);
  }
}
