import type { Snapshot } from "../access/snapshot";
import { nameInWords } from "../access/values";
import { accountRole, sourcesOf } from "../access/ways";
import { capabilitiesFor, kindNamed, kindNames } from "../inventory/kinds";
import { type InventoryObject, ObjectIndex, objectKey } from "../inventory/objects";
import { snapshotOf } from "../inventory/snapshot-of";
import type { Verb } from "../provider/client/capability";
import { declaredInputs, naturalKeyOf } from "../provider/schema/kind";
import { changeOf } from "../provider/schema/request-body";
import type { Applied } from "./apply";
import { isKept, keyBefore, nameOf } from "./plan";
import { isHidden } from "./seen";

/** Capabilities that the platform requires of the caller. */
export interface Need {
  /** Uid of the object at which the caller must have the capabilities, there or above. */
  readonly at: string;
  /** Undefined where nothing shows what the role allows. */
  readonly capabilities: readonly string[] | undefined;
  /** The role that the call gives to somebody, which allows these. */
  readonly role?: string;
  /** Why the platform may accept a caller without them, as the end of a sentence; undefined if it refuses. */
  readonly doubt?: string | undefined;
}

/** An object that an update creates, updates or deletes. */
export interface Call {
  /** `create group shop`. */
  readonly what: string;
  /** Absent for an object that is deleted with a group of the program. */
  readonly urn?: string;
  /** The capability of the kind comes first, because only that one is certain. */
  readonly needs: readonly Need[];
}

/** The objects that the platform shows of the organisations in a preview. */
export interface Shown {
  /** Objects of all programs, at least of the kinds that the update creates. */
  readonly objects: readonly InventoryObject[];
  /** True if `objects` would include the object. */
  shows(kind: string, uid: string): boolean;
}

const mayRead = "not every call reads before it writes";
const undocumented = "the platform does not document a refusal";

/**
 * The objects that an update creates, updates and deletes, with the capabilities required by kind and place.
 *
 * @param after the access after the update
 */
// See docs/decisions/0048-whose-rights-a-review-checks.md.
export function callsOf(applied: Applied, after: Snapshot, shown: Shown): Call[] {
  const changes = [...createsIn(applied, shown), ...updatesIn(applied), ...deletesIn(applied)];
  return changes.map((change) => callOf(change, applied, after));
}

/** A change of one object. */
interface Change {
  readonly verb: Verb;
  readonly object: InventoryObject;
  /** Why the update may not make it, as the end of a sentence; undefined if it will. */
  readonly doubt: string | undefined;
}

function callOf({ verb, object, doubt }: Change, { urns, uncertain }: Applied, after: Snapshot): Call {
  const urn = urns.get(objectKey(object));
  const kind = kindNamed(object.kind);
  // Roles hold in groups, so the group of the object decides. A group that exists decides for itself.
  const at = (object.kind === kindNames.group && verb !== "CREATE" ? undefined : object.place) ?? object.uid;
  const sent = verb === "UPDATE" && kind.calls.update === "post" ? "CREATE" : verb;
  const why = uncertain.has(urn ?? "") ? "the update may do something else" : undefined;
  return {
    what: `${verb.toLowerCase()} ${labelOf(object, urn)}`,
    ...(urn !== undefined && { urn }),
    needs: [
      { at, capabilities: capabilitiesFor(kind, sent), doubt: doubt ?? why },
      ...(verb === "DELETE" ? [] : givenBy(object, after)),
      { at, capabilities: capabilitiesFor(kind, "LIST"), doubt: mayRead },
    ],
  };
}

function createsIn(applied: Applied, shown: Shown): Change[] {
  const was = new ObjectIndex(applied.before);
  const hasTwin = twinsAmong([...applied.before, ...shown.objects], applied);
  const mayExist = (object: InventoryObject) => !shown.shows(object.kind, object.uid) || !hasKey(object) || hasTwin(object);
  return applied.after
    .filter((object) => applied.urns.has(objectKey(object)) && !was.has(object.kind, object.uid))
    .map((object) => ({ verb: "CREATE", object, doubt: mayExist(object) ? "it may exist and be adopted" : undefined }));
}

function deletesIn(applied: Applied): Change[] {
  const { plan, urns, mayGo } = applied;
  const stays = new Set([...plan.filter(isKept).map(keyBefore), ...applied.after.map(objectKey)]);
  const hasTwin = twinsAmong(applied.after, applied);
  return applied.before.flatMap((object): Change[] => {
    const [verb, key] = ["DELETE" as const, objectKey(object)];
    if (mayGo.has(key)) return [{ verb, object, doubt: "with `adopt` it stays" }];
    if (stays.has(key)) return [];
    if (!urns.has(key)) return [{ verb, object, doubt: "it may go with its group" }];
    return [{ verb, object, doubt: hasTwin(object) ? "another resource may take it over" : undefined }];
  });
}

/** Tells whether one of `objects` has the same key as an object, but belongs to another resource. */
function twinsAmong(objects: readonly InventoryObject[], { urns }: Applied): (object: InventoryObject) => boolean {
  const byKey = Map.groupBy(objects, keyOf);
  const urnOf = (object: InventoryObject) => urns.get(objectKey(object));
  return (object) => (byKey.get(keyOf(object)) ?? []).some((each) => urnOf(each) !== urnOf(object));
}

function updatesIn({ plan, before, after, urns }: Applied): Change[] {
  const was = new ObjectIndex(before);
  const changed = new Map(plan.flatMap((each) => (each.op === "change" ? [[each.urn, each]] : [])));
  return after.flatMap((object): Change[] => {
    const [old, planned] = [was.get(object.kind, object.uid), changed.get(urns.get(objectKey(object)) ?? "")];
    // A `GroupAccess` makes and deletes role bindings, and updates none.
    if (old === undefined || planned?.kind !== object.kind) return [];
    const isOpen = isHidden([planned.before.inputs, planned.before.outputs, planned.after.inputs]);
    const kind = kindNamed(object.kind);
    const { mask } = changeOf(kind, declaredInputs(kind, old.value), declaredInputs(kind, object.value));
    if (!isOpen && mask.length === 0) return [];
    return [{ verb: "UPDATE", object, doubt: isOpen ? "the preview does not show whether it changes" : undefined }];
  });
}

/** `group shop`, by the name in the program. An object deleted with its group has the platform's name. */
function labelOf({ kind, uid, value }: InventoryObject, urn: string | undefined): string {
  const name = urn !== undefined ? nameOf(urn) : typeof value["name"] === "string" ? value["name"] : uid;
  return `${kindNamed(kind).collection.noun} ${nameInWords(name)}`;
}

/** The text that identifies an object besides its uid; the uid if nothing else does. */
function keyOf(object: InventoryObject): string {
  return naturalKeyOf(kindNamed(object.kind), object.value) ?? objectKey(object);
}

/** False if the preview hides a part of the natural key of an object. */
function hasKey({ kind, value }: InventoryObject): boolean {
  const { naturalKey } = kindNamed(kind);
  return naturalKey.every((name) => value[name] !== undefined && !isHidden(value[name]));
}

/** The capabilities of each role that an object gives. The caller should have them (docs/platform-api.md#capabilities). */
function givenBy(object: InventoryObject, after: Snapshot): Need[] {
  const given = sourcesOf(snapshotOf([object]), (uid) => uid).filter(({ roleUid }) => roleUid !== accountRole);
  return given.map(({ roleUid, place }) => {
    const role = after.roles.get(roleUid);
    return { at: place, capabilities: role?.capabilities, role: role?.name ?? roleUid, doubt: undocumented };
  });
}
