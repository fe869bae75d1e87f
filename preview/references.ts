import { kindNames, listedKinds } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { hasPlatformForm, organizationOf, parentOf } from "../provider/client/uid";
import { builtInFirst, isGrantableIn, logsInWith } from "../provider/resources/naming/matchers";
import { givenFor, type IdentityRef, withKnownUids } from "../provider/schema/references";
import type { Values } from "../provider/schema/values";
import { type Candidate, candidatesOf, Groups, uidsNamed } from "./candidates";
import { anyOf, onlyOf, openReason, type Ref } from "./open";
import { kindOf, type Planned } from "./plan";
import { holds, isShown } from "./seen";

/**
 * The objects that references mean in an update. A name is resolved when its resource is made or changed, and the preview does not show
 * that order. So a name means the only object that may have it at some time of the update. If several may, the reference is open.
 */
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
  /** The objects that a create may take over, by kind and place. They belong to others, or the program gives them up. */
  readonly #free: ReadonlyMap<string, readonly Free[]>;
  /** The resources that the update renames. */
  readonly #renamed: readonly Planned[];
  readonly #groups = new Groups();
  readonly #identities: readonly Candidate[];
  readonly #roles: readonly Candidate[];

  /** @param shown existing objects outside the plan, and those known only by name */
  constructor(plan: readonly Planned[], shown: readonly InventoryObject[]) {
    this.#after = new Map(plan.flatMap((each) => (each.op === "delete" || each.op === "release" ? [] : [[each.urn, each]])));
    const given = plan.filter(({ op, before }) => before.id && (op === "delete" || op === "release"));
    const free = [
      ...shown.map(({ kind, uid, value }): Free => ({ kind, uid, values: [value] })),
      ...given.map((by): Free => ({ kind: by.kind, uid: by.before.id, values: [by.before.inputs], by })),
    ];
    this.#renamed = plan.filter(({ op, before, after }) => op === "change" && nameIn(before) !== after.inputs["name"]);
    this.#free = Map.groupBy(free, ({ kind, uid }) => placeKey(kind, parentOf(uid)));
    const candidates = (kind: string, some: readonly Planned[], others: readonly InventoryObject[]) =>
      candidatesOf(kind, some, others, (each) => this.keyAfter(each));
    // Start at the top, because the place of a new group may be given by its path.
    const groups = plan.filter(({ kind }) => kind === kindNames.group);
    const made = groups.filter(isNew).map((group) => ({ group, depth: this.#depthAfter(group) }));
    this.#groups.add(
      candidates(
        kindNames.group,
        groups.filter((each) => !isNew(each)),
        shown,
      ),
    );
    for (const { group } of made.sort((one, other) => one.depth - other.depth))
      this.#groups.add(candidates(kindNames.group, [group], []));
    this.#identities = candidates(kindNames.identity, plan, shown);
    this.#roles = candidates(kindNames.role, plan, shown);
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

  /** The inputs after the update, with the resolved uids of references in the state. */
  inputsAfter(planned: Planned, olds = this.#oldsOf(planned)[0]): Values {
    return withKnownUids(kindOf(planned).fields, olds ?? {}, planned.after.inputs);
  }

  /** The object that the uid in `field`, or the reference given instead, means after the update; undefined if neither is given. */
  meaning(planned: Planned, field: string): Ref | undefined {
    const [ref, ...others] = this.#oldsOf(planned).map((olds) => this.#meaningIn(planned, field, olds));
    if (ref === undefined || "open" in ref) return ref;
    const isSame = others.every((other) => other !== undefined && "key" in other && other.key === ref.key);
    return isSame
      ? ref
      : anyOf(kindMeant(planned, field), planned, "it means another object if the update replaces the current one. Pass the uid");
  }

  /** @param olds the state whose references keep their uids */
  #meaningIn(planned: Planned, field: string, olds: Values): Ref | undefined {
    const kind = kindMeant(planned, field);
    const written = planned.after.inputs;
    const reference = givenFor(kindOf(planned).fields, field, written);
    // Look for secrets before the state is used, because a secret looks the same before and after.
    if (holds([written[field], reference && written[reference.name]], "secret"))
      return anyOf(kind, planned, "it is a secret. Pass it as a plain value");
    const uid = this.inputsAfter(planned, olds)[field];
    if (!isShown(uid)) return this.#dependency(planned, field, kind);
    if (typeof uid === "string" && uid !== "") return { key: uid };
    if (reference === undefined) return undefined;
    const text = written[reference.name];
    if (reference.to === "group") return this.#groupAt(planned, String(text));
    const parent = this.#meaningIn(planned, kindOf(planned).parentInput, olds);
    const scope = reference.place === undefined ? parent : this.#meaningIn(planned, reference.place, olds);
    const place = [scope, parent].find((each) => each !== undefined && "key" in each);
    const around = place !== undefined && "key" in place ? place.key : "";
    return reference.to === "role" ? this.role(String(text), around) : this.#identity(text as IdentityRef, around);
  }

  /** The role that a `GroupAccess` means by `text`, a uid or a name, in a group. */
  roleWritten(text: string, place: string): Ref {
    const isItsUid = hasPlatformForm(text) || this.#roles.some(({ uid }) => uid === text);
    return isItsUid ? { key: text } : this.role(text, place);
  }

  /** The role that a program means by the name `text` in a group. */
  role(text: string, place: string): Ref {
    const uids = uidsNamed(text, (naming) =>
      builtInFirst(this.#roles.filter((role) => isGrantableIn(role, place) && naming(role, text))),
    );
    return onlyOf(uids, text, { kind: kindNames.role, value: { name: text } });
  }

  /** The resources of `kind` on which an input depends. `hasOthers` means other dependencies, so the value was computed. */
  dependencies(planned: Planned, input: string, kind: string): { all: readonly Planned[]; hasOthers: boolean } {
    const urns = new Set(planned.after.propertyDependencies[input]);
    const all = [...urns].flatMap((urn) => this.#after.get(urn) ?? []).filter((each) => each.kind === kind);
    return { all, hasOthers: urns.size > all.length };
  }

  /**
   * Whether the update replaces a resource that the preview replaces. An unresolved reference may still mean the same object, and then the
   * update keeps the resource.
   */
  isReplaced(planned: Planned): boolean | "perhaps" {
    const { fields, parentInput } = kindOf(planned);
    const { outputs, inputs } = planned.before;
    const was = withKnownUids(fields, outputs, inputs);
    // A released object stands before its replacement in the plan.
    const replacement = planned.op === "release" ? (this.#after.get(planned.urn) ?? planned) : planned;
    const answers = planned.reasons.map((reason) => {
      const field = reason === "parentPath" ? parentInput : reason;
      if (fields[field]?.shape.is !== "uid") return true;
      const is = this.#meaningIn(replacement, field, outputs);
      if (is === undefined || "open" in is) return "perhaps";
      if (is.key === was[field]) return false;
      // A reference of this kind is changed in place once its uid is known.
      return fields[field].traits.blocksTarget === true ? "perhaps" : true;
    });
    if (answers.includes(true) || answers.length === 0) return true;
    return answers.includes("perhaps") && "perhaps";
  }

  /** The outputs in the state that may still hold. Empty if another object takes the place. */
  #oldsOf(planned: Planned): Values[] {
    const olds = planned.before.outputs;
    const isReplaced = planned.op === "replace" && this.isReplaced(planned);
    return isReplaced === "perhaps" ? [olds, {}] : [isReplaced ? {} : olds];
  }

  #findKey(planned: Planned): string {
    const { kind, urn, op, before, after } = planned;
    const isMade = op === "create" || (op === "replace" && this.isReplaced(planned) !== false);
    const id = after.id || (isMade ? "" : before.id);
    if (id) return id;
    const place = this.#placeAfter(planned);
    if (kindOf(planned).sharesUid || kind === kindNames.groupAccess) return place;
    const taken = isMade ? this.#takenOver(planned, place) : undefined;
    if (taken !== undefined) return taken;
    const key = this.newKey(place, urn);
    // With retainOnDelete the old object stays, so the new one does not stand for it.
    if (op === "replace" && before.id && !before.retainOnDelete) this.moved.set(key, before.id);
    return key;
  }

  /** The uid of the object that a create takes over because of its name. */
  #takenOver(planned: Planned, place: string): string | undefined {
    const { kind, before, after } = planned;
    const { name } = after.inputs;
    if (typeof name !== "string") return undefined;
    const isGivenUp = this.#renamed.some(
      (other) => other.kind === kind && parentOf(other.before.id) === place && nameIn(other.before) === name,
    );
    if (isGivenUp) {
      this.open.set(
        planned,
        "the update renames the object of its name, and `adopt` may take that one over. Apply the rename first",
      );
      return undefined;
    }
    const free = (this.#free.get(placeKey(kind, place)) ?? []).filter(
      ({ uid, by }) => uid !== before.id && (by === undefined || this.isReplaced(by) !== false),
    );
    const [only, ...others] = new Set(uidsNamed(name, (naming) => free.filter((each) => naming(each, name))));
    if (others.length === 0) return only;
    this.open.set(
      planned,
      "it may adopt an existing object, and nothing shows which. Import that object first, or choose another name",
    );
    return undefined;
  }

  /** The key of the place of the resource after the update. */
  #placeAfter(planned: Planned): string {
    const { parentInput } = kindOf(planned);
    const place = this.meaning(planned, parentInput);
    return place !== undefined && "key" in place ? place.key : this.openKey(planned, parentInput);
  }

  /** The number of names in the path of a group after the update; infinite if its place is not known. */
  #depthAfter(group: Planned, below: readonly Planned[] = []): number {
    if (!isNew(group)) return depthOf(this.keyAfter(group));
    // A replacement can be decided only when all groups are found.
    const { parentUid, parentPath } = this.inputsAfter(group, group.before.outputs);
    const place = parentUid || parentPath;
    if (isShown(place)) return typeof place === "string" ? depthOf(place) + 1 : Infinity;
    const [only, ...others] = this.dependencies(group, "parentUid", group.kind).all;
    const isOpen = only === undefined || others.length > 0 || below.includes(only);
    return isOpen ? Infinity : this.#depthAfter(only, [...below, group]) + 1;
  }

  #groupAt(planned: Planned, path: string): Ref {
    const ref = onlyOf(this.#groups.at(path), path, anyOf(kindNames.group, planned, "").standIn);
    // Objects in a group that moves may inherit any access there.
    const isMove = planned.kind === kindNames.group && planned.op === "replace";
    return "open" in ref && isMove ? { ...ref, isDecisive: true } : ref;
  }

  /** The identity of the path, or with the issuer and subject, in the organisation of the group `place`. */
  #identity(reference: IdentityRef, place: string): Ref {
    const kind = kindNames.identity;
    if (typeof reference === "string") {
      const end = reference.lastIndexOf("/");
      const [path, name] = [reference.slice(0, end), reference.slice(end + 1)];
      const above = this.#groups.at(path);
      const inside = this.#identities.filter(({ uid }) => above.includes(parentOf(uid) ?? ""));
      const uids = uidsNamed(reference, (naming) => inside.filter((each) => naming(each, name)));
      // A group above may be another one if its name is hidden.
      const isCertain = uids.length === 0 || !above.includes(path);
      return onlyOf(isCertain ? uids : [...uids, reference], reference, { kind, value: { name: reference } });
    }
    const text = `${reference.subject} at ${reference.issuer}`;
    const organization = organizationOf(place);
    const isNear = ({ uid }: Candidate) =>
      isPerson({ uid }) || this.made.has(organization) || organizationOf(uid) === organization;
    const found = this.#identities.filter((each) => isNear(each) && each.values.some((value) => logsInWith(value, reference)));
    // A person has the login if no identity of the organisation has it, before or after the update.
    const [people, own] = [found.filter(isPerson), found.filter((each) => !isPerson(each))];
    const isCertain = own.length > 0 && own.every(({ values }) => values.every((value) => logsInWith(value, reference)));
    const person = people.length > 0 || own.length === 0 ? people.map(({ uid }) => uid) : [text];
    const uids = [...own.map(({ uid }) => uid), ...(isCertain ? [] : person)];
    return onlyOf(uids, text, { kind, value: { name: text, claimMatch: { ...reference } } });
  }

  /**
   * The object that a value known only after the update means. A preview shows the dependencies of a value, but not its computation: a
   * function of the program (`apply`) may return any uid. So a value is assumed to be the uid of a resource only if it depends on no other.
   */
  #dependency(planned: Planned, field: string, kind: string): Ref {
    const { all, hasOthers } = this.dependencies(planned, field, kind);
    const [only, ...others] = all;
    if (only === undefined || others.length > 0 || hasOthers || !isUidOpen(only)) return anyOf(kind, planned, openReason(all));
    return { key: this.keyAfter(only), taken: only };
  }
}

