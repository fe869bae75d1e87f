import { type Guarded, idleMarks } from "../access/guarded";
import { idleMarkText } from "../access/prose/guarded-text";
import { bySeverity } from "../access/severity";
import { decidesAccess, grantingKinds, kindNamed, kindOfType, kindNames as names } from "../inventory/kinds";
import type { DeclaredObject, InventoryObject, PlatformObject } from "../inventory/objects";
import type { PlatformInventory } from "../inventory/platform";
import { isExpiredInvite, platformSnapshot } from "../inventory/platform-snapshot";
import { peopleIn, snapshotOf } from "../inventory/snapshot-of";
import type { StateObjects } from "../inventory/state";
import { printable } from "../provider/client/printable";
import { isAtOrBelow } from "../provider/client/uid";
import { naturalKeyOf } from "../provider/schema/kind";
import { isValues } from "../provider/schema/values";
import { BoundLogins } from "./bound-logins";
import { Coverage, type CoverageRow } from "./coverage";
import { Declared } from "./declared";
import { accessFields, declaredValue, fieldDrift } from "./fields";
import type { Finding } from "./finding";
import { hiddenFields, hiddenNotes } from "./hidden-fields";
import { type Difference, Messages } from "./messages";
import { Paths } from "./paths";
import { Reach } from "./reach";
import { scimNotes } from "./scim";
import { Weights } from "./weight";

/** The differences between states and the platform. */
export interface Drift {
  readonly root: { readonly uid: string; readonly path?: string };
  readonly findings: Finding[];
  readonly coverage: Omit<CoverageRow, "group">[];
  readonly groups: CoverageRow[];
  readonly notes: string[];
  readonly requests: number;
}

/**
 * Compares managed objects of the states with the platform.
 *
 * @param now the platform's time, in milliseconds since 1970
 * @param guarded identities that must not lose access. Default: none
 */
export function findDrift(inventory: PlatformInventory, states: StateObjects, now: number, guarded: Guarded = {}): Drift {
  return new Comparison(inventory, states, now, guarded).drift();
}

class Comparison {
  readonly #coverage: Coverage;
  readonly #paths: Paths;
  readonly #declared: Declared;
  readonly #logins: BoundLogins;

  constructor(
    private readonly inventory: PlatformInventory,
    private readonly states: StateObjects,
    private readonly now: number,
    private readonly guarded: Guarded,
  ) {
    this.#paths = new Paths(inventory, states);
    this.#declared = new Declared(states, inventory.root);
    this.#logins = new BoundLogins(inventory, states);
    this.#coverage = new Coverage((uid) => this.#paths.of(uid));
  }

