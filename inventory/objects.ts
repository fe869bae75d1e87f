import type { Hidden } from "../access/snapshot";
import type { WireObject } from "../provider/client/collection";
import type { Path } from "../provider/schema/values";
import type { Inputs } from "../provider/schema/kind";

/** An object, wherever it was read. Kind and uid identify it: a group and its account association share one uid. */
export interface KeyedObject {
  /** Published name of its kind: `iam:RoleBinding`. */
  readonly kind: string;
  readonly uid: string;
}

/** What identifies an object, as a key: a group and its account association share one uid. */
export function objectKey({ kind, uid }: KeyedObject): string {
  return `${kind} ${uid}`;
}

/** What an object is, in the form that all sources share. */
export interface InventoryObject extends KeyedObject {
  /** Uid of the group that it is in; that above a group; undefined for what is in no group. */
  readonly place: string | undefined;
  /** Its fields in canonical form, as the inputs that would declare it. References are uids. */
  readonly value: Inputs;
}

/** An object as a List of the platform shows it. */
export interface PlatformObject extends InventoryObject {
  /** Absent for kinds without names. */
  readonly name?: string;
  /** `acme/engineering/ci`; of an object without a name, that of its group. Absent where a name on the way is unknown. */
  readonly path?: string;
  /** The row of the List. */
  readonly row: WireObject;
}

/** An object that a stack manages. */
export interface DeclaredObject extends Omit<InventoryObject, "uid"> {
  /** Undefined while the object is not made. */
  readonly uid: string | undefined;
  readonly urn: string;
  /** `project/stack`, from the URN. */
  readonly stack: string;
  /** What a `GroupAccess` calls the holder of this role binding; it proves nothing. Absent if it is secret. */
  readonly label?: string;
  /** When its state was written: exports with different times may differ in what is encrypted. Absent if the state does not say it. */
  readonly written?: string;
  /** As the program declared it; the values of {@link secretPaths} are left out if they are encrypted. */
  readonly inputs: Inputs;
  /** What state keeps of the object; hardly anything of one that stands in another resource. */
  readonly outputs: Inputs;
  /** Where inputs are secret. */
  readonly secretPaths: readonly Path[];
  /** Those of them that are encrypted, so that nothing can be compared with them. */
  readonly encryptedPaths: readonly Path[];
  /** Why the object need not exist: `replaced`, it is about to be deleted. Absent otherwise. */
  readonly pending?: "replaced";
}

/** A part of an organisation that could not be read. */
export interface UnreadablePart extends Hidden {
  /** Published name of the kind of object. Absent: names and inherited access, around the objects themselves. */
  readonly kind?: string;
  readonly kinds: readonly string[];
  /** Objects of the kind may be missing in this group and below, except where others are shown. */
  readonly place: string;
  /** Uid of the object that could not be read, and nothing else. Absent where it is not known which objects are missing. */
  readonly uid?: string;
}

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

  /** Those of one kind. */
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
