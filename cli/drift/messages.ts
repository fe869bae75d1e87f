import { pathOf } from "../../access/places";
import { kindNamed, names } from "../../inventory/kinds";
import type { DeclaredObject, InventoryObject } from "../../inventory/objects";
import type { PlatformInventory } from "../../inventory/platform";
import type { StateObjects } from "../../inventory/state";
import { literal, printable } from "../../provider/client/printable";
import type { Finding } from "../documents/drift";
import { changeInWords } from "./words";
import type { Subject, Weights } from "./weight";

/** What a message is made of. */
interface Described extends Subject {
  readonly owner?: DeclaredObject;
  readonly fields?: Finding["fields"];
  readonly other?: string;
}

/** Gains and losses that a message spells out. */
const mostChanges = 3;

/** Findings in words: first whose access changes, then what the object is and what is wrong with it. */
export class Messages {
  constructor(
    private readonly inventory: PlatformInventory,
    private readonly states: StateObjects,
    private readonly weights: Weights,
  ) {}

  of(finding: Described): string {
    const changes = finding.class === "duplicate" ? [] : this.weights.changes(finding);
    const words = changes.slice(0, mostChanges).map(changeInWords);
    const more = changes.length - mostChanges;
    const rest = more > 0 ? [`${more} more gain or lose access.`] : [];
    return [...words, ...rest, this.#what(finding)].join(" ");
  }

  #what({ class: what, object, owner, fields = [], other = "" }: Described): string {
    const label = this.#label(object);
    switch (what) {
      case "changed":
        return `${label} was changed: ${fields.map(fieldInWords).join("; ")}.`;
      case "missing":
        return `${label} no longer exists.`;
      case "settled":
        return `${label} has served its purpose: it expired, or was accepted.`;
      case "duplicate":
        return owner === undefined
          ? `${label} is in no state, and is the same as ${other}, which is: removing that one leaves this one.`
          : `${label} is managed twice: by ${owner.urn} and by ${other}. Each undoes the changes of the other.`;
      case "unmanaged":
        return `${label} is in no state.${this.#repair(object)}`;
      case "unreadable":
        return label;
    }
  }

  /** A `GroupAccess` removes what it does not declare. */
  #repair({ kind, place = "" }: InventoryObject): string {
    const urn = kind === names.roleBinding ? this.states.accessOf.get(place) : undefined;
    return urn === undefined ? "" : ` The access of this group is declared by ${urn}, which would remove it unless it is exempt.`;
  }

  /** `Identity acme/shop/ci`, `Role binding of acme/shop/ci as viewer in acme/shop`. */
  #label(object: InventoryObject): string {
    const { kind, uid, place, value } = object;
    const { noun } = kindNamed(kind).collection;
    const path = (each: unknown) => printable(this.#nameOf(String(each)) ?? String(each));
    const start = noun.charAt(0).toUpperCase() + noun.slice(1);
    if (kind === names.roleBinding)
      return `${start} of ${path(value["identityUid"])} as ${path(value["roleUid"])} in ${path(place)}`;
    if (kind === names.externalGroupRoleMapping)
      return `${start} of ${literal(value["externalGroupId"])} to ${path(value["roleUid"])} in ${path(value["scope"])}`;
    if (kind === names.groupInvite) return `${start} to ${path(place)} as ${path(value["roleUid"])}`;
    if (typeof value["name"] !== "string" || uid === place) return `${start} in ${path(place)}`;
    const shown = this.inventory.objects.get(kind, uid)?.path;
    return `${start} ${printable(shown ?? `${place === undefined ? "" : `${path(place)}/`}${value["name"]}`)}`;
  }

  #nameOf(uid: string): string | undefined {
    const { objects, around } = this.inventory;
    const kinds = [names.group, names.identity, names.role];
    return pathOf(uid, (each) => kinds.map((kind) => (objects.get(kind, each) ?? around.get(kind, each))?.name).find(Boolean));
  }
}

function fieldInWords({ path, declared, actual }: NonNullable<Finding["fields"]>[number]): string {
  const show = (value: unknown) => (value === undefined ? "nothing" : literal(value));
  return `${path} is ${show(actual)}, declared ${show(declared)}`;
}