function nameIn(state: Planned["before"]): unknown {
  return state.outputs["name"] ?? state.inputs["name"];
}

/** True for a person, who is in no group. */
function isPerson({ uid }: Pick<Candidate, "uid">): boolean {
  return parentOf(uid) === undefined;
}

/** An object that a create may take over. */
interface Free extends Candidate {
  readonly kind: string;
  /** The resource that gives it up. */
  readonly by?: Planned;
}

/** False if a preview shows the uid. Then an unknown value is no uid of this resource, even if it depends on the resource. */
export function isUidOpen({ op, reasons }: Planned): boolean {
  return op === "create" || op === "replace" || reasons.length > 0;
}

/** True if the preview does not show the uid of the object after the update. */
function isNew({ op, after }: Planned): boolean {
  return (op === "create" || op === "replace") && !after.id;
}

/** The published name of the kind whose uid the field holds. */
function kindMeant(planned: Planned, field: string): string {
  const { fields, parents, parentInput } = kindOf(planned);
  const shape = fields[field]?.shape;
  const noun = field === parentInput ? parents.noun : shape?.is === "uid" ? shape.of : "";
  return [...listedKinds].find(([, { collection }]) => collection.noun === noun)?.[0] ?? kindNames.group;
}

/** The number of names in the path of an object, which is also the number of parts of its uid. */
function depthOf(path: string): number {
  return path.split("/").length;
}

function placeKey(kind: string, place: string | undefined): string {
  return `${kind} ${place}`;
}
