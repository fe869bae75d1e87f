import { pathOf } from "../../access/places";
import { bySeverity } from "../../access/severity";
import { kindNamed, kindOfType, names } from "../../inventory/kinds";
import { type DeclaredObject, type InventoryObject, ObjectSet, type PlatformObject } from "../../inventory/objects";
import type { PlatformInventory } from "../../inventory/platform";
import { snapshotOf } from "../../inventory/snapshot-of";
import type { StateObjects } from "../../inventory/state";
import { isAtOrBelow } from "../../provider/client/uid";
import { secretPaths } from "../../provider/kinds/declaration";
import { keyOf } from "../../provider/kinds/kind";
import type { DriftDocument, Finding } from "../documents/drift";
import { Coverage } from "./coverage";
import { declaredValue, fieldDrift } from "./fields";
import { Messages } from "./messages";
import { type Subject, Weights } from "./weight";

/** Where states and the platform differ. */
export type Drift = Pick<DriftDocument, "root" | "findings" | "coverage" | "groups" | "notes" | "requests">;

/** Encrypted fields that a note names. */
const mostHidden = 5;

/** What is known of a difference before it is weighed. */
interface Difference extends Subject {
  readonly owner?: DeclaredObject;
  readonly fields?: Finding["fields"];
  /** The resource or the object besides, of a duplicate. */
  readonly other?: string;
}

/**
 * Compares what the states manage with what the platform has.
 *
 * @param now the platform's time, in milliseconds since 1970
 */
export function findDrift(inventory: PlatformInventory, states: StateObjects, now: number): Drift {
  return new Comparison(inventory, states, now).drift();
}

class Comparison {
  /** The resources of each object, in the part that is compared. */
  readonly #managed = new Map<string, DeclaredObject[]>();
  /** Objects that a program reads and does not manage. */
  readonly #referred = new ObjectSet<InventoryObject>();
  readonly #coverage: Coverage;
  #elsewhere = 0;

  constructor(
    private readonly inventory: PlatformInventory,
    private readonly states: StateObjects,
    private readonly now: number,
  ) {
    this.#coverage = new Coverage((uid) => this.#pathOf(uid));
    for (const object of states.managed) {
      if (object.uid === undefined) continue;
      if (!isAtOrBelow(object.uid, inventory.root)) this.#elsewhere++;
      else this.#managed.set(keyOfObject(object), [...(this.#managed.get(keyOfObject(object)) ?? []), object]);
    }
    for (const { kind, uid, place, value } of states.referred)
      if (uid !== undefined) this.#referred.add({ kind, uid, place, value });
  }

