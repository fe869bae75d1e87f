import type { SnapshotRole } from "../access/snapshot";
import { kindNames, listedKinds } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { alternatives, shortList } from "../provider/client/printable";
import { isUid, organizationOf, parentOf } from "../provider/client/uid";
import { builtInFirst, isRoleNamed, logsInWith } from "../provider/resources/naming/matchers";
import { unknownValue } from "../provider/schema/inputs";
import { givenFor, type IdentityRef, withKnownUids } from "../provider/schema/references";
import type { Values } from "../provider/schema/values";
import { GroupPaths } from "./group-paths";
import { hiddenSecret, holds } from "./hidden";
import { kindOf, nameOf, type Planned } from "./plan";

/** What is there before an update, as far as it is known. */
export interface World {
  /** Objects that the platform shows, of all programs. */
  readonly objects: readonly InventoryObject[];
  /** Roles by uid. */
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  /** Capabilities of built-in roles by name, where their uid is not known. */
  readonly builtIns: ReadonlyMap<string, readonly string[]>;
}

/** An object, or that it is not certain which. */
export type Ref =
  /** Its key: the uid, or what stands for it while it is not made. With `taken`: a value that is taken for the uid of that resource. */
  { readonly key: string; readonly taken?: Planned } | OpenRef;

/** Why it is not certain which object is meant. */
export interface OpenRef {
  readonly open: string;
  /** True if it may be any change. */
  readonly isDecisive: boolean;
  /** What is shown in its place. */
  readonly standIn: Values;
}

/** An object that references may mean, with all that it is at some time of the update. */
interface Candidate {
  readonly key: string;
  readonly values: readonly Values[];
}

/**
 * What references mean in an update. A name is resolved when its resource is made or changed, in an order that the preview does not
 * show: it means the only object that may have it at some time of the update. Where several may, it is open.
 */
export class References {
  /** Keys that are no uids: of objects that are not made yet. */
  readonly made = new Set<string>();
  /** For an object that replaces another one: the uid of that, by its own key. */
  readonly moved = new Map<string, string>();
  readonly #keys = new Map<Planned, string>();
  /** What a create may take over, by kind, place and name: what others have, and what the program gives up. */
  readonly #free: ReadonlyMap<string, { readonly uid: string; readonly by?: Planned }>;
  readonly #after: ReadonlyMap<string, Planned>;
  readonly #groups = new GroupPaths();
  readonly #identities: ReadonlyMap<string, Candidate>;
  readonly #roles: readonly { readonly uid: string; readonly name: string }[];

