import { holder, located } from "../../access/holders";
import { holderInWords } from "../../access/prose/person";
import type { Snapshot } from "../../access/snapshot";
import { nameInWords } from "../../access/values";
import { kindNamed, kindNames, listedKinds } from "../../inventory/kinds";
import { type InventoryObject, objectKey } from "../../inventory/objects";
import type { Applied, Notice } from "../../preview/apply";
import { isForced, isKept, keyBefore, type Planned } from "../../preview/plan";
import { shortList } from "../../provider/client/printable";
import { isBelow, parentOf } from "../../provider/client/uid";
import { kinds } from "../../provider/kinds/kinds";
import { isKind, type Kind } from "../../provider/schema/kind";

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
 * @param shown everything that the platform shows
 */
export function blockedDeletes(applied: Applied, before: Snapshot, shown: readonly InventoryObject[]): Notice[] {
  const { plan, urns, after } = applied;
  const stays = new Set([...after.map(objectKey), ...plan.filter(isKept).map(keyBefore)]);
  const own = new Set([...urns.keys(), ...plan.map(keyBefore)]);
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
  return plan.flatMap((resource): Notice[] => {
    const uid = resource.before?.id;
    // An object that another resource takes over stays.
    if (!isDeleted(resource) || !uid || !listedKinds.has(resource.kind) || stays.has(keyBefore(resource))) return [];
    const obstacles = left.filter((object) => isInTheWay(object, resource, uid));
    if (obstacles.length === 0) return [];
    const isGroup = resource.kind === kindNames.group;
    const force = isGroup && !isForced(resource) ? ", or set `forceDestroy: true` on the group in an `up` before" : "";
    return [
      {
        message:
          `the platform will refuse to delete ${kindNamed(resource.kind).collection.noun} ${nameOf(uid)}: the update leaves ` +
          `${shortList(obstacles.map(label), mostNamed)}. \`pulumi up\` removes access first, and stops half-way there. ` +
          `Delete or move ${obstacles.length === 1 ? "it" : "them"} first${force}`,
        urn: resource.urn,
      },
    ];
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
