import type { Unreadable } from "../access/snapshot";
import type { Values } from "../provider/schema/values";
import { unknownValue } from "../provider/schema/inputs";
import { declaredInputs, type Inputs, type Kind } from "../provider/schema/kind";
import { referencesOf, withKnownUids } from "../provider/schema/references";
import { undeclaredMembers, unwrittenFields } from "./half-done-updates";
import { hiddenIn } from "./hidden-in-previews";
import { decidesAccess, groupOf, kindNames } from "./kinds";
import { type InventoryObject, ObjectIndex, objectKey } from "./objects";
import type { PreviewResource } from "./preview-resources";
import { accessAfter, accessBefore, noAccess } from "./previewed-access";
import { PreviewedIdentities } from "./previewed-identities";
import { type KnownRoles, PreviewedRoles } from "./previewed-roles";
import { kindOf, nameOf, PreviewedUids, repeatedNames } from "./previewed-uids";
import { hiddenSecret, type Meaning, openReason, takenReason } from "./references-in-previews";

/** Something that whoever reads a review should know, besides changes. */
export interface Notice {
  readonly message: string;
  readonly urn?: string;
}

/** What a program manages before and after an update. */
export interface PreviewedObjects {
  /** The resources of the preview, with an update of what only the preview replaces. */
  readonly resources: readonly PreviewResource[];
  readonly before: readonly InventoryObject[];
  readonly after: readonly InventoryObject[];
  /** For an object that replaces another one: the uid of that, by its own. */
  readonly moved: ReadonlyMap<string, string>;
  /** Uids that stand for objects that are not made yet. */
  readonly made: ReadonlySet<string>;
  /** URNs by kind and uid: {@link objectKey}. */
  readonly urns: ReadonlyMap<string, string>;
  /** Names of roles by uid, as far as outputs repeat them. */
  readonly roleNames: ReadonlyMap<string, string>;
  /** Names of groups and identities outside the program, as far as outputs repeat them. */
  readonly names: ReadonlyMap<string, string>;
  readonly unknown: readonly Unreadable[];
  /** Those of `unknown` that may be any change, for the preview hides them. */
  readonly hidden: readonly Unreadable[];
  /** Uids of the objects that those are of, and of the identities that those may be. */
  readonly obscured: ReadonlySet<string>;
  /** References that are known after the update only, and taken for the uid of the one resource that they depend on. */
  readonly assumed: readonly Unreadable[];
  readonly warnings: readonly Notice[];
}

/**
 * What the platform has of a program before and after the update that a preview shows. References whose uids are not known yet are
 * resolved by the resources that they depend on.
 *
 * @param known roles that the platform shows, by uid
 * @param shown everything that the platform shows: groups and identities of other programs, which references may mean by path
 */
export function previewedObjects(
  resources: readonly PreviewResource[],
  known: KnownRoles = new Map(),
  shown: readonly InventoryObject[] = [],
): PreviewedObjects {
  return new Builder(resources, known, shown).build();
}

class Builder {
  readonly #names: Map<string, string>;
  readonly #uids: PreviewedUids;
  readonly #roles: PreviewedRoles;
  readonly #identities: PreviewedIdentities;
  readonly #shown: ObjectIndex<InventoryObject>;
  readonly #before: InventoryObject[] = [];
  readonly #after: InventoryObject[] = [];
  readonly #urns = new Map<string, string>();
  readonly #unknown: Unreadable[] = [];
  readonly #hidden: Unreadable[] = [];
  readonly #assumed: Unreadable[] = [];
  readonly #obscured = new Set<string>();
  readonly #warnings: Notice[] = [];
  readonly #resources: readonly PreviewResource[];

