import { literal } from "../../client/printable";
import { logicalNameIn } from "../../schema/path";

/** A resource of the program that declares a natural key. */
interface KeyDeclaration {
  /** Path of the resource; undefined for a member of a `GroupAccess`, and where the host does not tell it. */
  path: string | undefined;
  /** The program's `adopt`; undefined if unset. */
  adopt: boolean | undefined;
  /** A check received inputs from state: the resource exists. */
  isInState: boolean;
  /** Only a member of a `GroupAccess` declares it. */
  isMember: boolean;
  /** The inputs in state had another natural key, so the resource is moved or renamed. */
  isMoved: boolean;
  /** A check received no inputs from state: the resource is new, or is being replaced. */
  isNew: boolean;
}

/** The check of a resource that declares a natural key. */
export interface KeyCheck {
  /** Path of the resource; undefined where the host does not tell it. */
  readonly path?: string | undefined;
  /** The program's `adopt`; undefined if unset. */
  readonly adopt?: boolean | undefined;
  /** The natural key of the inputs from state, undefined if they have none; null if the engine passed no inputs. */
  readonly old: string | undefined | null;
}

/** How the engine replaces a resource: `in place` of an object with the same natural key, or as a `move` from another key. */
export type Replacement = "in place" | "move";

/** The natural keys that the program declares, and which resource declares each. Two paths are two resources, whatever comes first. */
// See docs/decisions/0023-duplicates-fail-in-check.md.
export class Declarations {
  readonly #byKey = new Map<string, KeyDeclaration>();
  readonly #checked = new Set<string>();
  /** The natural keys that checked resources have in state. */
  readonly #checkedKeys = new Set<string>();
  /** The resources that had a key in state and declare another one now, by the old key. */
  readonly #givenUp = new Map<string, string>();

  /** @param options.adoptByDefault for resources that do not set `adopt` */
  constructor(private readonly options: { readonly adoptByDefault: boolean }) {}

  /**
   * Records the check of a resource that declares `key`.
   *
   * @returns the path of another resource of the program that declares it; undefined if there is none
   */
  check(key: string, { path, adopt, old }: KeyCheck): string | undefined {
    if (path !== undefined) this.checked(path);
    if (path !== undefined && typeof old === "string" && old !== key) this.#givenUp.set(old, path);
    const known = this.#byKey.get(key);
    if (known?.path !== undefined && path !== undefined && known.path !== path) return known.path;
    const declaration = known ?? { path, adopt, isMember: false, isInState: false, isMoved: false, isNew: false };
    // A member of a GroupAccess may have declared the key before.
    if (declaration.path === undefined) Object.assign(declaration, { path, adopt, isMember: false });
    if (old === null) declaration.isNew = true;
    else Object.assign(declaration, { isInState: true, isMoved: old !== key });
    this.#byKey.set(key, declaration);
    return undefined;
  }

  /** Records that a `GroupAccess` declares a member with the natural key of its role binding. @param adopt as in {@link KeyCheck} */
  checkMember(key: string, adopt: boolean): void {
    if (this.#byKey.has(key)) return;
    this.#byKey.set(key, { path: undefined, adopt, isMember: true, isInState: false, isMoved: false, isNew: false });
  }

  /** Records that the engine has checked the resource in this run: the program declares it. */
  checked(path: string): void {
    this.#checked.add(path);
  }

  /** Records the check of the resource with this natural key in state. @param key undefined if it is not known */
  checkedFrom(key: string | undefined): void {
    if (key !== undefined) this.#checkedKeys.add(key);
  }

  /** True once the resource with this natural key in state has been checked. */
  isCheckedFrom(key: string | undefined): boolean {
    return key !== undefined && this.#checkedKeys.has(key);
  }

  /** True once the program has declared the resource in this run. A refresh also compares resources that have left it. */
  isChecked(path: string): boolean {
    return this.#checked.has(path);
  }

  /** Records that the resource with the key `written`, with references, declares `key`, with their uids. */
  resolved(written: string | undefined, key: string | undefined): void {
    const declaration = written === undefined ? undefined : this.#byKey.get(written);
    if (declaration !== undefined && key !== undefined && !this.#byKey.has(key)) this.#byKey.set(key, declaration);
  }

  /** True if the program declares `key`, as far as this run has checked it. */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** True if only members of a `GroupAccess` declare `key`. */
  isMember(key: string): boolean {
    return this.#byKey.get(key)?.isMember === true;
  }

  /** Path of the resource that declares `key`; undefined if it is not known. */
  pathOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : this.#byKey.get(key)?.path;
  }

  /**
   * Path of another resource that has `key` in state and declares another key, as long as it has not been updated.
   *
   * @param taker path of the asking resource. Default: the resource that declares the key
   */
  givenUpBy(key: string | undefined, taker = this.pathOf(key)): string | undefined {
    const holder = key === undefined ? undefined : this.#givenUp.get(key);
    return holder === taker ? undefined : holder;
  }

  /** Records that no object of this process has `key` any more. */
  freed(key: string): void {
    this.#givenUp.delete(key);
  }

  /** True if the resource with the key `key` may adopt the object that has it. */
  adopts(key: string): boolean {
    return this.#byKey.get(key)?.adopt ?? this.options.adoptByDefault;
  }

  /** How the engine replaces the resource that declares `key`. Undefined if it is not known to. */
  replacement(key: string): Replacement | undefined {
    const declaration = this.#byKey.get(key);
    if (declaration === undefined || !declaration.isInState || !declaration.isNew) return undefined;
    return declaration.isMoved ? "move" : "in place";
  }
}

/** `"shop" and "store" of this program both VERB`, by the logical names in two paths; without them where one is not known. */
export function bothOf(one: string | undefined, other: string | undefined, verb: string): string {
  if (one === undefined || other === undefined) return `another resource of this program ${verb}s`;
  return `${literal(logicalNameIn(one))} and ${literal(logicalNameIn(other))} of this program both ${verb}`;
}

/** Why the resource at `holder` cannot give an object up to another resource in one update, as the end of a sentence. */
export function stillBelongs(holder: string): string {
  return (
    `still belongs to ${literal(logicalNameIn(holder))} of this program, which gives it up in the same ` +
    "update. The order of the two is not certain. Make the change in two updates: first the one that gives it up, then the other."
  );
}
