import type { InventoryObject } from "../inventory/objects";
import { parentOf } from "../provider/client/uid";
import type { Values } from "../provider/schema/values";
import type { Planned } from "./plan";
import { isShown } from "./seen";

/** An object that references may mean, with all its values during the update. */
export interface Candidate {
  /** Its uid, or its key while it is not made. */
  readonly uid: string;
  readonly values: readonly Values[];
}

/**
 * The objects of a kind that exist at some time of the update. No reference means a replaced object any more; deletes come last.
 *
 * @param shown existing objects outside the plan
 */
export function candidatesOf(
  kind: string,
  plan: readonly Planned[],
  shown: readonly InventoryObject[],
  keyAfter: (planned: Planned) => string,
): Candidate[] {
  // A preview shows no values of a resource that the program only reads.
  const own = plan.filter((each) => each.kind === kind && !each.after.external && (each.op !== "delete" || each.before.id));
  const values = [
    ...shown.filter((object) => object.kind === kind).map(({ uid, value }) => ({ uid, value })),
    ...own.flatMap((each) => {
      const uid = keyAfter(each);
      return valuesOf(each, uid).map((value) => ({ uid, value }));
    }),
  ];
  return [...Map.groupBy(values, ({ uid }) => uid)].map(([uid, all]) => ({ uid, values: all.map(({ value }) => value) }));
}

/** The values of a resource's object before and after the update, as long as it is the same object. */
function valuesOf({ op, before, after }: Planned, key: string): Values[] {
  const isAnother = op === "replace" && key !== before.id;
  const values = [...(isAnother ? [] : [before.inputs, before.outputs]), after.inputs];
  return values.filter((value) => Object.keys(value).length > 0);
}

/** Tells whether an object has a name, or whether it may have it. */
export type Naming = (candidate: Candidate, name: string) => boolean;

const isNamed: Naming = ({ values }, text) => isShown(text) && values.some(({ name }) => name === text);

/** A hidden name may be any name. */
const mayBeNamed: Naming = ({ values }, text) => !isShown(text) || values.some(({ name }) => name === text || !isShown(name));

/** The keys of all objects that a name may mean. The name itself is added if some match only because their name is hidden. */
export function uidsNamed(text: string, find: (naming: Naming) => readonly Candidate[]): string[] {
  const [certain, possible] = [find(isNamed), find(mayBeNamed)];
  return [...possible.map(({ uid }) => uid), ...(possible.length > certain.length ? [text] : [])];
}

/** Groups by the paths that they may have at some time of an update. */
export class Groups {
  /** By the key of the group above. */
  readonly #below = new Map<string | undefined, Candidate[]>();

  add(groups: readonly Candidate[]): void {
    for (const group of groups) {
      const above = parentOf(group.uid);
      this.#below.set(above, [...(this.#below.get(above) ?? []), group]);
    }
  }

  /** The keys of the groups that may have the path, as {@link uidsNamed} returns them. */
  at(path: string): string[] {
    const [root = "", ...names] = path.split("/");
    return uidsNamed(path, (naming) => {
      const below = (above: string | undefined, name: string) =>
        (this.#below.get(above) ?? []).filter((group) => naming(group, name));
      return names.reduce((groups, name) => groups.flatMap(({ uid }) => below(uid, name)), below(undefined, root));
    });
  }
}