  constructor(previewed: readonly PreviewResource[], known: KnownRoles, shown: readonly InventoryObject[]) {
    this.#shown = new ObjectIndex(shown);
    const groups = this.#shown.of(kindNames.group).map(({ uid, value }) => [uid, String(value["name"])] as const);
    this.#names = new Map([...namesIn(previewed), ...groups]);
    const knownName = (uid: string) => this.#names.get(uid);
    const uids = new PreviewedUids(previewed, shown, knownName);
    const resources = withoutOverstated(previewed, uids);
    this.#resources = resources;
    this.#uids = resources === previewed ? uids : new PreviewedUids(resources, shown, knownName);
    const uidAfter = (resource: PreviewResource) => this.#uids.after(resource);
    const earlier = new Map(this.#names);
    for (const [uid, name] of namesAfter(resources, uidAfter)) this.#names.set(uid, name);
    this.#roles = new PreviewedRoles(resources, known, uidAfter);
    const namesOf = (uid: string) => [earlier.get(uid), knownName(uid)].filter((name) => name !== undefined);
    this.#identities = new PreviewedIdentities(resources, this.#shown.of(kindNames.identity), uidAfter, namesOf);
  }

  build(): PreviewedObjects {
    for (const resource of this.#resources) {
      if (resource.kind === kindNames.groupAccess) this.#addAccess(resource);
      else this.#add(resource);
    }
    const { made, moved } = this.#uids;
    return {
      resources: this.#resources,
      before: this.#before,
      after: this.#after,
      moved,
      made,
      urns: this.#urns,
      roleNames: new Map([...this.#roles.names, ...[...this.#roles.unresolved].map(([uid, { name }]) => [uid, name] as const)]),
      names: this.#names,
      unknown: this.#unknown,
      hidden: this.#hidden,
      assumed: this.#assumed,
      obscured: this.#obscured,
      warnings: this.#warnings,
    };
  }

  #add(resource: PreviewResource): void {
    const { before, after, fate, urn } = resource;
    const kind = kindOf(resource);
    const { external, id = "", outputs } = after ?? before ?? {};
    // A first `get` has no outputs: use the platform's object, else only the uid.
    const isBlank = resource.kind === kindNames.role && outputs?.["name"] === undefined;
    if (external === true && (isBlank || this.#shown.has(resource.kind, id))) return;
    if (before?.id) this.#before.push(this.#object(resource, kind, before.id, this.#valueBefore(resource, kind)));
    if (after === undefined) {
      if (before?.id) this.#urns.set(objectKey({ kind: resource.kind, uid: before.id }), urn);
      return;
    }
    if (fate === "same" || fate === "kept") {
      const uid = this.#uids.after(resource);
      this.#after.push(this.#object(resource, kind, uid, this.#valueBefore(resource, kind)));
      this.#warn(urn, unwrittenFields(resource, kind));
      if (fate !== "kept") return;
      if (this.#mayBeUpdated(resource, kind))
        this.#hide(`whether the old ${nameOf(urn)} stays (${keptBy(resource)})`, "the update may change it in place");
      else this.#warn(urn, keptText(resource));
    } else this.#after.push(this.#object(resource, kind, this.#uids.after(resource), this.#valueAfter(resource, kind)));
  }

  /**
   * True where only unresolved references, and perhaps the text of its place, ask for the replacement of a binding: the update may find
   * that they mean the same objects.
   */
  #mayBeUpdated({ urn, reasons, before }: PreviewResource, { fields, parentInput }: Kind): boolean {
    const references = reasons.filter((name) => name !== parentInput && name !== "parentPath");
    const replacement = this.#resources.find((each) => each.urn === urn && each.fate === "replaced");
    const place = replacement && this.#uids.parentMeaning(replacement);
    const isElsewhere = place !== undefined && "uid" in place && place.uid !== before?.outputs?.[parentInput];
    return !isElsewhere && references.length > 0 && references.every((name) => fields[name]?.traits.blocksTarget);
  }

  #object(resource: PreviewResource, kind: Kind, uid: string, value: Inputs): InventoryObject {
    this.#urns.set(objectKey({ kind: resource.kind, uid }), resource.urn);
    this.#name(resource, uid, value["name"]);
    for (const { path, reason } of hiddenIn(kind.fields, value)) {
      if (!decidesAccess(resource, path)) continue;
      const missed = `${path.join(".")} of ${nameOf(resource.urn)}`;
      if (resource.fate === "same" || resource.fate === "kept") this.#miss(missed, reason);
      else {
        this.#hide(missed, reason);
        this.#obscured.add(uid);
      }
    }
    const shown = Object.fromEntries(Object.entries(value).filter(([, each]) => each !== hiddenSecret));
    return { kind: resource.kind, uid, place: groupOf(kind, uid), value: shown };
  }

  #name(resource: PreviewResource, uid: string, name: unknown): void {
    if (isNameOfUid(resource) && typeof name === "string" && !this.#names.has(uid)) this.#names.set(uid, name);
  }

  /** What the platform has, as the state knows it: outputs, where an update failed half-way after its inputs were stored. */
  #valueBefore({ before, kind: name, after }: PreviewResource, kind: Kind): Inputs {
    const [inputs, outputs] = [before?.inputs ?? after?.inputs ?? {}, before?.outputs ?? {}];
    // The state encrypts a whole output for a secret in it; inputs show the rest.
    const isRead = (field: string, value: unknown) =>
      field in kind.fields && value !== unknownValue && value !== null && (value !== hiddenSecret || inputs[field] === undefined);
    const read = Object.fromEntries(Object.entries(outputs).filter(([field, value]) => isRead(field, value)));
    const value = { ...withKnownUids(kind.fields, outputs, inputs), ...read };
    // Outputs omit an empty list: a role without the member has lost all its capabilities.
    const emptied = name === kindNames.role && before?.outputs != null && outputs["capabilities"] === undefined;
    const roles = this.#withRoles(name, declaredInputs(kind, value), before?.id ?? "");
    return emptied ? { ...roles, capabilities: [] } : roles;
  }

  #valueAfter(resource: PreviewResource, kind: Kind): Inputs {
    const { before, after } = resource;
    const inputs = withKnownUids(kind.fields, before?.outputs ?? {}, after?.inputs ?? {});
    const place = this.#place(resource);
    const value: Record<string, unknown> = { ...inputs, [kind.parentInput]: place };
    if ("identityUid" in kind.fields) value["identityUid"] = this.#identity(resource, inputs);
    const roles = this.#withRoles(resource.kind, { ...value, ...this.#uidReferences(resource, kind, inputs) }, place);
    return declaredInputs(kind, roles);
  }

  /** The uid of what the resource is in after the update. Somebody may have any role in a place that is not known. */
  #place(resource: PreviewResource): string {
    const place = this.#uids.parent(resource);
    const what = `the place of ${nameOf(resource.urn)}`;
    const meaning = this.#uids.parentMeaning(resource);
    if (this.#judge(what, meaning)) return place;
    const isMove = resource.kind === kindNames.group && resource.fate === "replaced";
    if (meaning !== undefined) return place;
    if (this.#uids.isPlaceOpen(resource))
      this.#hide(what, "its path may mean several groups, by their names before and after the update");
    else if (isMove) this.#hide(what, "the preview does not say which group it moves to");
    else this.#miss(what, "the preview does not say which group it is");
    return place;
  }

  /** The uid of the identity that a binding binds after the update. */
  #identity(resource: PreviewResource, inputs: Values): string {
    const meaning = this.#uids.references.meaning(resource, "identityUid", kindNames.identity, inputs["identityUid"]);
    const what = `the identity of ${nameOf(resource.urn)}`;
    if (this.#judge(what, meaning)) return meaning.uid;
    const label = `an identity that is not known yet (${this.#uids.logicalLabel(resource)})`;
    if (meaning !== undefined) {
      this.#openIdentities([label], meaning.oneOf);
      return label;
    }
    const reference = inputs["identityRef"];
    const [found, ...others] = reference === undefined ? [] : this.#identities.meantBy(reference);
    if (found !== undefined && others.length === 0) return found;
    const isLogin = typeof reference === "object" && reference !== null;
    const text = isLogin ? loginText(reference) : typeof reference === "string" ? reference : "";
    if (others.length > 0)
      this.#hide(what, `${text} may mean several identities, by their names or logins before and after the update`);
    else this.#miss(what, `the preview does not say which it is${text === "" ? "" : `: ${text}`}`);
    return this.#placeholder(text === "" ? label : text, loginOf(reference));
  }

  /** Identities that may be any of the candidates: the worst login of them counts. Without candidates they may be anybody's. */
  #openIdentities(uids: readonly string[], candidates: readonly PreviewResource[]): void {
    const all = candidates.map((candidate) => this.#uids.after(candidate));
    const login = all.length === 0 ? { claimMatch: unknownValue } : this.#identities.worstLogin(all);
    for (const uid of uids) this.#obscured.add(this.#placeholder(uid, login));
  }

  /** Something that stands for an identity which is not known. */
  #placeholder(uid: string, login: Inputs): string {
    this.#names.set(uid, uid);
    this.#after.push({ kind: kindNames.identity, uid, place: undefined, value: { name: uid, ...login } });
    this.#uids.made.add(uid);
    return uid;
  }

  /** Says what is not certain of a reference. @returns false where the preview does not say what it means */
  #judge(what: string, meaning: Meaning): meaning is Exclude<Meaning, { oneOf: unknown } | undefined> {
    if (meaning === undefined) return false;
    if ("oneOf" in meaning) this.#hide(what, openReason(meaning.oneOf));
    else if (meaning.taken !== undefined) this.#assumed.push({ what, reason: takenReason([meaning.taken]) });
    return "uid" in meaning;
  }

