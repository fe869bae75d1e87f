import type { Snapshot } from "../access/snapshot";
import { nameInWords } from "../access/values";
import { accountRole, sourcesOf } from "../access/ways";
import { capabilitiesFor, groupOf, kindNamed, kindNames, listedKinds } from "../inventory/kinds";
import { type InventoryObject, ObjectIndex, objectKey } from "../inventory/objects";
import { snapshotOf } from "../inventory/snapshot-of";
import type { Verb } from "../provider/client/capability";
import { isBelow, parentOf } from "../provider/client/uid";
import { unknownValue } from "../provider/schema/inputs";
import { declaredInputs, type Inputs, type Kind, naturalKeyOf } from "../provider/schema/kind";
import { changeOf } from "../provider/schema/request-body";
import type { Applied } from "./apply";
import { hiddenSecret, holds } from "./hidden";
import { isForced, isKept, keyBefore, nameOf, type Planned } from "./plan";

/** Something that the platform requires of the caller. */
export interface Need {
  /** Uid of the object at which the caller must have the capabilities, there or above. */
  readonly at: string;
  /** Undefined where nothing shows what the role allows. */
  readonly capabilities: readonly string[] | undefined;
  /** The role that the call gives to somebody, whose capabilities these are. */
  readonly role?: string;
  /** Why a caller that lacks them may not be refused, as the end of a sentence; undefined if it will be. */
  readonly doubt?: string | undefined;
}

/** One call that an update makes. */
export interface Call {
  /** `create group shop`. */
  readonly what: string;
  /** Absent for what goes with a group of the program. */
  readonly urn?: string;
  readonly needs: readonly Need[];
}

/** What the platform shows of the organisations in a preview. */
export interface Shown {
  /** Objects of all programs: at least those of kinds that the update creates. */
  readonly objects: readonly InventoryObject[];
  /** True if `objects` would have the object. */
  shows(kind: string, uid: string): boolean;
}

/**
 * The calls that an update makes for the objects in a preview, with what each requires.
 *
 * @param before who may do what before the update, and `after` it
 */
export function callsOf(applied: Applied, before: Snapshot, after: Snapshot, shown: Shown): Call[] {
  const { plan, urns, uncertain, made } = applied;
  const [was, is] = [new ObjectIndex(applied.before), new ObjectIndex(applied.after)];
  const changed = new Map(plan.flatMap((each) => (each.op === "change" ? [[each.urn, each]] : [])));
  const emptied = plan.filter(isForced).flatMap(({ before: group }) => group?.id ?? []);
  /** A key that stands for what is not known has no place. */
  const isOpen = (value: unknown) =>
    holds(value, unknownValue) || (typeof value === "string" && made.has(value) && parentOf(value) === undefined);
  const kept = new Set(plan.filter(isKept).map(keyBefore));
  // A `GroupAccess` compares with what is there before it changes anything.
  const compared = new Set(plan.flatMap(({ kind, op, urn }) => (kind === kindNames.groupAccess && op !== "delete" ? [urn] : [])));
  const siblings = Map.groupBy(shown.objects, siblingKey);
  const isMade = (object: InventoryObject) => urns.has(objectKey(object)) && !was.has(object.kind, object.uid);
  const successors = new Map(applied.after.filter(isMade).map((each) => [keyOf(each), urns.get(objectKey(each))]));
  const call = (verb: Verb, object: InventoryObject, doubt?: string, gives?: InventoryObject): Call => {
    const kind = kindNamed(object.kind);
    const urn = urns.get(objectKey(object));
    // Roles hold in groups: the one that the object is in decides, and a group for itself once it exists.
    const at = (object.kind === kindNames.group && verb !== "CREATE" ? undefined : object.place) ?? object.uid;
    const why = doubt ?? (urn !== undefined && uncertain.has(urn) ? "the update may do something else" : undefined);
    const list = capabilitiesFor(kind, "LIST");
    const sent = capabilitiesFor(kind, verb === "UPDATE" && kind.calls.update === "post" ? "CREATE" : verb);
    const isProven = verb === "DELETE" && kind.calls.delete === "ignores missing";
    return {
      what: `${verb.toLowerCase()} ${labelOf(object, urn)}`,
      ...(urn !== undefined && { urn }),
      needs: [
        { at, capabilities: isReadFirst(kind, verb) || compared.has(urn ?? "") ? [...list, ...sent] : sent, doubt: why },
        ...(isProven ? [{ at, capabilities: list, doubt: "it may be proven without that it is gone" }] : []),
        ...(gives === undefined ? [] : givenBy(gives, before, after, why)),
      ],
    };
  };
  const created = applied.after.flatMap((object): Call[] => {
    if (!isMade(object)) return [];
    const urn = urns.get(objectKey(object));
    // What it replaces is not adopted.
    const others = (siblings.get(siblingKey(object)) ?? []).filter((each) => urns.get(objectKey(each)) !== urn);
    const mayExist = !made.has(parentOf(object.uid) ?? "") && mayBeAdopted(object, shown, others);
    return [call("CREATE", object, mayExist ? "it may exist, and be adopted" : undefined, object)];
  });
  const updated = applied.after.flatMap((object): Call[] => {
    const old = was.get(object.kind, object.uid);
    const planned = changed.get(urns.get(objectKey(object)) ?? "");
    // A `GroupAccess` makes and deletes role bindings, and updates none.
    const sent = old && planned?.kind === object.kind && sentBy(planned, old.value, object.value, isOpen);
    if (!sent || sent === "nothing") return [];
    const gives = object.kind !== kindNames.identityProvider || old.value["defaultRole"] !== object.value["defaultRole"];
    const doubt = sent === "perhaps" ? "the preview does not show whether it changes" : undefined;
    return [call("UPDATE", object, doubt, gives ? object : undefined)];
  });
  const deleted = applied.before.flatMap((object): Call[] => {
    const key = objectKey(object);
    if (applied.mayGo.has(key)) return [call("DELETE", object, "with `adopt` it stays")];
    const { withGroup, sharesUid } = kindNamed(object.kind);
    const goes =
      urns.has(key) || (withGroup && emptied.some((group) => isBelow(object.uid, group) || (sharesUid && object.uid === group)));
    if (is.has(object.kind, object.uid) || kept.has(key) || !goes) return [];
    const successor = successors.get(keyOf(object));
    const isTakenOver = successor !== undefined && successor !== urns.get(key);
    return [call("DELETE", object, isTakenOver ? "another resource may take it over" : undefined)];
  });
  const read = plan.flatMap(({ kind: name, after: state, urn }): Call[] => {
    const kind = listedKinds.get(name);
    // Everybody may read built-in roles, and nothing says who may read a person.
    const isInGroup = state?.id && (name === kindNames.group || parentOf(state.id) !== undefined);
    if (kind === undefined || state?.external !== true || !state.id || !isInGroup) return [];
    const at = name === kindNames.group ? state.id : (groupOf(kind, state.id) ?? state.id);
    const needs = [{ at, capabilities: capabilitiesFor(kind, "LIST") }];
    return [{ what: `read ${kind.collection.noun} ${nameInWords(nameOf(urn))}`, urn, needs }];
  });
  return [...created, ...updated, ...deleted, ...read];
}

