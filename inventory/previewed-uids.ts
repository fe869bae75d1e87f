import { ancestorsOf } from "../access/places";
import { parentOf } from "../provider/client/uid";
import type { Values } from "../provider/schema/values";
import { groupAccess } from "../provider/kinds/group-access";
import type { Kind } from "../provider/schema/kind";
import { unknownValue } from "../provider/schema/inputs";
import { withKnownUids } from "../provider/schema/references";
import { listedKinds, kindNames } from "./kinds";
import { type InventoryObject, objectKey } from "./objects";
import type { PreviewResource } from "./preview-resources";
import { type Meaning, References } from "./references-in-previews";

/** Uids of previewed resources: of an object to create, a placeholder below its parent. */
export class PreviewedUids {
  readonly references: References;
  /** Uids of objects that are not made yet. */
  readonly made = new Set<string>();
  /** For an object that replaces another one: the uid of that. */
  readonly moved = new Map<string, string>();
  readonly #after = new Map<PreviewResource, string>();
  /** Groups that the program has after the update, by every name of theirs. */
  readonly #groups: ReadonlyMap<unknown, readonly { readonly group: PreviewResource }[]>;
  /** Uids of groups of others by name. */
  readonly #others: ReadonlyMap<unknown, readonly string[]>;
  /** The resources of one kind that have the same logical name. */
  readonly #sameNamed: ReadonlyMap<string, readonly PreviewResource[]>;
  /** Names of the program's groups by uid. */
  readonly #names = new Map<string, unknown[]>();
  /** Uids of what a create may take over: what the program gives up, and what others have. */
  readonly #free: ReadonlyMap<string, string>;
  readonly #depths = new Map<PreviewResource, number | undefined>();
  readonly #byPath = new Map<string, readonly string[]>();