  /** @param shown what is there besides what the plan manages, and what is only known by name */
  constructor(plan: readonly Planned[], shown: readonly InventoryObject[]) {
    this.#after = new Map(plan.flatMap((each) => (each.after === undefined ? [] : [[each.urn, each]])));
    const given = plan.filter(({ op, before }) => before?.id && (op === "delete" || op === "release"));
    const free = [
      ...shown,
      ...given.map((by) => ({ kind: by.kind, uid: by.before?.id ?? "", value: by.before?.inputs ?? {}, by })),
    ];
    this.#free = new Map(free.map((each) => [nameKey(each.kind, parentOf(each.uid), each.value["name"]), each]));
    this.#findGroups(plan, shown);
    this.#identities = this.#candidates(kindNames.identity, plan, shown);
    this.#roles = [...this.#candidates(kindNames.role, plan, shown).values()].flatMap(({ key, values }) =>
      namesOf(values).map((name) => ({ uid: key, name })),
    );
  }

  /** The key of the object of a resource after the update. */
  keyAfter(planned: Planned): string {
    const known = this.#keys.get(planned);
    if (known !== undefined) return known;
    // A file with a circle of references is no reason to hang.
    this.#keys.set(planned, this.#openKey(planned, "object"));
    const key = this.#findKey(planned);
    this.#keys.set(planned, key);
    return key;
  }

  /** The key of what the resource is in after the update. @param olds see {@link meaning} */
  placeAfter(planned: Planned, olds = this.#oldsOf(planned)): string {
    const place = this.meaning(planned, kindOf(planned).parentInput, olds);
    return place !== undefined && "key" in place ? place.key : this.#openKey(planned, kindOf(planned).parentInput);
  }

  /** A key of its own for something in `place` that is not made yet. */
  newKey(place: string, urn: string): string {
    // What all URNs of a stack begin with says nothing.
    const key = `${place}/${urn.split("::").slice(2).join("::").replaceAll("/", "%2F")}`;
    this.made.add(key);
    return key;
  }

  /** What stands for the object that `field` means, as long as it is open which. */
  standIn(planned: Planned, field: string, ref: OpenRef): InventoryObject {
    return { kind: kindMeant(planned, field), uid: this.#openKey(planned, field), place: undefined, value: ref.standIn };
  }

  /** Stands for an object that the resource names, and that may be any that `value` allows. */
  anyOf(planned: Planned, kind: string, value: Values): InventoryObject {
    return { kind, uid: this.#openKey(planned, `${kind} ${String(value["name"])}`), place: undefined, value };
  }

  /** The inputs after the update, with the uids that references in the state were resolved to. @param olds see {@link meaning} */
  inputsAfter(planned: Planned, olds = this.#oldsOf(planned)): Values {
    return withKnownUids(kindOf(planned).fields, olds, planned.after?.inputs ?? {});
  }

  /**
   * What the uid in `field` means after the update, or what stands instead of it; undefined if neither is given.
   *
   * @param olds the state whose references keep their uids. Default: that of the resource, unless another object takes its place
   */
  meaning(planned: Planned, field: string, olds = this.#oldsOf(planned)): Ref | undefined {
    const { fields, parentInput } = kindOf(planned);
    const written = planned.after?.inputs ?? {};
    const reference = givenFor(fields, field, written);
    // Before the state is asked: a secret looks the same before and after.
    if (holds([written[field], reference && written[reference.name]], hiddenSecret))
      return open(planned, kindMeant(planned, field), "it is a secret. Pass it as a plain value");
    const uid = this.inputsAfter(planned, olds)[field];
    if (uid === unknownValue) return this.#dependency(planned, field);
    if (typeof uid === "string" && uid !== "") return { key: uid };
    if (reference === undefined) return undefined;
    const text = written[reference.name];
    if (reference.to === "group") return this.#groupAt(planned, String(text));
    const scope = reference.place === undefined ? undefined : this.meaning(planned, reference.place, olds);
    const place = field === parentInput ? "" : this.placeAfter(planned, olds);
    const around = scope !== undefined && "key" in scope ? scope.key : place;
    return reference.to === "role" ? this.role(String(text), around) : this.#identity(planned, text as IdentityRef, around);
  }

  /** The role that a program means by `text` in a group: a uid, or a name. One that is not certain counts as if it allowed much. */
  role(text: string, place: string): Ref {
    if (this.#roles.some(({ uid }) => uid === text) || (isUid(text) && /\/|^[0-9a-f]{40}$/.test(text))) return { key: text };
    const found = builtInFirst(this.#roles.filter((role) => isRoleNamed(role, text, place)));
    const [only, ...others] = new Set(found.map(({ uid }) => uid));
    if (only !== undefined && others.length === 0) return { key: only };
    return { open: notShown(text), isDecisive: false, standIn: { name: text } };
  }

  /** The resources of `kind` that an input depends on. With `hasOthers` it depends on something else too, so its value was computed. */
  dependencies(planned: Planned, input: string, kind: string): { all: readonly Planned[]; hasOthers: boolean } {
    const urns = new Set(planned.after?.propertyDependencies?.[input]);
    const all = [...urns].flatMap((urn) => this.#after.get(urn) ?? []).filter((each) => each.kind === kind);
    return { all, hasOthers: urns.size > all.length };
  }

  /**
   * Whether the update replaces what the preview replaces. References that a preview does not resolve may mean what they did: then the
   * update keeps the object.
   */
  isReplaced(planned: Planned): boolean | "perhaps" {
    const { fields, parentInput } = kindOf(planned);
    const { outputs, inputs } = planned.before ?? {};
    const was = withKnownUids(fields, outputs ?? {}, inputs ?? {});
    // What a replacement leaves behind stands before it in the plan.
    const replacement = planned.op === "release" ? (this.#after.get(planned.urn) ?? planned) : planned;
    const answers = planned.reasons.map((reason) => {
      const field = reason === "parentPath" ? parentInput : reason;
      if (fields[field]?.shape.is !== "uid") return true;
      const is = this.meaning(replacement, field, outputs ?? {});
      if (is === undefined || "open" in is) return "perhaps";
      if (is.key === was[field]) return false;
      // Once it is known, such a reference is changed in place.
      return fields[field].traits.blocksTarget === true ? "perhaps" : true;
    });
    if (answers.includes(true) || answers.length === 0) return true;
    return answers.includes("perhaps") && "perhaps";
  }

  /** What the state says of the object: nothing, if another one takes its place. */
  #oldsOf(planned: Planned): Values {
    const isAnother = planned.op === "replace" && this.isReplaced(planned) === true;
    return isAnother ? {} : (planned.before?.outputs ?? {});
  }

  /** A key of its own for what is open. */
  #openKey({ urn }: Planned, what: string): string {
    const key = `unknown ${what} of ${urn}`.replaceAll("/", "%2F");
    this.made.add(key);
    return key;
  }

  #findKey(planned: Planned): string {
    const { kind, urn, op, before, after } = planned;
    const isNew = op === "create" || (op === "replace" && this.isReplaced(planned) !== false);
    const id = after?.id || (isNew ? undefined : before?.id);
    if (id) return id;
    const place = this.placeAfter(planned);
    if (kindOf(planned).sharesUid || kind === kindNames.groupAccess) return place;
    const name = after?.inputs?.["name"];
    const taken = isNew && typeof name === "string" ? this.#free.get(nameKey(kind, place, name)) : undefined;
    const isGivenUp = taken?.by === undefined || this.isReplaced(taken.by) !== false;
    if (taken !== undefined && isGivenUp && taken.uid !== before?.id) return taken.uid;
    const key = this.newKey(place, urn);
    // With retainOnDelete the old object stays, and is another one.
    if (op === "replace" && before?.id && before.retainOnDelete !== true) this.moved.set(key, before.id);
    return key;
  }

  /** Finds every group by its paths, from the top down: the place of a new one is found before it. */
  #findGroups(plan: readonly Planned[], shown: readonly InventoryObject[]): void {
    const groups = plan.filter(({ kind }) => kind === kindNames.group);
    const [made, known] = [groups.filter(isNew), groups.filter((each) => !isNew(each))];
    const levels = new Map<number, (() => void)[]>();
    const addAt = (depth: number, add: () => void) => levels.set(depth, [...(levels.get(depth) ?? []), add]);
    for (const { key, values } of this.#candidates(kindNames.group, known, shown).values())
      addAt(depthOf(key), () => this.#groups.add(key, namesOf(values)));
    for (const group of made)
      addAt(this.#depthAfter(group) ?? 0, () => this.#groups.add(this.keyAfter(group), namesOf(this.#valuesOf(group))));
    for (const [, all] of [...levels].sort(([one], [other]) => one - other)) for (const add of all) add();
  }

  /** How many names the path of a group has after the update; undefined where its place is not known. */
  #depthAfter(group: Planned, below: readonly Planned[] = []): number | undefined {
    if (!isNew(group)) return depthOf(this.keyAfter(group));
    // Whether it is replaced is not known before all groups are found.
    const { parentUid, parentPath } = this.inputsAfter(group, group.before?.outputs ?? {});
    const place = parentUid || parentPath;
    if (place !== unknownValue) return typeof place === "string" ? depthOf(place) + 1 : undefined;
    const [only, ...others] = this.dependencies(group, "parentUid", group.kind).all;
    if (only === undefined || others.length > 0 || below.includes(only)) return undefined;
    const above = this.#depthAfter(only, [...below, group]);
    return above === undefined ? undefined : above + 1;
  }

  #groupAt(planned: Planned, path: string): Ref {
    const [only, ...others] = this.#groups.at(path);
    if (only !== undefined && others.length === 0) return { key: only };
    if (only !== undefined) return open(planned, kindNames.group, severalText("its path", "groups"));
    // What is in a group that moves may inherit anything there.
    const isMove = planned.kind === kindNames.group && planned.op === "replace";
    return { ...open(planned, kindNames.group, notShown(path)), isDecisive: isMove };
  }

  /** The identity of that path, or with that issuer and subject, in the organisation of the group `place`. */
  #identity(planned: Planned, reference: IdentityRef, place: string): Ref {
    const isLogin = typeof reference !== "string";
    const text = isLogin ? `${reference.subject} at ${reference.issuer}` : reference;
    const above = isLogin ? [] : this.#groups.at(reference.slice(0, reference.lastIndexOf("/")));
    const found = [...this.#identities.values()].filter(({ key, values }) =>
      isLogin
        ? values.some((each) => logsInWith(each, reference)) &&
          (this.made.has(organizationOf(place)) || organizationOf(key) === organizationOf(place))
        : above.includes(parentOf(key) ?? "") && namesOf(values).includes(reference.slice(reference.lastIndexOf("/") + 1)),
    );
    const [only, ...others] = found;
    // An identity that has the login only before the update or only after it leaves it to one that nothing here shows.
    const isCertain = !isLogin || only?.values.every((each) => logsInWith(each, reference)) === true;
    if (only !== undefined && others.length === 0 && isCertain) return { key: only.key };
    const standIn = { name: text, ...(isLogin && { claimMatch: { ...reference } }) };
    if (only === undefined) return { open: notShown(text), isDecisive: false, standIn };
    return { open: severalText(text, "identities"), isDecisive: true, standIn };
  }

  /**
   * What a value means that is known after the update only. A preview shows what it depends on, and not how: what a function of the
   * program (`apply`) returns may be any uid. So only a value that depends on one resource is taken for its uid.
   */
  #dependency(planned: Planned, field: string): Ref {
    const kind = kindMeant(planned, field);
    const { all, hasOthers } = this.dependencies(planned, field, kind);
    const [only, ...others] = all;
    if (only === undefined || others.length > 0 || hasOthers || !isUidOpen(only)) return open(planned, kind, openReason(all));
    return { key: this.keyAfter(only), taken: only };
  }

  /** The objects of a kind that are there at some time of the update. What the update replaces is not meant. */
  #candidates(kind: string, plan: readonly Planned[], shown: readonly InventoryObject[]): Map<string, Candidate> {
    // A preview has nothing of what a program only reads. Deletes come last.
    const own = plan.filter((each) => each.kind === kind && each.after?.external !== true && (each.after ?? each.before?.id));
    const declared = own.flatMap((each) => this.#valuesOf(each).map((value) => ({ key: this.keyAfter(each), value })));
    const keys = new Set(declared.map(({ key }) => key));
    const replaced = new Set(
      own.flatMap(({ op, before }) => (op === "replace" && !keys.has(before?.id ?? "") ? [before?.id] : [])),
    );
    const others = shown.filter((object) => object.kind === kind && !replaced.has(object.uid));
    const all = Map.groupBy([...others.map(({ uid, value }) => ({ key: uid, value })), ...declared], ({ key }) => key);
    return new Map([...all].map(([key, each]) => [key, { key, values: each.map(({ value }) => value) }]));
  }

  /** What the object of a resource is before and after the update, as long as it is the same one. */
  #valuesOf(planned: Planned): Values[] {
    const { op, before, after } = planned;
    const isAnother = op === "replace" && this.keyAfter(planned) !== before?.id;
    return [...(isAnother ? [] : [before?.inputs, before?.outputs]), after?.inputs].filter((value) => value != null);
  }
}

