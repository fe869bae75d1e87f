import { isDeepStrictEqual } from "node:util";
import { type DeclaredObject, objectKey } from "../inventory/objects";
import type { StateObjects } from "../inventory/state";
import { isAtOrBelow } from "../provider/client/uid";
import { declaredValue } from "./fields";
import { hiddenFields } from "./hidden-fields";

/** An object, by its published kind and its uid. */
type ObjectId = Pick<DeclaredObject, "kind" | "uid">;

/** The objects of the states. */
export class Declared {
  /** The resources of each object in the compared part. */
  readonly #managed: ReadonlyMap<string, DeclaredObject[]>;
  /** The readings of each object that programs read and do not manage. */
  readonly #referred: ReadonlyMap<string, DeclaredObject[]>;
  /** Number of managed objects outside of the compared part. */
  readonly elsewhere: number;

  /** @param root uid of the group at the top of the compared part */
  constructor({ managed, referred }: StateObjects, root: string) {
    const known = managed.filter(({ uid }) => uid !== undefined);
    const inside = known.filter(({ uid = "" }) => isAtOrBelow(uid, root));
    this.elsewhere = known.length - inside.length;
    this.#managed = byObject(inside);
    const read = referred.filter((object) => object.uid !== undefined && !this.manages(object));
    this.#referred = byObject(read);
  }

  /** The resources that manage each object. */
  get managed(): DeclaredObject[][] {
    return [...this.#managed.values()];
  }

  /** The resources that only read each object. */
  get referred(): DeclaredObject[][] {
    return [...this.#referred.values()];
  }

  get all(): DeclaredObject[] {
    return [...this.managed, ...this.referred].flat();
  }

  manages(object: ObjectId): boolean {
    return this.#managed.has(idKey(object));
  }

  reads(object: ObjectId): boolean {
    return this.#referred.has(idKey(object));
  }
}

function byObject(resources: readonly DeclaredObject[]): Map<string, DeclaredObject[]> {
  return new Map([...Map.groupBy(resources, idKey)].map(([key, all]) => [key, distinct(all)]));
}

/**
 * The resources of one object without repetitions. A resource in two exports of a state is listed once, unless it changed or may have
 * changed in between. A resource about to be deleted follows its replacement, and the export with fewer encrypted values precedes the
 * other.
 */
function distinct(resources: readonly DeclaredObject[]): DeclaredObject[] {
  const hiddenIn = (object: DeclaredObject) => hiddenFields(object).map(String).sort().join("\n");
  const isSame = (one: DeclaredObject, other: DeclaredObject) =>
    one.urn === other.urn &&
    (one.written === other.written || hiddenIn(one) === hiddenIn(other)) &&
    isDeepStrictEqual(declaredValue(one, other.value), declaredValue(other, one.value));
  return [...resources]
    .sort(
      (one, other) =>
        Number(one.pending !== undefined) - Number(other.pending !== undefined) ||
        one.encryptedPaths.length - other.encryptedPaths.length,
    )
    .filter((each, index, all) => !all.slice(0, index).some((before) => isSame(before, each)));
}

function idKey({ kind, uid = "" }: ObjectId): string {
  return objectKey({ kind, uid });
}
