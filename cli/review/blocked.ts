import { holder, located } from "../../access/holders";
import { holderInWords } from "../../access/prose/person";
import type { Snapshot } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { groupOf, kindNamed, kindNames, listedKinds } from "../../inventory/kinds";
import { type InventoryObject, objectKey } from "../../inventory/objects";
import type { Applied, Notice, World } from "../../preview/apply";
import { isForced, isKept, keyBefore, type Planned } from "../../preview/plan";
import { shortList } from "../../provider/client/printable";
import { isBelow, parentOf } from "../../provider/client/uid";
import { kinds } from "../../provider/kinds/kinds";
import { isKind, type Kind } from "../../provider/schema/kind";

/** A warning, perhaps of what ends the update. */
export interface Warning extends Notice {
  /** True if the update certainly fails there, with a part of it done. Default: false. */
  readonly failsUpdate?: true;
}

/** Most obstacles that a warning names. */
const mostNamed = 5;

/** Published names of the kinds whose objects keep a group from being deleted. */
export const kindsInGroups: readonly string[] = [...listedKinds].flatMap(([name, kind]) => (isInGroups(kind) ? [name] : []));

function isInGroups({ parents }: Kind): boolean {
  return isKind({ collection: parents }, kinds.group);
}

/** True if the update deletes a group, so that what is in groups matters besides who has access. */
export function deletesGroups(resources: readonly Planned[]): boolean {
  return resources.some((resource) => resource.kind === kindNames.group && isDeleted(resource));
}

/**
 * What the platform will refuse to delete, because of what the update leaves in it or bound to it. The run removes access first, and
 * ends there.
 *
 * @param before names what blocks
 * @param known everything that the platform shows, and what it is proven not to have
 */
export function blockedDeletes(applied: Applied, before: Snapshot, known: Pick<World, "objects" | "isGone">): Warning[] {
  const { plan, urns, after, mayGo, uncertain } = applied;
  const isLetGo = (each: Planned) => each.op === "release" || isKept(each);
  const stays = new Set([...after.map(objectKey), ...plan.filter(isLetGo).map(keyBefore)]);
  const own = new Set([...urns.keys(), ...plan.map(keyBefore)]);
  const shown = [...known.objects, ...letGo(plan, known)];
  const left = shown.filter((object) => !own.has(objectKey(object)) || stays.has(objectKey(object)));
  const nameOf = (uid: unknown) => nameInWords(located(before, String(uid)).path ?? String(uid));
  const whose = (uid: unknown) => holderInWords(holder(before, String(uid)));
  const label = (object: InventoryObject): string => {
    const { kind, uid, place, value } = object;
    const named =
      typeof value["name"] === "string"
        ? nameInWords(`${located(before, place ?? "").path ?? place ?? ""}/${value["name"]}`)
        : uid;
    const what = kind === kindNames.roleBinding ? `of ${whose(value["identityUid"])} as ${nameOf(value["roleUid"])}` : named;
    return `${kindNamed(kind).collection.noun} ${what} (${own.has(objectKey(object)) ? "of this program" : "of others"})`;
  };
  const isCertain = (object: InventoryObject) =>
    !mayGo.has(objectKey(object)) && !uncertain.has(urns.get(objectKey(object)) ?? "");
  return plan.flatMap((resource): Warning[] => {
    const uid = resource.before.id;
    // An object that another resource takes over stays.
    if (!isDeleted(resource) || !uid || !listedKinds.has(resource.kind) || stays.has(keyBefore(resource))) return [];
    const obstacles = left.filter((object) => isInTheWay(object, resource, uid));
    if (obstacles.length === 0) return [];
    const within = left.filter((object) => isBelow(object.uid, uid));
    // The provider does not empty a group of what its program has, nor of kinds that are never deleted with their group.
    const canForce = within.every((object) => kindNamed(object.kind).withGroup && !own.has(objectKey(object)));
    const isGroup = resource.kind === kindNames.group && !isForced(resource);
    const force = isGroup && canForce ? ", or set `forceDestroy: true` on the group in an `up` before" : "";
    const keys = new Set(obstacles.map(objectKey));
    const isPolicy = plan.some((each) => isKept(each) && isDeleted(each) && keys.has(keyBefore(each)));
    const policy = isPolicy ? ', or set `deletionPolicy: "delete"` in an `up` before' : "";
    return [
      {
        message:
          `the platform will refuse to delete ${kindNamed(resource.kind).collection.noun} ${nameOf(uid)}: the update leaves ` +
          `${shortList(obstacles.map(label), mostNamed)}. \`pulumi up\` removes access first, and stops half-way there. ` +
          `Delete or move ${obstacles.length === 1 ? "it" : "them"} first${policy}${force}`,
        urn: resource.urn,
        ...(!uncertain.has(resource.urn) && obstacles.some(isCertain) && { failsUpdate: true }),
      },
    ];
  });
}

/** Objects that the program lets go, where the platform does not show it and is not proven to lack it: a review may be of the preview alone. */
function letGo(plan: readonly Planned[], { objects, isGone }: Pick<World, "objects" | "isGone">): InventoryObject[] {
  const shown = new Set(objects.map(objectKey));
  return plan.flatMap((resource) => {
    const { kind, before, op } = resource;
    const uid = before.id;
    const stays = op === "release" || (isKept(resource) && isDeleted(resource));
    if (!stays || uid === "" || !listedKinds.has(kind) || shown.has(keyBefore(resource)) || isGone(kind, uid)) return [];
    return [{ kind, uid, place: groupOf(kindNamed(kind), uid), value: { ...before.inputs, ...before.outputs } }];
  });
}

function isDeleted({ op }: Planned): boolean {
  return op === "delete" || op === "replace";
}

function isInTheWay({ kind, uid, value }: InventoryObject, resource: Planned, deleted: string): boolean {
  if (kind === kindNames.roleBinding && resource.kind === kindNames.identity) return value["identityUid"] === deleted;
  if (kind === kindNames.roleBinding && resource.kind === kindNames.role) return value["roleUid"] === deleted;
  if (resource.kind !== kindNames.group) return false;
  const { sharesUid, withGroup } = kindNamed(kind);
  if (!kindsInGroups.includes(kind)) return false;
  if (isForced(resource)) return !withGroup && isBelow(uid, deleted);
  return sharesUid ? uid === deleted : parentOf(uid) === deleted;
}