/** `group shop`, as the program calls it; what goes with a group of the program, as the platform does. */
function labelOf({ kind, uid, value }: InventoryObject, urn: string | undefined): string {
  const name = urn !== undefined ? nameOf(urn) : typeof value["name"] === "string" ? value["name"] : uid;
  return `${kindNamed(kind).collection.noun} ${nameInWords(name)}`;
}

/** Whether the provider fails where it cannot read an object that it changes: where somebody else's change could be lost. */
function isReadFirst({ access, calls }: Kind, verb: Verb): boolean {
  return verb === "UPDATE" && (access !== "none" || calls.update === "post");
}

/** Whether an object changes on the platform. What is secret before the update or after it may be equal. */
function sentBy(
  planned: Planned,
  before: Inputs,
  after: Inputs,
  isOpen: (value: unknown) => boolean,
): "nothing" | "perhaps" | "something" {
  const kind = kindNamed(planned.kind);
  const { mask, changed } = changeOf(kind, declaredInputs(kind, before), declaredInputs(kind, after));
  const shown = [planned.before?.inputs, planned.before?.outputs, planned.after?.inputs];
  const isSecret = (name: string) => shown.some((values) => holds(values?.[name], hiddenSecret));
  if (mask.length > 0) return changed.every((name) => isSecret(name) || isOpen(after[name])) ? "perhaps" : "something";
  const isHidden = Object.keys(planned.after?.inputs ?? {}).some(
    (name) => isSecret(name) || isOpen(planned.after?.inputs?.[name]),
  );
  return isHidden ? "perhaps" : "nothing";
}

/** Whether there may be an object that a create takes over. Whether it does depends on `adopt`, which no preview shows. */
function mayBeAdopted(object: InventoryObject, shown: Shown, siblings: readonly InventoryObject[]): boolean {
  const { naturalKey, sharesUid } = kindNamed(object.kind);
  if (naturalKey.length === 0 && !sharesUid) return false;
  const isHidden = (value: unknown) => [hiddenSecret, unknownValue].some((part) => holds(value, part));
  if (!shown.shows(object.kind, object.uid) || naturalKey.some((name) => isHidden(object.value[name] ?? unknownValue)))
    return true;
  return siblings.some((sibling) => keyOf(sibling) === keyOf(object));
}

/** What identifies an object besides its uid; its uid where nothing else does. */
function keyOf(object: InventoryObject): string {
  return naturalKeyOf(kindNamed(object.kind), object.value) ?? objectKey(object);
}

function siblingKey({ kind, uid }: InventoryObject): string {
  return `${kind} ${parentOf(uid) ?? ""}`;
}

/** The capabilities of the role that an object gives to somebody, which the caller must have (docs/platform-api.md#capabilities). */
function givenBy(object: InventoryObject, before: Snapshot, after: Snapshot, doubt: string | undefined): Need[] {
  const undocumented = "the platform does not document that it refuses that";
  return sourcesOf(snapshotOf([object]), (uid) => uid).flatMap(({ roleUid, place, through }): Need[] => {
    if (roleUid === accountRole) return [];
    const [old, role] = [before.roles.get(roleUid), after.roles.get(roleUid)];
    const isOther = old !== undefined && JSON.stringify(old.capabilities) !== JSON.stringify(role?.capabilities);
    const why =
      through.kind === "externalGroupRoleMapping" ? (isOther ? "the update changes that role" : undefined) : undocumented;
    return [{ at: place, capabilities: role?.capabilities, role: role?.name ?? roleUid, doubt: doubt ?? why }];
  });
}
