import { kindNames, listedKinds } from "../inventory/kinds";
import { hasPlatformForm, parentOf } from "../provider/client/uid";
import type { InventoryObject } from "../inventory/objects";
import { roleUidsIn } from "../provider/kinds/group-access";
import { isBuiltIn } from "../provider/kinds/role";
import { type DeclaredReference, givenFor, isSame, withKnownUids } from "../provider/schema/references";
import type { Values } from "../provider/schema/values";
import { Moving } from "./moving";
import { anyOf, openReason, type Ref, unnamedReason } from "./open";
import { kindOf, type Planned } from "./plan";
import { holds, isShown } from "./seen";

/**
 * The objects that references mean in an update. Only plain references are decided: a uid that the preview shows, or the uid of the one new
 * resource on which an unknown value depends. Everything else is open.
 */
// See docs/decisions/0064-a-review-answers-what-is-plain.md.
export class References {
  /** Keys that are no uids, because their objects are not made yet. */
  readonly made = new Set<string>();
  /** The uid of each replaced object, by the key of its replacement. */
  readonly moved = new Map<string, string>();
  /** Why the object of a resource after the update is not certain. */
  readonly open = new Map<Planned, string>();
  /** Undefined while a key is being found. */
  readonly #keys = new Map<Planned, string | undefined>();
  readonly #after: ReadonlyMap<string, Planned>;
  /** Existing objects with a name, by kind and place. A create may adopt one. */
  readonly #named: ReadonlyMap<string, readonly Named[]>;
  readonly #moving: Moving;

  /** @param shown existing objects outside the plan, and those known only by name */
  constructor(plan: readonly Planned[], shown: readonly InventoryObject[]) {
    this.#after = new Map(plan.flatMap((each) => (each.op === "delete" || each.op === "release" ? [] : [[each.urn, each]])));
    const own = plan.map(({ kind, op, before }) => ({
      isFree: op === "delete" || op === "release",
      kind,
      uid: before.id,
      name: before.outputs["name"] ?? before.inputs["name"],
    }));
    const named = [...own, ...shown.map(({ kind, uid, value }) => ({ kind, uid, name: value["name"], isFree: true }))];
    this.#named = Map.groupBy(named, ({ kind, uid }) => placeKey(kind, parentOf(uid)));
    this.#moving = new Moving(plan);
  }

  /** The key of the object of a resource after the update. */
  keyAfter(planned: Planned): string {
    const known = this.#keys.get(planned);
    if (known !== undefined) return known;
    if (this.#keys.has(planned)) {
      this.open.set(planned, "its references form a circle. Pass the uid of one of them");
      return this.openKey(planned, "object");
    }
    this.#keys.set(planned, undefined);
    const key = this.#findKey(planned);
    this.#keys.set(planned, key);
    return key;
  }

  /** A new key for an object in `place` that is not made yet. */
  newKey(place: string, urn: string): string {
    // All URNs of a stack begin alike.
    const key = `${place}/${urn.split("::").slice(2).join("::").replaceAll("/", "%2F")}`;
    this.made.add(key);
    return key;
  }

  /** A new key for an open reference. */
  openKey({ urn }: Planned, what: string): string {
    const key = `unknown ${what} of ${urn}`.replaceAll("/", "%2F");
    this.made.add(key);
    return key;
  }

  /** The inputs after the update. An update in place keeps the uids of unchanged references in state. */
  inputsAfter(planned: Planned): Values {
    const { op, before, after } = planned;
    return withKnownUids(kindOf(planned).fields, op === "replace" ? {} : before.outputs, after.inputs);
  }

  /** The object that the uid in `field`, or the reference given instead, means after the update; undefined if neither is given. */
  meaning(planned: Planned, field: string): Ref | undefined {
    const kind = kindMeant(planned, field);
    const written = planned.after.inputs;
    const reference = givenFor(kindOf(planned).fields, field, written);
    // Look for secrets before the state is used, because a secret looks the same before and after.
    if (holds([written[field], reference && written[reference.name]], "secret"))
      return anyOf(kind, planned, "it is a secret. Pass it as a plain value");
    const uid = this.inputsAfter(planned)[field];
    if (!isShown(uid)) return this.#dependency(planned, field, kind);
    if (typeof uid === "string" && uid !== "")
      return this.#isMoving(planned, reference, uid) ? anyOf(kind, planned, movingReason) : { key: uid };
    return reference && anyOf(kind, planned, unnamedReason);
  }

