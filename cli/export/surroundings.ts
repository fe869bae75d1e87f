import { isAtOrBelow, organizationOf, parentOf } from "../../provider/client/uid";
import { isBuiltIn } from "../../provider/kinds/role";
import { type Login, loginKey } from "../../provider/resources/ledger/declared-logins";
import { kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import { capabilitiesOf, peopleIn } from "../../inventory/snapshot-of";
import type { Naming } from "./names";
import { isWorthProtecting } from "./protection";

/** The knowledge of an export about other objects than the declared ones. */
export interface Surroundings extends Naming {
  /** Objects that stacks manage. The program must not declare any of them, nor an object with the same natural key. */
  readonly managed: readonly PlatformObject[];
  /** URN of the stack's `GroupAccess` that would remove this role binding; undefined if none would. */
  readonly removerOf: (binding: PlatformObject) => string | undefined;
  /** Whether the program protects the object from being deleted. */
  readonly isProtected: (object: PlatformObject) => boolean;
  /** Why the program's language cannot express arguments, as plain data; undefined if it can. */
  readonly whyNotWritten: (args: object) => string | undefined;
  /** The only known group, identity or role with that name or path, to which a reference by name resolves. */
  readonly means: {
    /** Uid of the role that a name means in a group. */
    readonly role: (name: string, place: string) => string | undefined;
    /** Uid of the group or identity at a path. */
    readonly at: (path: string, to: "group" | "identity") => string | undefined;
    /** Issuer and subject by which a person is found. */
    readonly login: (uid: string) => { readonly issuer: string; readonly subject: string } | undefined;
  };
}

/** References by uid alone. Without the Node.js SDK, the plugin treats a name as a different object than the uid that an import finds. */
export const uidsOnly: Surroundings["means"] = { role: () => undefined, at: () => undefined, login: () => undefined };

/** A role as the platform shows it. */
export interface KnownRole {
  readonly name: string;
  /** Absent if the platform does not show all of them. */
  readonly capabilities?: readonly string[];
}

/** The knowledge about an organisation, for the names in a program. */
export interface Known {
  /** Uid of the group to export. */
  readonly root: string;
  /** Everything that was read, both the exported objects and their references. */
  readonly objects: readonly PlatformObject[];
  /** The built-in roles, by uid; undefined if they cannot be read. */
  readonly builtInRoles: ReadonlyMap<string, KnownRole> | undefined;
  /** Whether every identity of the organisation is among {@link objects}. */
  readonly hasAllIdentities: boolean;
  /** See {@link Surroundings.managed}. */
  readonly managed: Surroundings["managed"];
  /** See {@link Surroundings.removerOf}. */
  readonly removerOf: Surroundings["removerOf"];
}

/** The names by which a program can refer to objects that it does not declare. */
export function surroundingsOf({ root, objects, builtInRoles, hasAllIdentities, managed, removerOf }: Known): Surroundings {
  const paths = new Map<string, string>();
  const roles = new Map<string, KnownRole>(builtInRoles);
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  const at = { group: Map.groupBy(of(kindNames.group), pathOf), identity: Map.groupBy(of(kindNames.identity), pathOf) };
  const owners = of(kindNames.identity).flatMap((object) => loginsOf(object).map((login) => [loginKey(login), object] as const));
  const logins = Map.groupBy(owners, ([key]) => key);
  const people = new Map(peopleIn(objects).flatMap((person) => loginsOf(person).map((login) => [person.uid, login] as const)));
  for (const object of objects) {
    const { kind, uid, name, path } = object;
    if (kind === kindNames.role && name !== undefined) roles.set(uid, { name, ...capabilitiesOf(object) });
    if (kind !== kindNames.accountAssociation && name !== undefined && path !== undefined) paths.set(uid, path);
  }
  return {
    root,
    pathOf: (uid) => paths.get(uid),
    roleName: (uid) => roles.get(uid)?.name,
    managed,
    removerOf,
    isProtected: (object) => isWorthProtecting(object, (uid) => roles.get(uid)?.capabilities),
    whyNotWritten: () => undefined,
    means: {
      role(name, place) {
        // A name means a built-in role first, so no name is certain without the built-in roles.
        if (builtInRoles === undefined) return undefined;
        const named = [...roles].flatMap(([uid, each]) => (each.name === name ? [uid] : []));
        const builtIn = named.filter(isBuiltIn);
        const usable = named.filter((uid) => isAtOrBelow(place, parentOf(uid) ?? uid));
        return only(builtIn.length > 0 ? builtIn : usable);
      },
      at: (path, to) => only((at[to].get(path) ?? []).map(({ uid }) => uid)),
      login(uid) {
        const login = people.get(uid);
        // An identity of the organisation with the same login would be found first.
        if (login === undefined || !hasAllIdentities || organizationOf(root) !== root) return undefined;
        const others = (logins.get(loginKey(login)) ?? []).filter(([, other]) => other.uid !== uid);
        return others.length === 0 ? login : undefined;
      },
    },
  };
}

/** The logins by which a reference finds the identity. */
function loginsOf({ value }: Pick<PlatformObject, "value">): Login[] {
  return [value["claimMatch"], value["staticKeys"]].flatMap((form) => {
    const { issuer, subject } = (form ?? {}) as Partial<Login>;
    return issuer === undefined || subject === undefined ? [] : [{ issuer, subject }];
  });
}

function pathOf({ path }: PlatformObject): string | undefined {
  return path;
}

function only(uids: readonly string[]): string | undefined {
  return uids.length === 1 ? uids[0] : undefined;
}
