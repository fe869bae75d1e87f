/** What the checks and diffs of one run have shown about one natural key. */
interface Declaration {
  /** What the program says; undefined where it leaves `adopt` out. */
  adopt: boolean | undefined;
  /** A check got the inputs in state: the resource exists. */
  isInState: boolean;
  /** A check got no inputs in state: the resource is new, or is being replaced. */
  isNew: boolean;
  /** The object of a resource that a diff, after the check, found unchanged. */
  unchanged: string | undefined;
}

/** What a check shows about other resources of the program that declare the same natural key. */
export type Repetition =
  | { readonly is: "first" | "duplicate" }
  /** A duplicate if the object `uid` still exists; otherwise the engine resumes the replacement of that object. */
  | { readonly is: "duplicate if it exists"; readonly uid: string };

/**
 * The natural keys that the program declares. Providers never see a URN, so two resources are told from one by the order of the
 * engine's calls (docs/engine.md#check). For one resource this is one of
 *
 * - check without state: a new resource, or one that `--replace` or `pulumi state taint` replaces;
 * - check with state, then diff: an existing resource;
 * - check with state, then perhaps diff, then check without state: a replacement.
 */
export class Declarations {
  readonly #byKey = new Map<string, Declaration>();

  /** Notes that the program declares `key`. The first resource that does decides about `adopt`. */
  declare(key: string, adopt: boolean | undefined): void {
    if (!this.#byKey.has(key)) this.#byKey.set(key, { adopt, isInState: false, isNew: false, unchanged: undefined });
  }

  /** True when a check of this run has seen `key`. */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** What the program says about `adopt`; undefined where it says nothing. */
  adopt(key: string): boolean | undefined {
    return this.#byKey.get(key)?.adopt;
  }

  /** True when the resource that declares `key` exists and is being created, so the engine replaces it. False proves nothing. */
  isReplaced(key: string): boolean {
    const declaration = this.#byKey.get(key);
    return declaration !== undefined && declaration.isInState && declaration.isNew;
  }

  /**
   * Notes a check of the declared `key`.
   *
   * @param isInState whether the engine passed the resource's inputs in state
   */
  checked(key: string, isInState: boolean): Repetition {
    const declaration = this.#byKey.get(key);
    if (declaration === undefined) return { is: "first" };
    if (declaration.isNew || (isInState && declaration.isInState)) return { is: "duplicate" };
    const { unchanged } = declaration;
    if (isInState) declaration.isInState = true;
    else if (unchanged !== undefined) return { is: "duplicate if it exists", uid: unchanged };
    else declaration.isNew = true;
    return { is: "first" };
  }

  /** Notes that a diff found `uid`, the object of the resource that declares `key`, exactly as declared. */
  foundUnchanged(key: string, uid: string): void {
    const declaration = this.#byKey.get(key);
    // A refresh diffs before the check: it says nothing about the replacement that the check may begin.
    if (declaration?.isInState) declaration.unchanged = uid;
  }

  /** Notes that the resource that declares `key` is created in place of an object that no longer exists. */
  replaces(key: string): void {
    const declaration = this.#byKey.get(key);
    if (declaration !== undefined) declaration.isNew = true;
  }
}
