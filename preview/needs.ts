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
  /** Why a caller that lacks them may not be refused, as the end of a sentence; undefined if it will be. */
  readonly doubt?: string | undefined;
}

/** An object that an update creates, updates or deletes. */
export interface Call {
  /** `create group shop`. */
  readonly what: string;
  /** Absent for what goes with a group of the program. */
  readonly urn?: string;
  /** The capability of the kind comes first: only that is certain. */
  readonly needs: readonly Need[];
}

/** What the platform shows of the organisations in a preview. */
export interface Shown {
  /** Objects of all programs: at least those of kinds that the update creates. */
  readonly objects: readonly InventoryObject[];
  /** True if `objects` would have the object. */
  shows(kind: string, uid: string): boolean;
}

const mayRead = "not every call reads before it writes";
const undocumented = "the platform does not document that it refuses that";

/**
 * The objects that an update creates, updates and deletes, with the capabilities that each takes by its kind and place.
 *
 * @param after who may do what after the update
 */
// See docs/decisions/0048-whose-rights-a-review-checks.md.
export function callsOf(applied: Applied, after: Snapshot, shown: Shown): Call[] {
  const { plan, urns, uncertain } = applied;
  const [was, is] = [new ObjectIndex(applied.before), new ObjectIndex(applied.after)];
  const urnOf = (object: InventoryObject) => urns.get(objectKey(object));
  const call = (verb: Verb, object: InventoryObject, doubt: string | undefined): Call => {
    const urn = urnOf(object);
    const kind = kindNamed(object.kind);
    // Roles hold in groups: the group of the object decides, and a group for itself once it exists.
    const at = (object.kind === kindNames.group && verb !== "CREATE" ? undefined : object.place) ?? object.uid;
    const sent = verb === "UPDATE" && kind.calls.update === "post" ? "CREATE" : verb;
    const why = doubt ?? (uncertain.has(urn ?? "") ? "the update may do something else" : undefined);
    return {
      what: `${verb.toLowerCase()} ${labelOf(object, urn)}`,
      ...(urn !== undefined && { urn }),
      needs: [
        { at, capabilities: capabilitiesFor(kind, sent), doubt: why },
        ...(verb === "DELETE" ? [] : givenBy(object, after)),
        { at, capabilities: capabilitiesFor(kind, "LIST"), doubt: mayRead },
      ],
    };
  };
  const others = Map.groupBy([...applied.before, ...shown.objects], keyOf);
  const successors = Map.groupBy(applied.after, keyOf);
  const isOther = (object: InventoryObject) => (each: InventoryObject) => urnOf(each) !== urnOf(object);
  const created = applied.after.filter((object) => urns.has(objectKey(object)) && !was.has(object.kind, object.uid));
  const kept = new Set(plan.filter(isKept).map(keyBefore));
  const deleted = applied.before.filter((object) => !is.has(object.kind, object.uid) && !kept.has(objectKey(object)));
  return [
    ...created.map((object) => {
      const mayExist =
        !shown.shows(object.kind, object.uid) || !hasKey(object) || others.get(keyOf(object))?.some(isOther(object)) === true;
      return call("CREATE", object, mayExist ? "it may exist, and be adopted" : undefined);
    }),
    ...updatesIn(applied, was).map(([object, doubt]) => call("UPDATE", object, doubt)),
    ...deleted.map((object) => {
      if (urnOf(object) === undefined) return call("DELETE", object, "it may go with its group");
      const isTakenOver = successors.get(keyOf(object))?.some(isOther(object)) === true;
      return call("DELETE", object, isTakenOver ? "another resource may take it over" : undefined);
    }),
    ...applied.before
      .filter((object) => applied.mayGo.has(objectKey(object)))
      .map((object) => call("DELETE", object, "with `adopt` it stays")),
  ];
}

/** The objects that change in place, each with the reason why that is not certain. */
function updatesIn({ plan, after, urns }: Applied, was: ObjectIndex<InventoryObject>): [InventoryObject, string | undefined][] {
  const changed = new Map(plan.flatMap((each) => (each.op === "change" ? [[each.urn, each]] : [])));
  return after.flatMap((object): [InventoryObject, string | undefined][] => {
    const [old, planned] = [was.get(object.kind, object.uid), changed.get(urns.get(objectKey(object)) ?? "")];
    // A `GroupAccess` makes and deletes role bindings, and updates none.
    if (old === undefined || planned?.kind !== object.kind) return [];
    const kind = kindNamed(object.kind);
    const { mask } = changeOf(kind, declaredInputs(kind, old.value), declaredInputs(kind, object.value));
    if (isHidden([planned.before.inputs, planned.before.outputs, planned.after.inputs]))
      return [[object, "the preview does not show whether it changes"]];
    return mask.length > 0 ? [[object, undefined]] : [];
  });
}

/** `group shop`, as the program calls it; an object that goes with a group of the program, as the platform does. */
function labelOf({ kind, uid, value }: InventoryObject, urn: string | undefined): string {
  const name = urn !== undefined ? nameOf(urn) : typeof value["name"] === "string" ? value["name"] : uid;
  return `${kindNamed(kind).collection.noun} ${nameInWords(name)}`;
}

/** The text that identifies an object besides its uid; its uid where nothing else does. */
function keyOf(object: InventoryObject): string {
  return naturalKeyOf(kindNamed(object.kind), object.value) ?? objectKey(object);
}

/** False where the preview hides a part of what identifies an object. */
function hasKey({ kind, value }: InventoryObject): boolean {
  const { naturalKey } = kindNamed(kind);
  return naturalKey.every((name) => value[name] !== undefined && !isHidden(value[name]));
}

/** The capabilities of the role that an object gives to somebody, which the caller should have (docs/platform-api.md#capabilities). */
function givenBy(object: InventoryObject, after: Snapshot): Need[] {
  const given = sourcesOf(snapshotOf([object]), (uid) => uid).filter(({ roleUid }) => roleUid !== accountRole);
  return given.map(({ roleUid, place }) => {
    const role = after.roles.get(roleUid);
    return { at: place, capabilities: role?.capabilities, role: role?.name ?? roleUid, doubt: undocumented };
  });
}