  /** @param shown what the platform shows @param nameBefore names of groups before the update that are known */
  constructor(
    resources: readonly PreviewResource[],
    shown: readonly InventoryObject[],
    private readonly nameBefore: (uid: string) => string | undefined,
  ) {
    const groups = resources.filter(({ kind }) => kind === kindNames.group);
    // What the program only reads is of others.
    const managed = resources.filter(({ after }) => after?.external !== true);
    const own = new Set(managed.map(({ kind, before }) => objectKey({ kind, uid: before?.id ?? "" })));
    const others = shown.filter((object) => !own.has(objectKey(object)));
    for (const group of groups)
      if (group.before?.id && group.fate !== "replaced") this.#names.set(group.before.id, namesIn(group));
    const named = groups.flatMap((group) => {
      const names = group.after === undefined ? [] : [nameBefore(group.before?.id ?? ""), ...namesIn(group)];
      return [...new Set(names)].map((name) => ({ name, group }));
    });
    this.#groups = Map.groupBy(named, ({ name }) => name);
    this.#others = Map.groupBy(
      others.flatMap(({ kind, uid }) => (kind === kindNames.group ? [uid] : [])),
      nameBefore,
    );
    const free = [
      ...others.map(({ kind, uid, value }) => ({ kind, uid, name: value["name"] })),
      ...resources.flatMap(({ kind, fate, before }) =>
        (fate === "deleted" || fate === "kept") && before?.id ? [{ kind, uid: before.id, name: before.inputs?.["name"] }] : [],
      ),
    ];
    this.#free = new Map(
      free.flatMap(({ kind, uid, name }) =>
        typeof name === "string" ? [[nameKey(kind, parentOf(uid) ?? "", name), uid] as const] : [],
      ),
    );
    this.#sameNamed = Map.groupBy(new Map(resources.map((resource) => [resource.urn, resource])).values(), logicalKey);
    this.references = new References(resources, (resource) => this.after(resource));
    for (const resource of resources) if (resource.after !== undefined) this.after(resource);
  }

  /** Uid after the update. */
  after(resource: PreviewResource): string {
    const known = this.#after.get(resource);
    if (known !== undefined) return known;
    // A file with a circle of references is no reason to hang.
    this.#after.set(resource, `unknown ${resource.urn}`);
    const uid = this.#find(resource);
    this.#after.set(resource, uid);
    if (resource.kind === kindNames.group) this.#names.set(uid, namesIn(resource));
    return uid;
  }

  /**
   * True for a replacement in the preview alone: it is for references that a preview does not resolve, and they mean what they did. The
   * update resolves them, and keeps the object.
   */
  isKept(resource: PreviewResource): boolean {
    const { fate, before, after, reasons } = resource;
    if (fate !== "replaced" || reasons.length === 0) return false;
    const { fields, parentInput } = kindOf(resource);
    const was = withKnownUids(fields, before?.outputs ?? {}, before?.inputs ?? {});
    const meaningOf = (name: string): Meaning => {
      const shape = fields[name]?.shape;
      const of = shape?.is === "uid" ? shape.of : undefined;
      if (of !== "identity" && of !== "role") return undefined;
      return this.references.meaning(resource, name, kindNames[of], after?.inputs?.[name]);
    };
    return reasons.every((reason) => {
      const isPlace = reason === "parentPath" || reason === parentInput;
      const meaning = isPlace ? this.parentMeaning(resource) : meaningOf(reason);
      return meaning !== undefined && "uid" in meaning && meaning.uid === was[isPlace ? parentInput : reason];
    });
  }

  #find(resource: PreviewResource): string {
    const { fate, before } = resource;
    const id = knownId(resource) ?? (this.isKept(resource) ? before?.id : undefined);
    if (id !== undefined) return id;
    const parent = this.parent(resource);
    if (sharesUid(resource) || resource.kind === kindNames.groupAccess) return parent;
    const taken = this.#taken(resource, parent);
    if (taken !== undefined) return taken;
    const uid = `${parent}/(new ${resource.kind} ${this.logicalLabel(resource)})`;
    this.made.add(uid);
    // With retainOnDelete the old object stays, and is another one.
    if (fate === "replaced" && before?.id && before.retainOnDelete !== true) this.moved.set(uid, before.id);
    return uid;
  }

  /** Uid of what the object is in after the update. An unknown place gets a placeholder of its own, which is not a uid. */
  parent(resource: PreviewResource): string {
    const meaning = this.parentMeaning(resource);
    if (meaning !== undefined && "uid" in meaning) return meaning.uid;
    return `(unknown place of ${this.logicalLabel(resource)})`;
  }

  /** The logical name; with its types where another resource of the kind, in another component, has the same one. */
  logicalLabel(resource: PreviewResource): string {
    const name = nameOf(resource.urn);
    return (this.#sameNamed.get(logicalKey(resource)) ?? []).length > 1 ? `${name} of ${typesOf(resource.urn)}` : name;
  }

  /** False where {@link parent} is a placeholder. */
  isPlaceKnown(resource: PreviewResource): boolean {
    const meaning = this.parentMeaning(resource);
    return meaning !== undefined && "uid" in meaning;
  }

  /** True where the resource names its place by a path that may mean several groups. */
  isPlaceOpen(resource: PreviewResource): boolean {
    const { path } = this.#parentIn(resource);
    return this.parentMeaning(resource) === undefined && path !== undefined && this.#groupsAt(path).length > 1;
  }

  parentMeaning(resource: PreviewResource): Meaning {
    const { uid, path } = this.#parentIn(resource);
    const kind = kindOf(resource);
    const meaning = this.references.meaning(resource, kind.parentInput, parentKind(kind), uid);
    if (meaning !== undefined || path === undefined) return meaning;
    const [found, ...others] = this.#groupsAt(path);
    return found === undefined || others.length > 0 ? undefined : { uid: found };
  }

  #parentIn(resource: PreviewResource): { readonly uid: unknown; readonly path: string | undefined } {
    const kind = kindOf(resource);
    const inputs = withKnownUids(kind.fields, resource.before?.outputs ?? {}, resource.after?.inputs ?? {});
    const path = inputs["parentPath"];
    return { uid: inputs[kind.parentInput], path: typeof path === "string" ? path : undefined };
  }

  /**
   * The groups that may have that path when it is resolved: nothing says whether a rename of the same update comes before, so any name
   * counts that a group has before or after it. What the update replaces or deletes is not meant.
   */
  #groupsAt(path: string): readonly string[] {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const names = path.split("/");
    const mayBe = (uid: string) => {
      const lineage = [...ancestorsOf(uid), uid];
      return lineage.length === names.length && lineage.every((each, at) => this.#namesOf(each).includes(names[at]));
    };
    // The uid of a group that is not made yet may depend on a path too, but on a shorter one.
    const own = (this.#groups.get(names.at(-1)) ?? []).filter(({ group }) => this.#depthOf(group) === names.length);
    const uids = [...(this.#others.get(names.at(-1)) ?? []), ...own.map(({ group }) => this.after(group))];
    const found = [...new Set(uids)].filter(mayBe);
    this.#byPath.set(path, found);
    return found;
  }

  /** Names of a group before and after the update. */
  #namesOf(uid: string): unknown[] {
    return [this.nameBefore(uid), ...(this.#names.get(uid) ?? [])];
  }

  /** How many names the path of a group has after the update; undefined where its place is not known. */
  #depthOf(group: PreviewResource): number | undefined {
    if (!this.#depths.has(group)) {
      // A file with a circle of references is no reason to hang.
      this.#depths.set(group, undefined);
      this.#depths.set(group, this.#findDepth(group));
    }
    return this.#depths.get(group);
  }

  #findDepth(group: PreviewResource): number | undefined {
    const id = knownId(group);
    if (id !== undefined) return depthOf(id);
    const { uid, path } = this.#parentIn(group);
    if (uid === unknownValue) {
      const [parent, ...others] = this.references.candidates(group.after, "parentUid", group.kind);
      const above = parent === undefined || others.length > 0 ? undefined : this.#depthOf(parent);
      return above === undefined ? undefined : above + 1;
    }
    const place = typeof uid === "string" ? uid : path;
    return place === undefined ? undefined : depthOf(place) + 1;
  }

  /**
   * Uid of the object with the same name in the same place that no other resource of the program holds after the update: a create takes
   * it over by `adopt`, or fails.
   */
  #taken({ kind, before, after, fate }: PreviewResource, parent: string): string | undefined {
    const name = after?.inputs?.["name"];
    if ((fate !== "created" && fate !== "replaced") || typeof name !== "string") return undefined;
    const found = this.#free.get(nameKey(kind, parent, name));
    return found === before?.id ? undefined : found;
  }
}

