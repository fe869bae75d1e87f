import { literal } from "../../client/printable";
import type { Inputs } from "../../schema/kind";

/** What the checks and diffs of one run showed about one natural key. */
interface KeyDeclaration {
  /** Logical name of the first resource that declares it; undefined if its class does not tell it. */
  name: string | undefined;
  /** The program's `adopt`; undefined if unset. */
  adopt: boolean | undefined;
  /** A check received inputs from state: the resource exists. */
  isInState: boolean;
  /** Those inputs had another natural key: the resource is moved or renamed. */
  isMoved: boolean;
  /** A check received no inputs from state: the resource is new, or is being replaced. */
  isNew: boolean;
  /** The object that a diff after the check found unchanged, and what declares it, with the uids of references. */
  unchanged: { uid: string; inputs: Inputs } | undefined;
}

/** What a check shows about other resources with the same natural key. */
export type DuplicateCheck =
  | { readonly is: "first" | "duplicate" }
  /** A duplicate if the object `uid` still exists; otherwise the engine resumes the replacement of that object. */
  | { readonly is: "duplicate if it exists"; readonly uid: string; readonly inputs: Inputs };

/** How the engine replaces a resource: `in place` of an object with the same natural key, or as a `move` from another key. */
export type Replacement = "in place" | "move";

/**
 * The natural keys that the program declares. Providers never see a URN, so the order of the engine's calls distinguishes two
 * resources from one. For one resource it is
 *
 * - check without state: a new resource, or one that `--replace` or `pulumi state taint` replaces;
 * - check with state, then diff: an existing resource;
 * - check with state, possibly diff, then check without state: a replacement.
 */
// See docs/contributing/engine.md#check.
export class Declarations {
  readonly #byKey = new Map<string, KeyDeclaration>();

  /** @param options.adoptByDefault for resources that do not set `adopt` */
  constructor(private readonly options: { readonly adoptByDefault: boolean }) {}

  /** Records that the program declares `key`. The first resource that does decides about `adopt`. @param name its logical name. Default: unknown */
  declare(key: string, adopt: boolean | undefined, name?: string): void {
    if (!this.#byKey.has(key))
      this.#byKey.set(key, { name, adopt, isInState: false, isMoved: false, isNew: false, unchanged: undefined });
  }

  /** Logical name of the first resource that declares `key`; undefined if it is not known. */
  nameOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : this.#byKey.get(key)?.name;
  }

  /** Records that the resource that declares the key `written`, with references, declares `key`, with their uids. */
  resolved(written: string | undefined, key: string | undefined): void {
    const declaration = written === undefined ? undefined : this.#byKey.get(written);
    if (declaration !== undefined && key !== undefined && !this.#byKey.has(key)) this.#byKey.set(key, declaration);
  }

  /** True if a check of this run has seen `key`. */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** True if the resource that declares `key` may adopt the object that has it. */
  adopts(key: string): boolean {
    return this.#byKey.get(key)?.adopt ?? this.options.adoptByDefault;
  }

  /** How the engine replaces the resource that declares `key`. Undefined proves nothing. */
  replacement(key: string): Replacement | undefined {
    const declaration = this.#byKey.get(key);
    if (declaration === undefined || !declaration.isInState || !declaration.isNew) return undefined;
    return declaration.isMoved ? "move" : "in place";
  }

  /**
   * Records a check of the declared `key`.
   *
   * @param old the natural key of the inputs from state; null if the engine passed none
   */
  checked(key: string, old: string | undefined | null): DuplicateCheck {
    const isInState = old !== null;
    const declaration = this.#byKey.get(key);
    if (declaration === undefined) return { is: "first" };
    if (declaration.isNew || (isInState && declaration.isInState)) return { is: "duplicate" };
    const { unchanged } = declaration;
    if (isInState) Object.assign(declaration, { isInState, isMoved: old !== key });
    else if (unchanged !== undefined) return { is: "duplicate if it exists", ...unchanged };
    else declaration.isNew = true;
    return { is: "first" };
  }

  /** Records that a diff found `uid`, the object of the resource that declares `key`, exactly as declared. */
  foundUnchanged(key: string, uid: string, inputs: Inputs): void {
    const declaration = this.#byKey.get(key);
    // A refresh diffs before the check, so it says nothing about a replacement that the check may begin.
    if (declaration?.isInState) declaration.unchanged = { uid, inputs };
  }

  /** Records that the resource that declares `key` is created in place of an object that no longer exists. */
  replaces(key: string): void {
    const declaration = this.#byKey.get(key);
    if (declaration !== undefined) declaration.isNew = true;
  }
}

/** The beginning of a message about two resources that declare the same, by their logical names if both are known. */
export function bothDeclare(one: string | undefined, other: string | undefined): string {
  if (one === undefined || other === undefined) return "another resource of this program declares";
  return `${literal(one)} and ${literal(other)} of this program both declare`;
}
