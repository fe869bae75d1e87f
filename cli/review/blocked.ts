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

/** A warning, which may say why the update fails. */
export interface Warning extends Notice {
  /** True if the update certainly fails there, with a part of it done. Default: false. */
  readonly failsUpdate?: true;
}

/** Most objects that a warning names. */
export const mostNamed = 5;

/** Published names of the kinds whose objects keep a group from being deleted. */
export const kindsInGroups: readonly string[] = [...listedKinds].flatMap(([name, kind]) => (isInGroups(kind) ? [name] : []));

function isInGroups({ parents }: Kind): boolean {
  return isKind({ collection: parents }, kinds.group);
}

/** True if the update deletes a group, so the contents of groups matter as well as access. */
export function deletesGroups(resources: readonly Planned[]): boolean {
  return resources.some((resource) => resource.kind === kindNames.group && isDeleted(resource));
}

/**
 * Deletions that the platform will refuse, because the update keeps objects inside or bound. The run removes access first, and fails there.
 *
 * @param before names the obstacles
 * @param known the objects that the platform shows, and the test for those proven to be gone
 */
export function blockedDeletes(applied: Applied, before: Snapshot, known: Pick<World, "objects" | "isGone">): Warning[] {
  const left = leftBy(applied, known);
  const { uncertain } = applied;
  return applied.plan.flatMap((resource): Warning[] => {
    const obstacles = isRemoved(resource, left.stays) ? left.objects.filter((object) => isInTheWay(object, resource)) : [];
    if (obstacles.length === 0) return [];
    const { collection } = kindNamed(resource.kind);
    const labels = obstacles.map((object) => labelOf(object, left.own, before));
    return [
      {
        message:
          `the platform will refuse to delete ${collection.noun} ${nameOf(resource.before.id, before)}: the update leaves ` +
          `${shortList(labels, mostNamed)}. \`pulumi up\` removes access first, and stops half-way there. ` +
          `Delete or move ${obstacles.length === 1 ? "it" : "them"} first${waysOut(resource, obstacles, left, applied.plan)}`,
        urn: resource.urn,
        ...(!uncertain.has(resource.urn) && obstacles.some((object) => isCertain(object, applied)) && { failsUpdate: true }),
      },
    ];
  });
}

/** The objects after an update, without those it makes. */
interface Left {
  readonly objects: readonly InventoryObject[];
  /** Keys of the program's objects, before the update or after it. */
  readonly own: ReadonlySet<string>;
  /** Keys of objects that stay, or may stay. */
  readonly stays: ReadonlySet<string>;
}

function leftBy({ plan, urns, after }: Applied, known: Pick<World, "objects" | "isGone">): Left {
  const isLetGo = (each: Planned) => each.op === "release" || isKept(each);
  const stays = new Set([...after.map(objectKey), ...plan.filter(isLetGo).map(keyBefore)]);
  const own = new Set([...urns.keys(), ...plan.map(keyBefore)]);
  // Deletes come last, so what the update changes in place no longer refers to the old object.
  const changed = new Map(after.map((object) => [objectKey(object), object]));
  const shown = [...known.objects, ...letGo(plan, known)].map((object) => changed.get(objectKey(object)) ?? object);
  return { objects: shown.filter((object) => !own.has(objectKey(object)) || stays.has(objectKey(object))), own, stays };
}

/** True for a resource whose object the update deletes. An object that another resource takes over stays. */
function isRemoved(resource: Planned, stays: ReadonlySet<string>): boolean {
  const isObject = resource.before.id !== "" && listedKinds.has(resource.kind);
  return isObject && isDeleted(resource) && !stays.has(keyBefore(resource));
}

function isCertain(object: InventoryObject, { mayGo, urns, uncertain }: Applied): boolean {
  return !mayGo.has(objectKey(object)) && !uncertain.has(urns.get(objectKey(object)) ?? "");
}

function nameOf(uid: unknown, before: Snapshot): string {
  return nameInWords(located(before, String(uid)).path ?? String(uid));
}

function labelOf(object: InventoryObject, own: ReadonlySet<string>, before: Snapshot): string {
  const { kind, uid, place = "", value } = object;
  const { name, identityUid, roleUid } = value;
  const named = typeof name === "string" ? nameInWords(`${located(before, place).path ?? place}/${name}`) : uid;
  const bound = () => `of ${holderInWords(holder(before, String(identityUid)))} as ${nameOf(roleUid, before)}`;
  const whose = own.has(objectKey(object)) ? "of this program" : "of others";
  return `${kindNamed(kind).collection.noun} ${kind === kindNames.roleBinding ? bound() : named} (${whose})`;
}

/** Ways on besides deleting the obstacles, as the end of a sentence. */
function waysOut(resource: Planned, obstacles: readonly InventoryObject[], { objects, own }: Left, plan: readonly Planned[]) {
  const keys = new Set(obstacles.map(objectKey));
  const isPolicy = plan.some((each) => isKept(each) && isDeleted(each) && keys.has(keyBefore(each)));
  const within = objects.filter((object) => isBelow(object.uid, resource.before.id));
  // The provider never removes the program's own objects from a group, nor kinds that are never deleted with their group.
  const canForce = within.every((object) => kindNamed(object.kind).withGroup && !own.has(objectKey(object)));
  const isForceable = resource.kind === kindNames.group && !isForced(resource) && canForce;
  return [
    isPolicy ? ', or set `deletionPolicy: "delete"` in an `up` before' : "",
    isForceable ? ", or set `forceDestroy: true` on the group in an `up` before" : "",
  ].join("");
}

/** Objects that the program releases, if the platform neither shows them nor is proven to lack them. A review may see only the preview. */
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

/** The fields of a role binding that name the objects it protects from deletion, by their kind. */
const boundBy: Readonly<Record<string, string>> = { [kindNames.identity]: "identityUid", [kindNames.role]: "roleUid" };

function isInTheWay({ kind, uid, value }: InventoryObject, resource: Planned): boolean {
  const { id: deleted } = resource.before;
  const field = boundBy[resource.kind];
  if (field !== undefined) return kind === kindNames.roleBinding && value[field] === deleted;
  if (resource.kind !== kindNames.group || !kindsInGroups.includes(kind)) return false;
  const { sharesUid, withGroup } = kindNamed(kind);
  if (isForced(resource)) return !withGroup && isBelow(uid, deleted);
  return sharesUid ? uid === deleted : parentOf(uid) === deleted;
}
