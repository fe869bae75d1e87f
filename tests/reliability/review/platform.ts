import { issuer } from "./logins";
import { capabilities, type Kind } from "./random-update";

/** An object of the platform. A member of a `GroupAccess` is a role binding. */
export interface Thing {
  readonly kind: Exclude<Kind, "GroupAccess">;
  /** Unlike on the platform, none has that of another kind: see {@link uidOn}. */
  readonly uid: string;
  /** The slot of the resource that manages it; undefined for what others have made. */
  readonly slot?: string | undefined;
  /** Uid of the group, or of the identity provider, that it is in. */
  readonly parent: string;
  readonly title: string;
  readonly login?: Readonly<Record<string, string>> | undefined;
  readonly allows?: readonly string[];
  /** Uid of the identity of a role binding. */
  readonly who?: string;
  /** Uid of the role that it gives. */
  readonly role?: string;
  readonly detail?: string;
}

/** The platform, or the engine, rejects the update. */
export class Refused extends Error {
  /** @param slot of the resource that is rejected, where the reason alone does not say which */
  constructor(
    message: string,
    readonly slot?: string,
  ) {
    super(message);
  }
}

/** Uid of the organisation. */
export const organization = "0".repeat(40);
const viewer = ["CAP_REPO_LIST", "CAP_TAG_LIST"];
const editor = [...viewer, "CAP_EVENTS_SUBSCRIPTION_CREATE"];
/**
 * Built-in roles by name, as far as they matter here: stated once more, so that a wrong table of the product or the emulator shows. Each
 * allows something that no custom role does.
 */
export const builtInRoles: ReadonlyMap<string, { readonly uid: string; readonly capabilities: readonly string[] }> = new Map([
  [
    "owner",
    { uid: "0b3ded7e8be724d96932bc1ec162aac8953cbcc3", capabilities: [...capabilities, ...editor, "CAP_IAM_GROUPS_DELETE"] },
  ],
  ["editor", { uid: "99a9af9b0a6b312d08a6f8de238d3ead52095f0d", capabilities: editor }],
  ["viewer", { uid: "12647d99d12323921308612b013b6858c8fb42a5", capabilities: viewer }],
]);

const built = (name: string) => builtInRoles.get(name)?.uid ?? "";
const outside = `${organization}/outside`;
const releaser = `${organization}/releaser`;
const others: readonly Thing[] = [
  { kind: "Group", uid: organization, parent: "", title: "acme" },
  { kind: "Group", uid: outside, parent: organization, title: "outside" },
  {
    kind: "Identity",
    uid: `${outside}/stranger`,
    parent: outside,
    title: "stranger",
    login: { issuer, subject: "dan" },
  },
  { kind: "RoleBinding", uid: `${outside}/b`, parent: outside, title: "", who: `${outside}/stranger`, role: built("editor") },
  { kind: "Role", uid: releaser, parent: organization, title: "releaser", allows: ["CAP_IAM_GROUPS_CREATE", "CAP_REPO_LIST"] },
];
/** Uids of what programs do not declare, by what they call it. */
export const known: ReadonlyMap<string, string> = new Map([
  ["", organization],
  ["outside", outside],
  ["stranger", `${outside}/stranger`],
  ["releaser", releaser],
  ...[...builtInRoles].map(([name, { uid }]) => [name, uid] as const),
]);

/** Uids of objects of others that a program may read by `get`, by kind. */
export const readable: ReadonlyMap<string, string> = new Map([
  ["Group", outside],
  ["Identity", `${outside}/stranger`],
  ["Role", releaser],
  ["RoleBinding", `${outside}/b`],
]);

/** A platform of a few maps: objects, and what names mean. */
export class Platform {
  readonly #things: Map<string, Thing>;

  constructor(things: Iterable<Thing> = others) {
    this.#things = new Map([...things].map((thing) => [thing.uid, thing]));
  }

  get all(): Thing[] {
    return [...this.#things.values()];
  }

  copy(): Platform {
    return new Platform(this.all);
  }

  has(uid: string): boolean {
    return this.#things.has(uid) || this.isPerson(uid) || [...builtInRoles.values()].some((role) => role.uid === uid);
  }

  get(uid: string): Thing | undefined {
    return this.#things.get(uid);
  }

  put(thing: Thing): void {
    this.#things.set(thing.uid, thing);
  }

  remove(uid: string): void {
    this.#things.delete(uid);
  }

  /** People are in no group, and exist without being made. */
  isPerson(uid: string): boolean {
    return uid.startsWith("person-");
  }

  /** The object in its place that nothing else there may equal. */
  sameKey({ kind, parent, title, who, role, detail }: Omit<Thing, "uid">): Thing | undefined {
    if (kind === "GroupInvite") return undefined;
    return this.all.find((other) => {
      if (other.kind !== kind || other.parent !== parent) return false;
      if (kind === "AccountAssociation") return true;
      if (kind === "RoleBinding") return other.who === who && other.role === role;
      return kind === "ExternalGroupRoleMapping" ? other.detail === detail && other.role === role : other.title === title;
    });
  }

  /** The group of that path. */
  groupAt(path: readonly string[]): string {
    let parent = "";
    for (const title of path)
      parent = this.#only(({ kind, ...each }) => kind === "Group" && each.parent === parent && each.title === title);
    return parent;
  }

  /** The identity of that path, or with exactly that issuer and subject. */
  identityNamed(reference: unknown): string {
    if (typeof reference === "string") {
      const path = reference.split("/");
      const parent = this.groupAt(path.slice(0, -1));
      return this.#only(({ kind, ...each }) => kind === "Identity" && each.parent === parent && each.title === path.at(-1));
    }
    const { subject } = reference as { subject: string };
    const isMeant = ({ kind, login }: Thing) => kind === "Identity" && login?.["subject"] === subject;
    return this.all.some(isMeant) ? this.#only(isMeant) : `person-${subject}`;
  }

  /** The built-in role of that name, else the only custom one in the group or above. */
  roleNamed(name: string, place: string): string {
    const isAround = (parent: string) => place === parent || place.startsWith(`${parent}/`);
    return (
      builtInRoles.get(name)?.uid ??
      this.#only(({ kind, parent, title }) => kind === "Role" && title === name && isAround(parent))
    );
  }

  #only(isMeant: (thing: Thing) => boolean): string {
    const [found, ...more] = this.all.filter(isMeant);
    if (found === undefined || more.length > 0) throw new Refused("not found, or several");
    return found.uid;
  }

  /** A missing object, and an object that refers to it or is in it; undefined if none is missing. */
  missing(): { readonly uid: string; readonly by: Thing } | undefined {
    for (const by of this.all)
      for (const uid of [by.parent, by.who ?? "", by.role ?? ""]) if (uid !== "" && !this.has(uid)) return { uid, by };
    return undefined;
  }
}

/** The uid of an object on the platform, where an account association has the uid of its group. */
export function uidOn({ kind, uid, parent }: Pick<Thing, "kind" | "uid" | "parent">): string {
  return kind === "AccountAssociation" ? parent : uid;
}

/** The group that an object is in, which is not its parent where that is an identity provider. */
export function groupOf({ kind, parent }: Thing): string {
  return kind === "ExternalGroupRoleMapping" ? parent.slice(0, parent.lastIndexOf("/")) : parent;
}