  drift(): Drift {
    const { inventory } = this;
    const managed = this.#declared.managed.flatMap((all) => this.#managedDrift(all));
    const read = this.#declared.referred.flat().flatMap((object) => this.#readDrift(object));
    const differences = [...managed, ...read, ...this.#unmanaged(managed), ...this.#tooLarge()];
    const actual = platformSnapshot(inventory, this.now);
    const before = this.#declaredSnapshot();
    const weights = new Weights(before, actual, this.guarded);
    const reach = new Reach([before, actual], inventory.unreadable);
    const messages = new Messages(this.#paths, this.states, weights);
    const drifted = differences.map((each) => this.#finding(each, weights, messages, reach));
    const findings = [...drifted, ...this.#unreadable(), ...this.#unknownTypes()].sort(byWeight);
    const path = this.#paths.of(inventory.root);
    return {
      root: { uid: inventory.root, ...(path !== undefined && { path }) },
      findings,
      coverage: this.#coverage.byKind(),
      groups: this.#coverage.byGroup(),
      notes: [...this.#notes(), ...idleMarks(this.guarded, actual).map((uid) => `${idleMarkText(uid)}.`)],
      requests: inventory.requests,
    };
  }

  /** The drift of one object, and of the resources that manage it. */
  #managedDrift(resources: readonly DeclaredObject[]): Difference[] {
    const [owner, ...rest] = resources;
    if (owner?.uid === undefined) return [];
    const { kind, uid, place } = owner;
    const object: InventoryObject = { kind, uid, place, value: owner.value };
    const actual = this.inventory.objects.get(kind, uid);
    const others = rest.filter((other) => isRival(other, owner));
    const duplicates = others.map((other): Difference => ({
      class: "duplicate",
      object: actual ?? object,
      owner: other,
      other: owner.urn,
      ...(other.pending !== undefined && { state: other.pending }),
    }));
    if (actual !== undefined) {
      this.#coverage.count(actual, "managed");
      if (owner.pending !== undefined)
        return [{ class: "unmanaged", object: actual, owner, state: owner.pending }, ...duplicates];
      const compared = [owner, ...others.filter(({ pending }) => pending === undefined)];
      return [...compared.flatMap((each) => this.#fieldsDrift(each, actual)), ...duplicates];
    }
    return [...this.#unseen(owner, object).filter(() => owner.pending === undefined), ...duplicates];
  }

  /** The drift of an object that the platform does not show. It may be hidden. */
  #unseen(owner: DeclaredObject, object: InventoryObject): Difference[] {
    const { kind, uid } = object;
    const settled = kindNamed(kind).settled(owner.outputs, this.now);
    const isShown = this.inventory.shows(kind, uid);
    // Time alone ends an invite that has expired. Whether somebody has accepted it is known only where a List would have shown it.
    if (settled === "expired" || (settled !== undefined && isShown)) return [{ class: "settled", object, owner }];
    if (isShown) return [{ class: "missing", object, owner }];
    this.#coverage.count(object, "unreadable");
    return [];
  }

  /** Different fields, and fields that decide access but cannot be compared. */
  #fieldsDrift(owner: DeclaredObject, actual: PlatformObject): Difference[] {
    const declared: InventoryObject = { kind: actual.kind, uid: actual.uid, place: actual.place, value: owner.value };
    const fields = fieldDrift(owner, actual);
    const encrypted = hiddenFields(owner)
      .filter((path) => decidesAccess(actual, path))
      .map((path) => path.join("."));
    const hidden: Difference = { class: "unreadable", object: actual, owner, encrypted };
    const changed: Difference = { class: "changed", object: actual, declared, owner, fields };
    const login = this.#logins.changed(owner, actual);
    const taken: Difference = { class: "changed", object: actual, declared, owner, fields: login, isTakenOver: true };
    return [
      ...(encrypted.length > 0 ? [hidden] : []),
      ...(fields.length > 0 ? [changed] : []),
      ...(login.length > 0 ? [taken] : []),
    ];
  }

  /** The drift of an object that a program only reads. No state here manages it, so it should still be as the program read it. */
  #readDrift(owner: DeclaredObject): Difference[] {
    const { kind, uid = "", place, value } = owner;
    const actual = this.inventory.objects.get(kind, uid);
    if (actual === undefined && !isAtOrBelow(uid, this.inventory.root)) return [];
    const found =
      actual === undefined
        ? this.#unseen(owner, { kind, uid, place, value }).filter((each) => each.class === "missing")
        : this.#fieldsDrift(owner, actual);
    return found.map((difference): Difference => ({ ...difference, state: "read" }));
  }

  /** Objects of the states that exist and are too large to be read with these credentials. */
  #tooLarge(): Difference[] {
    return this.#declared.all.flatMap((owner): Difference[] => {
      const { kind, uid = "", place, value } = owner;
      const part = this.inventory.unreadable.find((each) => each.kind === kind && each.uid === uid);
      return part === undefined ? [] : [{ class: "unreadable", object: { kind, uid, place, value }, owner, reason: part.reason }];
    });
  }

  /** True for an object that provably does not exist although its work is not done. */
  #isGone({ kind, uid = "", outputs }: DeclaredObject): boolean {
    return this.inventory.shows(kind, uid) && kindNamed(kind).settled(outputs, this.now) === undefined;
  }

