import type { Hidden } from "../access/snapshot";
import type { WireObject } from "../provider/client/collection";
import type { Path } from "../provider/schema/values";
import type { Inputs } from "../provider/schema/kind";

/** An object of any source. Kind and uid together identify it, because a group and its account association share one uid. */
export interface KeyedObject {
  /** Published name of its kind: `iam:RoleBinding`. */
  readonly kind: string;
  readonly uid: string;
}

/** The identity of an object as a key. The kind is included, because a group and its account association share one uid. */
export function objectKey({ kind, uid }: KeyedObject): string {
  return `${kind} ${uid}`;
}

/** An object in the form that all sources share. */
export interface InventoryObject extends KeyedObject {
  /** Uid of the group that contains it, or of the group above a group; undefined for an object in no group. */
  readonly place: string | undefined;
  /** Its fields in canonical form, as inputs that would declare it. References are uids. */
  readonly value: Inputs;
}

/** An object as a List of the platform shows it. */
export interface PlatformObject extends InventoryObject {
  /** Absent for kinds without names. */
  readonly name?: string;
  /** `acme/engineering/ci`, or the path of the group for an object without a name. Absent if a name on the way is unknown. */
  readonly path?: string;
  /** The row of the List. */
  readonly row: WireObject;
}

/** An object that a stack manages. */
export interface DeclaredObject extends Omit<InventoryObject, "uid"> {
  /** Undefined until the object is created. */
  readonly uid: string | undefined;
  readonly urn: string;
  /** `project/stack`, from the URN. */
  readonly stack: string;
  /** The name that a `GroupAccess` gives the holder of this role binding, which does not identify the holder. Absent if it is secret. */
  readonly label?: string;
  /**
   * When its state was written. Exports from different times may differ in which values are encrypted. Absent if the state does not say.
   */
  readonly written?: string;
  /** The inputs of the program. Encrypted values at {@link secretPaths} are left out. */
  readonly inputs: Inputs;
  /** The outputs in the state. They are nearly empty for an object inside another resource. */
  readonly outputs: Inputs;
  /** Paths of secret inputs. */
  readonly secretPaths: readonly Path[];
  /** Paths of encrypted secrets, which cannot be compared. */
  readonly encryptedPaths: readonly Path[];
  /** Why the object need not exist. `replaced`: it is about to be deleted. Absent otherwise. */
  readonly pending?: "replaced";
}

/** A part of an organisation that could not be read. */
export interface UnreadablePart extends Hidden {
  /** Published name of the kind of object. Absent for names and inherited access around the objects. */
  readonly kind?: string;
  readonly kinds: readonly string[];
  /** Objects of the kind may be missing in this group and below, except where other objects are shown. */
  readonly place: string;
  /**
   * Why it could not be read: these credentials lack a right (`denied`), or a request failed for another reason or must be repeated
   * (`failed`). Absent if the answer is too large, or may only be incomplete.
   */
  readonly cause?: "denied" | "failed" | undefined;
  /** Uid of the only object that could not be read. Absent if it is not known which objects are missing. */
  readonly uid?: string;
}

/** Why a List failed or may hide objects. */
export type WhyUnread = Pick<UnreadablePart, "reason" | "cause">;

/** Objects by kind and uid. */
export class ObjectIndex<Object extends KeyedObject> {
  readonly #byKind = new Map<string, Map<string, Object>>();

  constructor(objects: Iterable<Object> = []) {
    for (const object of objects) this.add(object);
  }

  add(object: Object): void {
    const ofKind = this.#byKind.get(object.kind) ?? new Map<string, Object>();
    this.#byKind.set(object.kind, ofKind.set(object.uid, object));
  }

  get(kind: string, uid: string): Object | undefined {
    return this.#byKind.get(kind)?.get(uid);
  }

  has(kind: string, uid: string): boolean {
    return this.get(kind, uid) !== undefined;
  }

  /** The objects of one kind. */
  of(kind: string): Object[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  get all(): Object[] {
    return [...this.#byKind.values()].flatMap((ofKind) => [...ofKind.values()]);
  }

  get size(): number {
    return this.all.length;
  }
}