/** An object of the kind that may be any. Whoever it may log in is anybody. */
function open({ urn }: Planned, kind: string, why: string): OpenRef {
  const name = `a ${listedKinds.get(kind)?.collection.noun ?? "group"} that is not known yet (${nameOf(urn)})`;
  const login = kind === kindNames.identity ? { claimMatch: unknownValue } : {};
  return { open: why, isDecisive: true, standIn: { name, ...login } };
}

/** The published name of the kind whose uid stands in the field. */
function kindMeant(planned: Planned, field: string): string {
  const { fields, parents, parentInput } = kindOf(planned);
  const shape = fields[field]?.shape;
  const noun = field === parentInput ? parents.noun : shape?.is === "uid" ? shape.of : "";
  return [...listedKinds].find(([, { collection }]) => collection.noun === noun)?.[0] ?? kindNames.group;
}

function notShown(text: string): string {
  return `neither the preview nor the platform shows ${text}. Correct it, or pass the uid`;
}

/** Most resources that a reason names. */
const mostNamed = 6;

/** For which resources values that are known after the update only are taken. */
export function takenReason(resources: readonly Planned[]): string {
  const names = resources.map(({ urn }) => nameOf(urn));
  return `it is known after the update only, and taken for ${shortList(names, mostNamed)}, which it depends on`;
}