/** What identifies an object that has a name. */
function nameKey(kind: string, parent: string, name: string): string {
  return JSON.stringify([kind, parent, name]);
}

function logicalKey({ kind, urn }: PreviewResource): string {
  return `${kind} ${nameOf(urn)}`;
}

/** Uid after the update, where the preview shows it. */
function knownId({ fate, before, after }: PreviewResource): string | undefined {
  return after?.id || (fate === "replaced" || fate === "created" ? undefined : before?.id) || undefined;
}

/** How many names the path of the object has: as many as its uid has parts. */
function depthOf(path: string): number {
  return path.split("/").length;
}

/** The names of an object before and after the update; of one that replaces another, its own. */
function namesIn({ before, after, fate }: PreviewResource): unknown[] {
  return [fate === "replaced" ? undefined : before, after].map((state) => state?.inputs?.["name"]);
}

function sharesUid(resource: PreviewResource): boolean {
  return kindOf(resource).sharesUid;
}

/** The declaration of a resource's kind. */
export function kindOf({ kind }: Pick<PreviewResource, "kind">): Kind {
  return listedKinds.get(kind) ?? groupAccess;
}

function parentKind(kind: Kind): string {
  const found = [...listedKinds].find(([, { segment }]) => segment === kind.parents.segment);
  return found?.[0] ?? kindNames.group;
}

/** The name at the end of a URN, without slashes. */
export function nameOf(urn: string): string {
  return (urn.split("::").at(-1) ?? "").replaceAll("/", "_");
}

/** The types in a URN, those of the components around the resource first, without slashes. */
function typesOf(urn: string): string {
  return (urn.split("::").at(2) ?? "").replaceAll("/", "_");
}

/** Names of objects that outputs repeat: of the group, the identity and the role of a binding. */
export function repeatedNames(values: Values): { group?: string; identity?: string; role?: string } {
  const of = (member: string) => {
    const value = values[member];
    const name: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "name") : undefined;
    return typeof name === "string" && name !== "" ? name : undefined;
  };
  const [group, identity, role] = ["group", "identity", "role"].map(of);
  return { ...(group && { group }), ...(identity && { identity }), ...(role && { role }) };
}