  drift(): Drift {
    const { inventory } = this;
    const differences = [...[...this.#managed.values()].flatMap((all) => this.#managedDrift(all)), ...this.#unmanaged()];
    const weights = new Weights(this.#declaredSnapshot(), snapshotOf([...inventory.objects.all, ...inventory.around.all]));
    const messages = new Messages(inventory, this.states, weights);
    const drifted = differences.map((each) => this.#finding(each, weights, messages));
    const findings = [...drifted, ...this.#unreadable(), ...this.#unknownTypes()].sort(byWeight);
    const path = this.#pathOf(inventory.root);
    return {
      root: { uid: inventory.root, ...(path !== undefined && { path }) },
      findings,
      coverage: this.#coverage.byKind(),
      groups: this.#coverage.byGroup(),
      notes: this.#notes(),
      requests: inventory.requests,
    };
  }

  /** The drift of one object, and of the resources that manage it. */
  #managedDrift(resources: readonly DeclaredObject[]): Difference[] {
    // A resource that is about to be deleted stands behind the one that replaces it.
    const [owner, ...others] = [...resources].sort(
      (one, other) => Number(one.pending !== undefined) - Number(other.pending !== undefined),
    );
    if (owner?.uid === undefined) return [];
    const { kind, uid, place } = owner;
    const object: InventoryObject = { kind, uid, place, value: owner.value };
    const actual = this.inventory.objects.get(kind, uid);
    const isSame = (other: DeclaredObject) => other.urn === owner.urn || other.pending !== undefined;
    const duplicates = others
      .filter((other) => !isSame(other))
      .map((other): Difference => ({ class: "duplicate", object: actual ?? object, owner: other, other: owner.urn }));
    if (actual !== undefined) {
      this.#coverage.count(actual, "managed");
      const fields = fieldDrift(owner, actual);
      const changed: Difference = { class: "changed", object: actual, declared: object, owner, fields };
      return [...(fields.length > 0 ? [changed] : []), ...duplicates];
    }
    if (owner.pending !== undefined) return duplicates;
    if (kindNamed(kind).settled(owner.outputs, this.now) !== undefined)
      return [{ class: "settled", object, owner }, ...duplicates];
    if (this.inventory.shows(kind, uid)) return [{ class: "missing", object, owner }, ...duplicates];
    this.#coverage.count(object, "unreadable");
    return duplicates;
  }

  #unmanaged(): Difference[] {
    const { objects, root } = this.inventory;
    const declared = new Map<string, PlatformObject>();
    for (const object of objects.all) {
      const key = keyOf(kindNamed(object.kind), object.value);
      if (this.#isManaged(object) && key !== undefined) declared.set(key, object);
    }
    return objects.all.flatMap((object): Difference[] => {
      // The group that is compared is where the comparison begins, and need not be managed.
      const isFrame = object.kind === names.group && object.uid === root;
      if (this.#isManaged(object) || isFrame || this.#referred.has(object.kind, object.uid)) return [];
      this.#coverage.count(object, "unmanaged");
      const twin = declared.get(keyOf(kindNamed(object.kind), object.value) ?? "");
      return [twin === undefined ? { class: "unmanaged", object } : { class: "duplicate", object, other: twin.uid }];
    });
  }

  #isManaged(object: PlatformObject): boolean {
    return this.#managed.has(keyOfObject(object));
  }

  /** Who may do what by the states. What is not compared is as it is on the platform. */
  #declaredSnapshot() {
    const { objects, around, root } = this.inventory;
    const owned = [...this.#managed.values()].flatMap(([owner]): InventoryObject[] => {
      if (owner?.uid === undefined) return [];
      const { kind, uid, place } = owner;
      const actual = objects.get(kind, uid);
      if (actual !== undefined) return [{ kind, uid, place, value: declaredValue(owner, actual.value) }];
      // Neither what has done its work nor what is hidden is a loss.
      return this.inventory.shows(kind, uid) && kindNamed(kind).settled(owner.outputs, this.now) === undefined && !owner.pending
        ? [{ kind, uid, place, value: owner.value }]
        : [];
    });
    const given = objects.all.filter(({ kind, uid }) => uid === root || this.#referred.has(kind, uid));
    return snapshotOf([...around.all, ...given.filter((object) => !this.#isManaged(object)), ...owned]);
  }

  #finding(difference: Difference, weights: Weights, messages: Messages): Finding {
    const { object, owner, fields } = difference;
    return {
      class: difference.class,
      severity: weights.severity(difference),
      kind: object.kind,
      uid: object.uid,
      path: this.#pathOfObject(object, owner),
      ...(owner && { stack: owner.stack, urn: owner.urn }),
      ...(fields && { fields }),
      message: messages.of(difference),
    };
  }

  #unreadable(): Finding[] {
    return this.inventory.unreadable.flatMap(({ kind, place, what, reason }): Finding[] => {
      // Access that is inherited from above the root is no part of what is compared.
      if (kind === undefined) return [];
      const hidden = this.#coverage.unreadable(kind);
      const managed = hidden === 0 ? "" : ` Of the objects in the states, ${hidden} could not be compared.`;
      const message = `${what} may hide some. ${reason.replace(/[^.?!]$/, "$&.")}${managed}`;
      return [this.#cannotTell(kind, place, message)];
    });
  }

  #unknownTypes(): Finding[] {
    return [...this.states.unknownTypes].map(([type, count]) => {
      const message = `this release does not know the type ${type}, of which the states have ${count}. Update the package.`;
      return this.#cannotTell(kindOfType(type) ?? type, this.inventory.root, message);
    });
  }

  #cannotTell(kind: string, place: string, why: string): Finding {
    const message = `Cannot tell: ${why}`;
    return { class: "unreadable", severity: "high", kind, uid: place, path: this.#pathOf(place) ?? place, message };
  }

  #notes(): string[] {
    const elsewhere = `${this.#elsewhere} objects in the states are not in this group and were not compared.`;
    return [...(this.#elsewhere > 0 ? [elsewhere] : []), ...this.#encrypted()];
  }

  /** Fields that cannot be compared because they are encrypted: those that the platform would have shown. */
  #encrypted(): string[] {
    const hidden = [...this.#managed.values()].flat().flatMap(({ kind, urn, encryptedPaths }) => {
      const ownSecrets = secretPaths(kindNamed(kind).fields).map((path) => path.join("."));
      const paths = encryptedPaths.map((path) => path.join(".")).filter((path) => !ownSecrets.includes(path));
      return paths.map((path) => `${path} of ${urn}`);
    });
    if (hidden.length === 0) return [];
    const more = hidden.length > mostHidden ? ` and ${hidden.length - mostHidden} more` : "";
    return [
      `Not compared, because the state has them encrypted: ${hidden.slice(0, mostHidden).join(", ")}${more}. ` +
        "Pass --state with what `pulumi stack export --show-secrets` writes to compare them.",
    ];
  }

  #pathOf(uid: string): string | undefined {
    const { objects, around } = this.inventory;
    return pathOf(uid, (each) => (objects.get(names.group, each) ?? around.get(names.group, each))?.name);
  }

  #pathOfObject(object: InventoryObject, owner: DeclaredObject | undefined): string {
    const shown = this.inventory.objects.get(object.kind, object.uid)?.path;
    if (shown !== undefined) return shown;
    const place = object.place === undefined ? undefined : this.#pathOf(object.place);
    const { name } = owner?.value ?? object.value;
    if (place === undefined) return object.uid;
    return typeof name === "string" && object.uid !== object.place ? `${place}/${name}` : place;
  }
}

function keyOfObject({ kind, uid }: { kind: string; uid: string | undefined }): string {
  return `${kind} ${uid ?? ""}`;
}

/** What matters most first, then by place. */
function byWeight(one: Finding, other: Finding): number {
  const key = ({ path, kind, uid, class: what, urn = "" }: Finding) => [path, kind, uid, what, urn].join("\n");
  return bySeverity(one.severity, other.severity) || (key(one) < key(other) ? -1 : 1);
}