/** Why it is not known what a value means. @param candidates what it depends on */
export function openReason(candidates: readonly Planned[]): string {
  const names = candidates.map(({ urn }) => nameOf(urn));
  const some = names.length > mostNamed ? [...names.slice(0, mostNamed), "another"] : names;
  const whose = some.length === 0 ? "" : `, and may be that of ${alternatives(some)}`;
  return `it is known after the update only${whose}. Apply what it depends on first, or pass the uid`;
}

function severalText(what: string, plural: string): string {
  return `${what} may mean several ${plural}, before and after the changes of this update. Apply renames and moves first, or pass the uid`;
}

/** False where a preview shows the uid: what is not known yet is something else, even if it depends on the resource. */
export function isUidOpen({ op, reasons }: Planned): boolean {
  return op === "create" || op === "replace" || reasons.length > 0;
}

/** True for an object whose uid after the update the preview does not show. */
function isNew({ op, after }: Planned): boolean {
  return (op === "create" || op === "replace") && !after?.id;
}

function namesOf(values: readonly Values[]): string[] {
  return [...new Set(values.flatMap(({ name }) => (typeof name === "string" ? [name] : [])))];
}

/** How many names the path of an object has: as many as its uid has parts. */
function depthOf(path: string): number {
  return path.split("/").length;
}

/** What identifies an object that has a name. */
function nameKey(kind: string, place: string | undefined, name: unknown): string {
  return JSON.stringify([kind, place, name]);
}