  /** The role that a `GroupAccess` means by `text`, a uid or a name. */
  roleWritten(planned: Planned, text: string): Ref {
    const { op, before, after } = planned;
    const kept = op === "replace" ? undefined : roleUidsIn(before.outputs).get(text);
    const uid = kept ?? (hasPlatformForm(text) ? text : roleUidsIn(after.inputs).get(text));
    const isNew = kept === undefined && uid !== text;
    if (uid === undefined || (isNew && !isBuiltIn(uid) && this.#moving.has(uid, text)))
      return anyOf(kindNames.role, planned, uid === undefined ? unnamedReason : movingReason);
    return { key: uid };
  }

  /** The resources of `kind` on which an input depends. `hasOthers` means other dependencies, so the value was computed. */
  dependencies(planned: Planned, input: string, kind: string): { all: readonly Planned[]; hasOthers: boolean } {
    const urns = new Set(planned.after.propertyDependencies[input]);
    const all = [...urns].flatMap((urn) => this.#after.get(urn) ?? []).filter((each) => each.kind === kind);
    return { all, hasOthers: urns.size > all.length };
  }

  /** True if the preview replaces the resource only for references without a known uid. The update may then change it in place. */
  mayStay(planned: Planned): boolean {
    const { fields, parentInput } = kindOf(planned);
    return (
      planned.reasons.length > 0 &&
      planned.reasons.every((reason) => {
        const field = reason === "parentPath" ? parentInput : reason;
        if (fields[field]?.shape.is !== "uid") return false;
        const is = this.meaning(this.#after.get(planned.urn) ?? planned, field);
        return is === undefined || "open" in is || fields[field].traits.blocksTarget === true;
      })
    );
  }

  #findKey(planned: Planned): string {
    const { kind, urn, op, before, after } = planned;
    const id = after.id || (op === "replace" ? "" : before.id);
    if (id) return id;
    const place = this.#placeAfter(planned);
    if (kindOf(planned).sharesUid || kind === kindNames.groupAccess) return place;
    const adopted = this.#adopted(planned, place);
    if (adopted !== undefined) return adopted;
    const key = this.newKey(place, urn);
    // With retainOnDelete the old object stays, so the new one does not stand for it.
    if (op === "replace" && before.id && !before.retainOnDelete) this.moved.set(key, before.id);
    return key;
  }

  /** The uid of the only existing object with the name in the place, which a new object may adopt. */
  #adopted(planned: Planned, place: string): string | undefined {
    const { name } = planned.after.inputs;
    const others = (this.#named.get(placeKey(planned.kind, place)) ?? []).filter(({ uid }) => uid !== planned.before.id);
    const [only, ...more] = others.filter((other) => [name, other.name].some((each) => !isShown(each)) || other.name === name);
    if (name === undefined || only === undefined) return undefined;
    if (only.isFree && only.name === name && more.length === 0) return only.uid;
    this.open.set(
      planned,
      "it may adopt an existing object, and nothing shows which. Import that object, or choose another name",
    );
    return undefined;
  }

  /** The key of the place of the resource after the update. */
  #placeAfter(planned: Planned): string {
    const { parentInput } = kindOf(planned);
    const place = this.meaning(planned, parentInput);
    return place !== undefined && "key" in place ? place.key : this.openKey(planned, parentInput);
  }

  /**
   * True if the update looks up the name `text` once more, and may then find another object than `uid`.
   *
   * @param known the names in the state, which an update in place does not look up
   */
  isMoving({ op, isImported }: Planned, uid: string, text: unknown, known: readonly unknown[]): boolean {
    const isKept = op === "change" && !isImported && known.some((each) => isSame(each, text));
    return !isKept && this.#moving.has(uid, text);
  }

  #isMoving(planned: Planned, reference: DeclaredReference | undefined, uid: string): boolean {
    if (reference === undefined || (reference.to === "role" && isBuiltIn(uid))) return false;
    const [was, is] = [planned.before, planned.after].map(({ inputs }) => inputs[reference.name]);
    return this.isMoving(planned, uid, is, [was]);
  }

  /**
   * The object that a value known only after the update means. A preview shows the dependencies of a value, but not its computation: a
   * function of the program (`apply`) may return any uid. So a value is assumed to be the uid of a resource only if it depends on no other.
   */
  #dependency(planned: Planned, field: string, kind: string): Ref {
    const { all, hasOthers } = this.dependencies(planned, field, kind);
    const [only, ...others] = all;
    if (only === undefined || others.length > 0 || hasOthers || !isNew(only) || this.mayStay(only))
      return anyOf(kind, planned, openReason(all));
    const key = this.keyAfter(only);
    // An adopted object may be the one that the resource refers to already.
    const mayBeThere = planned.op === "replace" && !this.made.has(key);
    return mayBeThere ? anyOf(kind, planned, openReason(all)) : { key, taken: only };
  }
}

/** Why a name is not certain although it has a uid. */
export const movingReason = "the update makes or renames an object that its name may mean. Apply that first, or pass the uid";

/** An existing object that a create may adopt. */
interface Named {
  readonly kind: string;
  readonly uid: string;
  readonly name: unknown;
  /** True if no resource of the program keeps it. */
  readonly isFree: boolean;
}

/** True if the update makes the object, so the preview does not show its uid. */
export function isNew({ op }: Planned): boolean {
  return op === "create" || op === "replace";
}

/** The published name of the kind whose uid the field holds. */
function kindMeant(planned: Planned, field: string): string {
  const { fields, parents, parentInput } = kindOf(planned);
  const shape = fields[field]?.shape;
  const noun = field === parentInput ? parents.noun : shape?.is === "uid" ? shape.of : "";
  return [...listedKinds].find(([, { collection }]) => collection.noun === noun)?.[0] ?? kindNames.group;
}

function placeKey(kind: string, place: string | undefined): string {
  return `${kind} ${place}`;
}
