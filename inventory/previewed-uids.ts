import { pathOf } from "../access/places";
import { parentOf } from "../provider/client/uid";
import type { Values } from "../provider/kinds/canonical";
import { groupAccess } from "../provider/kinds/group-access";
import type { Kind } from "../provider/kinds/kind";
import { withKnownUids } from "../provider/kinds/references";
import { listedKinds, kindNames } from "./kinds";
import type { PreviewResource } from "./preview-resources";
import { type Meaning, References } from "./references-in-previews";

/** Uids of previewed resources. Objects that are not made yet get one that starts like those of the platform: with that of their place. */
export class PreviewedUids {
  readonly references: References;
  /** Uids of objects that are not made yet. */
  readonly made = new Set<string>();
  /** For an object that replaces another one: the uid of that. */
  readonly moved = new Map<string, string>();
  readonly #after = new Map<PreviewResource, string>();
  #groups: ReadonlyMap<string | undefined, string> | undefined;

  /** @param others uids of further groups that the platform shows @param nameOf names of groups that are known */
  constructor(
    private readonly resources: readonly PreviewResource[],
    private readonly others: readonly string[],
    private readonly nameOf: (uid: string) => string | undefined,
  ) {
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
    return uid;
  }

  #find(resource: PreviewResource): string {
    const { fate, before, after } = resource;
    const id = after?.id || (fate === "replaced" || fate === "created" ? "" : before?.id);
    if (id) return id;
    const parent = this.parent(resource);
    if (sharesUid(resource) || resource.kind === kindNames.groupAccess) return parent;
    const taken = this.#taken(resource, parent);
    if (taken !== undefined) return taken;
    const uid = `${parent}/(new ${resource.kind} ${nameOf(resource.urn)})`;
    this.made.add(uid);
    // With retainOnDelete the old object stays, and is another one.
    if (fate === "replaced" && before?.id && before.retainOnDelete !== true) this.moved.set(uid, before.id);
    return uid;
  }

  /** Uid of what the object is in after the update. An unknown place gets a placeholder of its own, which is not a uid. */
  parent(resource: PreviewResource): string {
    const meaning = this.parentMeaning(resource);
    if (meaning !== undefined && "uid" in meaning) return meaning.uid;
    return `(unknown place of ${nameOf(resource.urn)})`;
  }

  parentMeaning(resource: PreviewResource): Meaning {
    const { after, before } = resource;
    const kind = kindOf(resource);
    const inputs = withKnownUids(kind.fields, before?.outputs ?? {}, after?.inputs ?? {});
    const meaning = this.references.meaning(resource, kind.parentInput, parentKind(kind), inputs[kind.parentInput]);
    const path = inputs["parentPath"];
    return meaning ?? (typeof path === "string" ? this.#groupAt(path) : undefined);
  }

  /** The group with that path. */
  #groupAt(path: string): Meaning {
    this.#groups ??= new Map(this.#knownGroups().map((uid) => [pathOf(uid, this.nameOf), uid]));
    const found = this.#groups.get(path);
    return found === undefined ? undefined : { uid: found };
  }

  #knownGroups(): string[] {
    const declared = this.resources.filter(({ kind }) => kind === kindNames.group);
    return [...this.others, ...declared.flatMap(({ before, after }) => before?.id ?? after?.id ?? [])];
  }

  /** Uid of the deleted object with the same name in the same place: a create adopts it, and it stays. */
  #taken({ kind, after, fate }: PreviewResource, parent: string): string | undefined {
    const name = after?.inputs?.["name"];
    if (fate !== "created" || typeof name !== "string") return undefined;
    const same = this.resources.find(
      (other) =>
        other.kind === kind &&
        other.fate === "deleted" &&
        other.before?.inputs?.["name"] === name &&
        parentOf(other.before.id ?? "") === parent,
    );
    return same?.before?.id;
  }
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