  /** @param found differences of managed objects, because an unmanaged object may replace a missing one */
  #unmanaged(found: readonly Difference[]): Difference[] {
    const { objects, root } = this.inventory;
    const missing = new Map(
      found.flatMap((each) => {
        const key = each.class === "missing" ? naturalKeyOf(kindNamed(each.object.kind), each.object.value) : undefined;
        return key === undefined ? [] : [[key, each] as const];
      }),
    );
    const declared = new Map<string, PlatformObject>();
    for (const object of objects.all) {
      const key = naturalKeyOf(kindNamed(object.kind), object.value);
      if (this.#declared.manages(object) && key !== undefined) declared.set(key, object);
    }
    return objects.all.flatMap((object): Difference[] => {
      // The group at the root of the comparison need not be managed.
      const isFrame = object.kind === names.group && object.uid === root;
      if (this.#declared.manages(object) || isFrame || this.#declared.reads(object)) return [];
      this.#coverage.count(object, "unmanaged");
      const key = naturalKeyOf(kindNamed(object.kind), object.value) ?? "";
      const [twin, gone] = [declared.get(key), missing.get(key)];
      if (twin !== undefined) return [{ class: "duplicate", object, other: twin.uid }];
      const place = gone?.owner === undefined ? {} : { other: gone.object.uid, owner: gone.owner };
      return [{ class: "unmanaged", object, ...place }];
    });
  }

  /** Who may do what by the states. Parts that are not compared are taken from the platform. */
  #declaredSnapshot() {
    const { objects, around, root } = this.inventory;
    const owned = [...this.#declared.managed, ...this.#declared.referred].flatMap(([owner]) => owner ?? []);
    const declared = owned.flatMap((owner): InventoryObject[] => {
      const label = owner.label !== undefined && { label: owner.label };
      if (owner.uid === undefined || owner.pending !== undefined) return [];
      const { kind, uid, place } = owner;
      const actual = objects.get(kind, uid);
      if (actual !== undefined && isExpiredInvite(actual, this.now)) return [];
      if (actual !== undefined) return [{ kind, uid, place, value: { ...declaredValue(owner, actual.value), ...label } }];
      // A settled object is no loss, and neither is a hidden one.
      return this.#isGone(owner) ? [{ kind, uid, place, value: { ...owner.value, ...label } }] : [];
    });
    // People of programs come first, so that people shown by the platform override them.
    const people = peopleIn(owned.map((owner) => ({ ...owner, uid: owner.uid ?? "", row: { identity: writtenLogin(owner) } })));
    const isOthers = (object: PlatformObject) =>
      !grantingKinds.has(object.kind) && !this.#declared.manages(object) && !this.#declared.reads(object);
    const given = around.all.filter((object) => !isExpiredInvite(object, this.now));
    return snapshotOf([...people, ...given, ...objects.all.filter(isOthers), ...declared], [], root);
  }

  #finding(difference: Difference, weights: Weights, messages: Messages, reach: Reach): Finding {
    const { object, owner } = difference;
    const isReadable = difference.class !== "unreadable";
    const places = isReadable ? reach.of(object) : [];
    const isUnwatched = isReadable && difference.class === "unmanaged" && this.#logins.isUnwatched(object.uid);
    const isExtra = difference.class === "unmanaged" || difference.class === "duplicate";
    // Present even if empty. Baselines of earlier releases lack the member.
    const fields = isExtra ? accessFields(object, owner) : difference.fields;
    return {
      class: difference.class,
      severity: weights.severity(difference),
      kind: object.kind,
      uid: object.uid,
      path: this.#pathOfObject(object, owner),
      ...(owner && { stack: owner.stack, urn: owner.urn }),
      ...(fields && { fields }),
      ...(places.length > 0 && { reach: places.map((uid) => ({ uid, path: this.#paths.of(uid) ?? uid })) }),
      ...(isUnwatched && { unwatched: true }),
      message: messages.of(difference, places, isUnwatched),
    };
  }

  #unreadable(): Finding[] {
    return this.inventory.unreadable.flatMap(({ kind, place, uid, what, reason, cause }): Finding[] => {
      // Access inherited from above the root is not compared.
      if (kind === undefined) return [];
      // A single unreadable object is a finding of its own, under its name in the states.
      if (uid !== undefined) return [];
      const hidden = this.#coverage.unreadable(kind);
      const managed = hidden === 0 ? "" : ` Of the objects in the states, ${hidden} could not be compared.`;
      const message = `${what} may hide some: ${reason.replace(/[^.?!]$/, "$&.")}${managed}`;
      return [{ ...this.#cannotTell(kind, place, message), ...(cause !== "failed" && { uncompared: hidden }) }];
    });
  }

  #unknownTypes(): Finding[] {
    return [...this.states.unknownTypes].map(([type, count]) => {
      const message = `this release does not know the type ${type} of ${count} resources in the states. Update the package.`;
      return this.#cannotTell(kindOfType(type) ?? type, this.inventory.root, message);
    });
  }

  #cannotTell(kind: string, place: string, why: string): Finding {
    const message = `Cannot tell: ${why}`;
    return { class: "unreadable", severity: "high", kind, uid: place, path: this.#paths.of(place) ?? place, message };
  }

  #notes(): string[] {
    const { elsewhere, all } = this.#declared;
    const outside = `${elsewhere} objects in the states are not in this group and were not compared.`;
    const states = new Map(this.states.managed.map(({ uid, outputs }) => [uid, outputs["scim"]]));
    const providers = this.inventory.objects.all
      .filter(({ kind }) => kind === names.identityProvider)
      .map(({ uid }) => [this.#paths.of(uid) ?? uid, states.get(uid)] as const);
    return [
      ...(elsewhere > 0 ? [outside] : []),
      ...hiddenNotes(all),
      ...deletedWithNotes(this.states),
      ...scimNotes(providers),
      ...this.#logins.notes((uid) => printable(this.#paths.of(uid) ?? uid)),
    ];
  }

  #pathOfObject(object: InventoryObject, owner: DeclaredObject | undefined): string {
    const { kind, uid, place } = object;
    const isNamed = "name" in kindNamed(kind).fields && uid !== place;
    const path = isNamed ? this.#paths.of(uid) : undefined;
    if (path !== undefined) return path;
    const around = place === undefined ? undefined : this.#paths.of(place);
    if (around === undefined) return uid;
    const { name } = owner?.value ?? object.value;
    return isNamed && typeof name === "string" ? `${around}/${name}` : around;
  }
}

/** True for a resource that decides about the same object as its owner, in another way than a replacement of the same update. */
function isRival(other: DeclaredObject, owner: DeclaredObject): boolean {
  const isOfOneState = other.stack === owner.stack && other.written === owner.written;
  return other.pending === undefined || (owner.pending === undefined && !isOfOneState);
}

/** The login by which a program names a person. */
function writtenLogin({ inputs: { identityRef }, secretPaths }: DeclaredObject): object {
  const isSecret = secretPaths.some(([field]) => field === "identityRef");
  return isValues(identityRef) && !isSecret ? identityRef : {};
}

/** Warns of resources that a later update would drop from the state without removing their access. */
function deletedWithNotes({ deletedWith }: StateObjects): string[] {
  const [first] = deletedWith;
  if (first === undefined) return [];
  const [urn, other] = first;
  const more = deletedWith.size > 1 ? ` and ${deletedWith.size - 1} more` : "";
  return [
    `${printable(urn)}${more}: the option deletedWith is set. When ${printable(other)} is deleted, the engine drops the resource from the ` +
      "state without a delete, and its access remains. Remove the option, which a transform may have added, and run `pulumi up`.",
  ];
}

/** By severity, then by place. */
function byWeight(one: Finding, other: Finding): number {
  const key = ({ path, kind, uid, class: what, urn = "" }: Finding) => [path, kind, uid, what, urn].join("\n");
  return bySeverity(one.severity, other.severity) || (key(one) < key(other) ? -1 : 1);
}