  /** Uids of roles and groups that stand in the program as outputs of resources that are not made yet. */
  #uidReferences(resource: PreviewResource, kind: Kind, inputs: Values): Inputs {
    return Object.fromEntries(
      Object.entries(kind.fields).flatMap(([field, { shape }]): [string, string][] => {
        const of = shape.is === "uid" && field !== kind.parentInput ? shape.of : undefined;
        if (of !== "role" && of !== "group") return [];
        const meaning = this.#uids.references.meaning(resource, field, kindNames[of], inputs[field]);
        const what = `the ${of} of ${nameOf(resource.urn)}`;
        if (this.#judge(what, meaning)) return [[field, meaning.uid]];
        if (inputs[field] === undefined) return [];
        const uid = `a ${of} that is not known yet (${this.#uids.logicalLabel(resource)})`;
        if (meaning === undefined) this.#miss(what, "the preview does not say which it is");
        return [[field, uid]];
      }),
    );
  }

  /** `value` with the uids of the roles that it names. */
  #withRoles(kindName: string, value: Inputs, at: string): Inputs {
    const kind = kindOf({ kind: kindName });
    const named = referencesOf(kind.fields).flatMap(({ name, uid, to }): [string, string][] => {
      const text = value[name];
      if (to !== "role" || typeof text !== "string" || text === unknownValue || value[uid]) return [];
      return [[uid, this.#roles.uid(text, at)]];
    });
    return { ...value, ...Object.fromEntries(named) };
  }

  #addAccess(resource: PreviewResource): void {
    const { before, after, urn } = resource;
    const had = before === undefined ? [] : accessBefore(resource);
    this.#before.push(...had);
    if (after !== undefined && resource.fate !== "same" && resource.fate !== "kept") this.#place(resource);
    const { bindings, open, assumed, hidden } = after === undefined ? noAccess : accessAfter(resource, this.#uids, this.#roles);
    this.#after.push(...bindings);
    for (const binding of [...had, ...bindings]) this.#urns.set(objectKey(binding), urn);
    for (const { uids, candidates } of open) this.#openIdentities(uids, candidates);
    this.#assumed.push(...assumed);
    for (const { what, reason } of hidden) this.#hide(what, reason);
    this.#warn(urn, undeclaredMembers(resource));
    if (resource.fate === "kept") this.#warn(urn, keptText(resource));
  }

  #warn(urn: string, message: string | undefined): void {
    if (message !== undefined) this.#warnings.push({ urn, message });
  }

