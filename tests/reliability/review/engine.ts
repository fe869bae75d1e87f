import { isDeepStrictEqual } from "node:util";
import { logins } from "./logins";
import { known, organization, type Platform, Refused, type Thing } from "./platform";
import { dependenciesOf, type Era, eraOf, isOfOthers, type Resource, type Update } from "./random-update";

export type Inputs = Readonly<Record<string, unknown>>;

/** A resource in the state. */
export interface State {
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** The outcome of an update. */
export interface Outcome {
  readonly update: Update;
  readonly before: Platform;
  readonly state: ReadonlyMap<string, State>;
  readonly after: Platform;
  /** The uid before the update of what has another one after it. */
  readonly moved: ReadonlyMap<string, string>;
  /** Uids after the update by slot. */
  readonly uids: ReadonlyMap<string, string>;
}

/**
 * Runs an update. Names are resolved when the resource is made or changed, in any order of the engine. Resources that the platform
 * would reject are not part of the program before the update. Others' resources become theirs before the update.
 *
 * @param order of the slots, where none needs another
 * @throws Refused if the update fails
 */
export function outcomeOf(random: Update, platform: Platform, order: readonly string[]): Outcome {
  const first = new Engine(platform, new Map([...random].map(([name, slot]) => [name, { ...slot, after: slot.before }])));
  const made = new Map([...random].map(([name, slot]) => [name, first.makes(name) ? slot : { ...slot, before: undefined }]));
  for (const thing of platform.all)
    if (thing.slot !== undefined && isOfOthers(thing.slot)) platform.put({ ...thing, slot: undefined });
  const update = new Map([...made].filter(([name]) => !isOfOthers(name)));
  const before = platform.copy();
  const state = new Map([...first.states].map(([name, each]) => [name, first.stored(name, each)]));
  const second = new Engine(platform, update, first.states);
  for (const name of second.inOrder(order)) second.update(name);
  second.end();
  const uids = new Map([...second.states].map(([name, { id }]) => [name, id]));
  return { update, before, state, after: platform, moved: second.moved, uids };
}

/** A resource with what its references mean. */
interface Made {
  readonly id: string;
  readonly resource: Resource;
  readonly inputs: Inputs;
  readonly parent: string;
  readonly who: string;
  readonly role: string;
  /** The members of a GroupAccess, by role and label. */
  readonly members: readonly Member[];
}

interface Member {
  readonly text: string;
  readonly label: string;
  readonly role: string;
  readonly who: string;
}

class Engine {
  readonly states: Map<string, Made>;
  readonly moved = new Map<string, string>();
  readonly #done = new Set<string>();
  /** Uids of what is deleted at the end. */
  readonly #obsolete = new Set<string>();

  constructor(
    private readonly platform: Platform,
    private readonly slots: Update,
    private readonly olds: ReadonlyMap<string, Made> = new Map(),
  ) {
    this.states = new Map();
    for (const [name, { after, isRetained }] of slots)
      if (after === undefined && !isRetained) for (const { uid } of this.#thingsOf(name)) this.#obsolete.add(uid);
  }

  /** Every resource after those that it depends on. */
  inOrder(order: readonly string[]): string[] {
    const rest = order.filter((name) => this.slots.get(name)?.after !== undefined);
    const sorted: string[] = [];
    while (rest.length > 0) {
      const ready = rest.findIndex((name) => {
        const { after } = this.slots.get(name) ?? {};
        const needed = after === undefined ? [] : Object.values(dependenciesOf(after)).flat();
        return needed.every((other) => !rest.includes(other));
      });
      sorted.push(...rest.splice(Math.max(ready, 0), 1));
    }
    return sorted;
  }

  /** Makes the resource. @returns false where that is refused, or nothing is declared */
  makes(name: string): boolean {
    const { after } = this.slots.get(name) ?? {};
    if (after === undefined) return false;
    try {
      this.apply(name, after, "before");
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const { uid } of this.#thingsOf(name)) this.platform.remove(uid);
      return false;
    }
  }

  /** @throws Refused with the slot */
  update(name: string): void {
    try {
      this.#update(name);
    } catch (error) {
      throw error instanceof Refused ? new Refused(error.message, name) : error;
    }
  }

  #update(name: string): void {
    const slot = this.slots.get(name);
    if (slot?.after === undefined) throw new Error(name);
    this.apply(name, slot.after, eraOf(slot));
    this.#done.add(name);
  }

