import type { Unreadable } from "../access/snapshot";
import type { InventoryObject, ObjectIndex } from "../inventory/objects";
import { nameOf, type Planned } from "./plan";
import { type OpenRef, type Ref, takenReason } from "./open";
import type { References } from "./references";

/** Something that the preview does not say for certain. */
export interface Open extends Unreadable {
  /** `undecided`: it may be any change. `unknown`: the worst that it may be is shown. `assumed`: it is taken for the one thing that it can be. */
  readonly is: "undecided" | "unknown" | "assumed";
  /** Keys of the objects that it is about. */
  readonly about?: readonly string[];
}

/** What the platform really has of what states know, and besides. */
export interface Actual {
  /** What it shows. */
  readonly shown: ObjectIndex<InventoryObject>;
  /** The same, with what is only known by name. */
  readonly known: ObjectIndex<InventoryObject>;
  /** That of it which no resource of the plan manages. */
  readonly unmanaged: readonly InventoryObject[];
  /** True if it is proven not to have the object. */
  readonly isGone: (kind: string, uid: string) => boolean;
}

/** What one resource is before and after an update. */
export interface Effect {
  readonly before: readonly InventoryObject[];
  readonly after: readonly InventoryObject[];
  /** What others have, and the update perhaps removes. */
  readonly mayGo?: readonly InventoryObject[];
  /** What stands for objects that are not known. */
  readonly standIns?: readonly InventoryObject[];
  readonly open?: readonly Open[];
  readonly warnings?: readonly (string | undefined)[];
}

/** What is found out about the references of one resource. */
export class Findings {
  readonly open: Open[] = [];
  readonly standIns: InventoryObject[] = [];

  constructor(private readonly references: References) {}

  /** Notes what is not certain. @returns the key of what the uid in `field` means, or of what stands for it; undefined if it is not given */
  keyOf(what: string, planned: Planned, field: string): string | undefined {
    const ref = this.references.meaning(planned, field);
    return ref && this.keyFor(what, planned, field, ref);
  }

  /** The same for what one of several references of a field means. @param name tells what stands for it from the others */
  keyFor(what: string, planned: Planned, name: string, ref: Ref): string {
    if ("key" in ref) {
      if (ref.taken) this.open.push({ what, reason: takenReason([ref.taken]), is: "assumed" });
      return ref.key;
    }
    const uid = this.standIn(planned, name, ref.standIn);
    this.open.push({ what, reason: ref.open, ...(ref.isDecisive ? { is: "undecided", about: [uid] } : { is: "unknown" }) });
    return uid;
  }

  /** Puts an object in the place of one that is not certain. @returns its key */
  standIn(planned: Planned, name: string, object: OpenRef["standIn"]): string {
    const uid = this.references.openKey(planned, name);
    this.standIns.push({ ...object, uid, place: undefined });
    return uid;
  }
}

/** That a released object stays on the platform, or perhaps does; nothing of one that the program keeps. */
export function releaseOf(planned: Planned, references: References): Required<Pick<Effect, "open" | "warnings">> {
  const { op, urn, before } = planned;
  if (op !== "release") return { open: [], warnings: [] };
  const option = before.deletedWith ? "deletedWith" : "retainOnDelete";
  if (references.isReplaced(planned) !== "perhaps")
    return { open: [], warnings: [`${nameOf(urn)} stays on the platform (${option}), with all its access`] };
  const reason = "the update may change it in place. Apply what its references depend on first, or pass their uids";
  return { open: [{ what: `whether the old ${nameOf(urn)} stays (${option})`, reason, is: "undecided" }], warnings: [] };
}
