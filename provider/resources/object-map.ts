import type { Collection, WireObject } from "../client/collection";

/** What names an object: a group and its account association have one uid. */
export type InCollection = Pick<Collection<WireObject>, "segment">;

/** Values by object, which its collection and its uid identify together. */
export class ObjectMap<Value> {
  readonly #values = new Map<string, Value>();

  set({ segment }: InCollection, uid: string, value: Value): void {
    this.#values.set(`${segment} ${uid}`, value);
  }

  get({ segment }: InCollection, uid: string): Value | undefined {
    return this.#values.get(`${segment} ${uid}`);
  }

  has({ segment }: InCollection, uid: string): boolean {
    return this.#values.has(`${segment} ${uid}`);
  }

  delete({ segment }: InCollection, uid: string): void {
    this.#values.delete(`${segment} ${uid}`);
  }

  values(): Value[] {
    return [...this.#values.values()];
  }
}

/** A set of objects, each identified by its collection and its uid. */
export class ObjectSet {
  readonly #objects = new ObjectMap<true>();
  readonly #uids = new Set<string>();

  add(collection: InCollection, uid: string): void {
    this.#objects.set(collection, uid, true);
    this.#uids.add(uid);
  }

  has(collection: InCollection, uid: string): boolean {
    return this.#objects.has(collection, uid);
  }

  /** True when an object of any collection has this uid: for references, which do not name their collection. */
  hasUid(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
