import type { Collection, WireObject } from "../../client/collection";

/** The collection of an object, which identifies it together with the uid: a group and its account association share one uid. */
export type InCollection = Pick<Collection<WireObject>, "segment">;

/** A map whose keys are objects, identified by collection and uid. */
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

/** A set of objects, identified by collection and uid. */
export class ObjectSet {
  readonly #objects = new Set<string>();
  readonly #uids = new Set<string>();

  add({ segment }: InCollection, uid: string): void {
    this.#objects.add(`${segment} ${uid}`);
    this.#uids.add(uid);
  }

  has({ segment }: InCollection, uid: string): boolean {
    return this.#objects.has(`${segment} ${uid}`);
  }

  /** True for the uid of one of them, of any collection, and for what contains one: references do not name their collection. */
  areNamedIn(value: unknown): boolean {
    if (typeof value === "string") return this.#uids.has(value);
    return typeof value === "object" && value !== null && Object.values(value).some((member) => this.areNamedIn(member));
  }
}