  apply(name: string, resource: Resource, era: Era): void {
    const inputs = inputsOf(resource, this.slots, era, (slot) => this.#uidOf(slot));
    const old = this.olds.get(name);
    const { parent, who, role, members } = this.#resolved(resource, inputs, old);
    for (const uid of [parent, who, role, ...members.flatMap((each) => [each.who, each.role])])
      if (uid !== "" && !this.platform.has(uid)) throw new Refused(`${uid} is gone`);
    const slot = this.slots.get(name);
    // Deleted with the identity or the role that it binds, which another one replaces.
    const isGone = old !== undefined && this.platform.get(old.id) === undefined && (who !== old.who || role !== old.role);
    const isAnother =
      old === undefined ||
      parent !== old.parent ||
      isGone ||
      slot?.isForced === true ||
      ((resource.kind === "ExternalGroupRoleMapping" || resource.kind === "GroupInvite") &&
        !isDeepStrictEqual([old.role, old.resource.detail], [role, resource.detail]));
    const made = { resource, inputs, parent, who, role, members };
    if (resource.kind === "GroupAccess") {
      this.#grant(name, made, isAnother ? undefined : old);
      return;
    }
    const value = {
      kind: resource.kind,
      slot: name,
      parent,
      title: resource.kind === "RoleBinding" || resource.kind === "GroupInvite" ? "" : resource.title,
      ...(resource.kind === "Identity" && { login: logins[resource.login] }),
      ...(resource.kind === "Role" && { allows: resource.allows }),
      ...(who !== "" && { who }),
      ...(role !== "" && { role }),
      detail: resource.detail,
    };
    if (!isAnother) {
      const other = this.platform.sameKey(value);
      if (other !== undefined && other.uid !== old.id) throw new Refused("the name is taken");
      if (this.platform.get(old.id) === undefined) throw new Refused("deleted with what it was in");
      this.platform.put({ ...value, uid: old.id });
      this.states.set(name, { ...made, id: old.id });
      return;
    }
    this.#make(name, { ...made, value }, old);
  }

  #make(name: string, { value, ...made }: Omit<Made, "id"> & { value: Omit<Thing, "uid"> }, old: Made | undefined): void {
    const isRetained = this.slots.get(name)?.isRetained === true;
    const taken = this.platform.sameKey(value);
    if (old !== undefined && taken?.uid === old.id) {
      if (isRetained) throw new Refused("the old object stays");
      this.#delete(old.id);
    } else if (taken !== undefined) {
      // A create takes over what it equals: with `adopt`, or by an import.
      const isFree =
        taken.slot === undefined || (this.#obsolete.has(taken.uid) && this.slots.get(taken.slot)?.after === undefined);
      const isEqual = isDeepStrictEqual(
        [taken.login, taken.allows, taken.role, taken.detail ?? ""],
        [value.login, value.allows, value.role, value.detail ?? ""],
      );
      if (!isFree || !isEqual || old !== undefined) throw new Refused("the name is taken");
      this.#obsolete.delete(taken.uid);
      this.platform.put({ ...taken, slot: name });
      this.states.set(name, { ...made, id: taken.uid });
      return;
    }
    const uid = `${value.parent}/${name}${old === undefined && this.olds.size === 0 ? "" : "-new"}`;
    this.platform.put({ ...value, uid });
    this.states.set(name, { ...made, id: uid });
    if (old !== undefined && !isRetained) {
      this.moved.set(uid, old.id);
      if (this.platform.get(old.id) !== undefined) this.#obsolete.add(old.id);
    }
  }

  /** The members of a GroupAccess get their roles; those that it had and no longer lists lose them. */
  #grant(name: string, made: Omit<Made, "id">, old: Made | undefined): void {
    const { parent, members, inputs } = made;
    const kept = new Set<string>();
    for (const { role, who, text, label } of members) {
      const value: Omit<Thing, "uid"> = { kind: "RoleBinding", slot: name, parent, title: "", who, role };
      const taken = this.platform.sameKey(value);
      if (taken !== undefined && taken.slot !== undefined && taken.slot !== name && !this.#obsolete.has(taken.uid))
        throw new Refused("the binding is another resource's");
      const uid = taken?.uid ?? `${parent}/${name}-${text}-${label}${this.olds.size === 0 ? "" : "-new"}`;
      this.#obsolete.delete(uid);
      this.platform.put({ ...value, uid });
      kept.add(uid);
    }
    const exempt = (inputs["exempt"] as { identityUids: string[] } | undefined)?.identityUids ?? [];
    const isKept = this.slots.get(name)?.isRetained === true && old === undefined;
    for (const thing of this.#thingsOf(name))
      if (!kept.has(thing.uid) && !isKept && !(old !== undefined && exempt.includes(thing.who ?? "")))
        this.#obsolete.add(thing.uid);
    this.states.set(name, { ...made, id: parent });
  }

  /** Deletes the old object of a resource before the new one is made, with those that depend on it, which are created again. */
  #delete(uid: string): void {
    for (const { slot, ...thing } of this.platform.all) {
      const isIn = thing.uid.startsWith(`${uid}/`);
      if (!isIn && thing.who !== uid && thing.role !== uid) continue;
      if (slot !== undefined && this.#done.has(slot)) throw new Refused("something is in it already");
      if (slot === undefined && !isIn) throw new Refused("others refer to it");
      if (slot !== undefined && this.slots.get(slot)?.isRetained === true) throw new Refused("what stays is in the way");
      this.platform.remove(thing.uid);
    }
    this.platform.remove(uid);
  }

  /** Deletes replaced and undeclared objects, with the objects of others in them. */
  end(): void {
    for (const uid of this.#obsolete) this.platform.remove(uid);
    for (const { uid, slot } of this.platform.all)
      if (slot === undefined && [...this.#obsolete].some((other) => uid.startsWith(`${other}/`))) this.platform.remove(uid);
    const missing = this.platform.missing();
    if (missing === undefined) return;
    // An object to which others refer cannot be deleted.
    const owner = [...this.olds].find(([, { id }]) => id === missing.uid)?.[0];
    throw new Refused(`${missing.uid} is gone`, missing.by.slot ?? owner);
  }

  /** The entry of a resource in the state. */
  stored(name: string, { id, resource, inputs, parent, who, role, members }: Made): State {
    const nameOf = (uid: string) => {
      const built = [...known].find(([, each]) => each === uid)?.[0];
      return { name: this.platform.get(uid)?.title ?? built ?? "" };
    };
    const byRole = (of: (member: Member) => string) =>
      Object.fromEntries(
        [...Map.groupBy(members, ({ text }) => text)].map(([text, all]) => [
          text,
          Object.fromEntries(all.map((member) => [member.label, of(member)])),
        ]),
      );
    const bindings = new Map(this.#thingsOf(name).map((thing) => [`${thing.who} ${thing.role}`, thing.uid]));
    const more: Partial<Record<Resource["kind"], Inputs>> = {
      RoleBinding: { identityUid: who, roleUid: role, group: nameOf(parent), identity: nameOf(who), role: nameOf(role) },
      IdentityProvider: { defaultRole: role },
      ExternalGroupRoleMapping: { roleUid: role },
      GroupInvite: { roleUid: role },
      GroupAccess: {
        roleUids: Object.fromEntries(members.map((member) => [member.text, member.role])),
        bindings: byRole((member) => bindings.get(`${member.who} ${member.role}`) ?? ""),
      },
    };
    const place = resource.kind === "ExternalGroupRoleMapping" ? {} : { parentUid: parent };
    const uid = resource.kind === "AccountAssociation" ? parent : id;
    return { id: uid, inputs, outputs: { ...inputs, ...place, ...more[resource.kind] } };
  }

  /** The objects that references mean. A reference with the same text means the same object as before. */
  #resolved({ kind }: Resource, inputs: Inputs, old: Made | undefined): Pick<Made, "parent" | "who" | "role" | "members"> {
    const { parentPath, identityRef, roleName = inputs["defaultRoleName"] } = inputs;
    const isOld = (...names: string[]) =>
      names.some((name) => inputs[name] !== undefined && isDeepStrictEqual(inputs[name], old?.inputs[name]));
    const textOf = (name: string) => (inputs[name] as string | undefined) ?? "";
    const parent =
      parentPath === undefined
        ? textOf("parentUid") || textOf("identityProviderUid")
        : isOld("parentPath")
          ? (old?.parent ?? "")
          : this.platform.groupAt(textOf("parentPath").split("/"));
    const scope = kind === "ExternalGroupRoleMapping" ? organization : parent;
    const role =
      roleName === undefined
        ? textOf("roleUid") || textOf("defaultRole")
        : isOld("roleName", "defaultRoleName")
          ? (old?.role ?? "")
          : this.platform.roleNamed(textOf("roleName") || textOf("defaultRoleName"), scope);
    const who =
      identityRef === undefined ? textOf("identityUid") : isOld("identityRef") ? (old?.who ?? "") : this.#identity(identityRef);
    const access = (inputs["access"] ?? {}) as Record<string, Record<string, string>>;
    const members = Object.entries(access).flatMap(([text, all]) => {
      const had = parent === old?.parent ? old.members.find((each) => each.text === text)?.role : undefined;
      const uid = had ?? this.platform.roleNamed(text, parent);
      return Object.entries(all).map(([label, identity]): Member => ({ text, label, role: uid, who: identity }));
    });
    return { parent, who, role, members };
  }

  /** A login that the program declares, and that nothing has yet, means no person. */
  #identity(reference: unknown): string {
    const found = this.platform.identityNamed(reference);
    const declared = [...this.slots.values()].some(
      ({ after }) => after?.kind === "Identity" && `person-${logins[after.login]?.["subject"]}` === found,
    );
    if (declared) throw new Refused("the identity does not exist yet");
    return found;
  }

  #uidOf(slot: string): string {
    const uid = known.get(slot) ?? this.states.get(slot)?.id;
    if (uid === undefined) throw new Refused(`${slot} is not declared`);
    return uid;
  }

  #thingsOf(name: string): Thing[] {
    return this.platform.all.filter(({ slot }) => slot === name);
  }
}

/**
 * The inputs of a resource.
 *
 * @param era whose names references by path have
 * @param uidOf the uid of what is in a slot
 */
export function inputsOf(resource: Resource, slots: Update, era: Era, uidOf: (slot: string) => string): Inputs {
  const { kind, place, placeBy, who, whoBy, role, roleBy, login, allows, members, isExempt, detail } = resource;
  const named = (slot: string): Resource => {
    const { before, after } = slots.get(slot) ?? {};
    const found = era === "before" ? (before ?? after) : (after ?? before);
    if (found === undefined) throw new Refused(`${slot} is not declared`);
    return found;
  };
  const pathOf = (slot: string): string => {
    if (slot === "") return "acme";
    if (slot === "outside") return "acme/outside";
    if (slot === "stranger") return "acme/outside/stranger";
    return `${pathOf(named(slot).place)}/${named(slot).title}`;
  };
  const roleText = (slot: string) => (known.has(slot) ? slot : named(slot).title);
  const loginOf = (slot: string) => logins[slot === "stranger" ? "dan" : named(slot).login];
  const parent = placeBy === "path" ? { parentPath: pathOf(place) } : { parentUid: uidOf(place) };
  const given = (uid: string, name: string) => (roleBy === "name" ? { [name]: roleText(role) } : { [uid]: uidOf(role) });
  switch (kind) {
    case "Group":
      return { ...parent, name: resource.title };
    case "Identity":
      return { ...parent, name: resource.title, claimMatch: logins[login] };
    case "Role":
      return { ...parent, name: resource.title, capabilities: allows };
    case "RoleBinding": {
      const isByLogin = whoBy === "login" && loginOf(who)?.["subject"] !== undefined;
      const identity = whoBy === "uid" ? { identityUid: uidOf(who) } : { identityRef: isByLogin ? loginOf(who) : pathOf(who) };
      return { ...parent, ...identity, ...given("roleUid", "roleName") };
    }
    case "GroupAccess": {
      const byRole = Map.groupBy(members, (each) => roleText(each.role));
      const labelled = [...byRole].map(([text, all]) => [
        text,
        Object.fromEntries(all.map((each) => [each.who, uidOf(each.who)])),
      ]);
      const isExempting = isExempt && members.every((each) => each.who !== "stranger");
      const exempt = isExempting ? { exempt: { identityUids: [uidOf("stranger")] } } : {};
      return { ...parent, access: Object.fromEntries(labelled), ...exempt };
    }
    case "IdentityProvider":
      return {
        ...parent,
        name: resource.title,
        ...given("defaultRole", "defaultRoleName"),
        oidc: { issuer: detail, clientId: "c", clientSecret: "[secret]" },
      };
    case "ExternalGroupRoleMapping":
      return { identityProviderUid: uidOf(place), externalGroupId: detail, ...given("roleUid", "roleName"), scope: organization };
    case "GroupInvite":
      return { ...parent, ...given("roleUid", "roleName"), ttl: "86400s", ...(detail !== "" && { email: detail }) };
    case "AccountAssociation":
      return { ...parent, name: resource.title, amazon: { account: detail } };
  }
}
