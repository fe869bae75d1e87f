import type { Unreadable } from "../access/snapshot";
import type { InventoryObject, ObjectIndex } from "../inventory/objects";
import { nameOf, type Planned } from "./plan";
import { type OpenRef, type Ref, takenReason } from "./open";
import type { References } from "./references";

/** A fact that the preview leaves open. */
export interface Open extends Unreadable {
  /** `undecided`: it may be any change. `unknown`: the review shows the worst case. `assumed`: the review shows the only possible case. */
  readonly is: "undecided" | "unknown" | "assumed";
  /** Keys of the objects concerned. */
  readonly about?: readonly string[];
}

/** The objects that really exist on the platform, in states or not. */
export interface Actual {
  /** The objects that the platform shows. */
  readonly shown: ObjectIndex<InventoryObject>;
  /** The shown objects, and those known only by name. */
  readonly known: ObjectIndex<InventoryObject>;
  /** The known objects that no resource of the plan manages. */
  readonly unmanaged: readonly InventoryObject[];
  /** True if the platform is proven not to have the object. */
  readonly isGone: (kind: string, uid: string) => boolean;
}

/** The objects of one resource before and after an update. */
export interface Effect {
  readonly before: readonly InventoryObject[];
  readonly after: readonly InventoryObject[];
  /** Others' objects that the update perhaps removes. */
  readonly mayGo?: readonly InventoryObject[];
  /** Stand-ins for objects that are not known. */
  readonly standIns?: readonly InventoryObject[];
  readonly open?: readonly Open[];
  readonly warnings?: readonly (string | undefined)[];
}

/** The findings about the references of one resource. */
export class Findings {
  readonly open: Open[] = [];
  readonly standIns: InventoryObject[] = [];

  constructor(private readonly references: References) {}

  /** Notes an open reference. @returns the key of the object that `field` means, or of its stand-in; undefined if no reference is given */
  keyOf(what: string, planned: Planned, field: string): string | undefined {
    const ref = this.references.meaning(planned, field);
    return ref && this.keyFor(what, planned, field, ref);
  }

  /** Like {@link keyOf}, for one of several references of a field. @param name tells its stand-in from the others */
  keyFor(what: string, planned: Planned, name: string, ref: Ref): string {
    if ("key" in ref) {
      if (ref.taken) this.open.push({ what, reason: takenReason([ref.taken]), is: "assumed" });
      return ref.key;
    }
    const uid = this.standIn(planned, name, ref.standIn);
    this.open.push({ what, reason: ref.open, is: "undecided", about: [uid] });
    return uid;
  }

  /** Adds a stand-in for an object that is not certain. @returns its key */
  standIn(planned: Planned, name: string, object: OpenRef["standIn"]): string {
    const uid = this.references.openKey(planned, name);
    this.standIns.push({ ...object, uid, place: undefined });
    return uid;
  }
}

/** Says that a released object stays on the platform, or perhaps stays. Empty for any other object. */
export function releaseOf(planned: Planned, references: References): Required<Pick<Effect, "open" | "warnings">> {
  const { op, urn, before } = planned;
  if (op !== "release") return { open: [], warnings: [] };
  const option = before.deletedWith ? "deletedWith" : "retainOnDelete";
  if (!references.mayStay(planned))
    return { open: [], warnings: [`${nameOf(urn)} stays on the platform (${option}), with all its access`] };
  const reason = "the update may change it in place. First apply the resources that its references depend on, or pass their uids";
  return { open: [{ what: `whether the old ${nameOf(urn)} stays (${option})`, reason, is: "undecided" }], warnings: [] };
}