  #hide(what: string, reason: string): void {
    this.#miss(what, reason);
    if (!this.#hidden.some((missed) => missed.what === what)) this.#hidden.push({ what, reason });
  }

  #miss(what: string, reason: string): void {
    if (!this.#unknown.some((missed) => missed.what === what)) this.#unknown.push({ what, reason });
  }
}

/** The option for which an object stays. */
function keptBy({ before }: PreviewResource): string {
  return before?.deletedWith ? "deletedWith" : "retainOnDelete";
}

function keptText(resource: PreviewResource): string {
  return `${nameOf(resource.urn)} stays on the platform (${keptBy(resource)}), with all its access`;
}

/** `resources`, with an update of what only the preview replaces; itself if there is none. */
function withoutOverstated(resources: readonly PreviewResource[], uids: PreviewedUids): readonly PreviewResource[] {
  const resourceKey = ({ urn, before }: PreviewResource) => `${urn} ${before?.id ?? ""}`;
  const kept = new Set(resources.filter((resource) => uids.isKept(resource)).map(resourceKey));
  if (kept.size === 0) return resources;
  return resources.flatMap((resource): PreviewResource[] => {
    if (!kept.has(resourceKey(resource))) return [resource];
    // With retainOnDelete, a replacement has an old object besides.
    return resource.fate === "replaced" ? [{ ...resource, fate: "changed" }] : [];
  });
}

/** Names of groups and identities that outputs repeat, and of those that a program declares, before the update. */
function namesIn(resources: readonly PreviewResource[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const resource of resources) {
    const { before } = resource;
    const outputs = before?.outputs ?? {};
    const { group, identity } = repeatedNames(outputs);
    const [parent, who] = [outputs["parentUid"], outputs["identityUid"]];
    if (typeof parent === "string" && group !== undefined) found.set(parent, group);
    if (typeof who === "string" && identity !== undefined) found.set(who, identity);
    const name = before?.inputs?.["name"];
    if (before?.id && isNameOfUid(resource) && typeof name === "string") found.set(before.id, name);
  }
  return found;
}

/** Names of what a program declares, after the update. */
function namesAfter(resources: readonly PreviewResource[], uidAfter: (resource: PreviewResource) => string): [string, string][] {
  return resources.flatMap((resource): [string, string][] => {
    const name = resource.after?.inputs?.["name"];
    return isNameOfUid(resource) && typeof name === "string" ? [[uidAfter(resource), name]] : [];
  });
}

/** False for what has the uid of its group: an account association has a name of its own. */
function isNameOfUid(resource: PreviewResource): boolean {
  return resource.kind !== kindNames.groupAccess && !kindOf(resource).sharesUid;
}

function loginText(reference: object): string {
  const { issuer, subject } = reference as Values;
  return `${String(subject)} at ${String(issuer)}`;
}

function loginOf(reference: unknown): Inputs {
  return typeof reference === "object" && reference !== null ? { claimMatch: { ...reference } } : {};
}
