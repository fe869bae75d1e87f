import { stringOf } from "./json";
import { builtInRoleUid } from "./capabilities";
import { notFound, permissionDenied, type ApiError } from "./errors";
import type { Store } from "./store";
import { isWithin, rootOf } from "./uid";

interface Grant {
  readonly group: string;
  readonly capabilities: ReadonlySet<string>;
  /** An owner holds every capability, those that this emulator does not know included. */
  readonly isOwner: boolean;
}

/** What one identity may do: the roles bound to it, each at its group and everything below (API-FACTS §1). */
export class Access {
  constructor(
    readonly identity: string,
    private readonly grants: readonly Grant[],
  ) {}

  /** Whether the identity holds a capability at a uid. */
  can(capability: string, uid: string): boolean {
    return this.grants.some((grant) => isWithin(grant.group, uid) && (grant.isOwner || grant.capabilities.has(capability)));
  }

  /** The groups below which a capability holds, none of them below another. */
  rootsOf(capability: string): string[] {
    const held = this.grants.filter((grant) => grant.isOwner || grant.capabilities.has(capability));
    const roots: string[] = [];
    // Sorted, a group comes right before all that lies below it.
    for (const { group } of held.sort((a, b) => (a.group < b.group ? -1 : 1))) {
      const last = roots.at(-1);
      if (last === undefined || !isWithin(last, group)) roots.push(group);
    }
    return roots;
  }

  /** The error for something the identity may not do: 403 where it holds any role in the organisation, else 404. */
  refusal(capability: string, what: string, uid: string): ApiError {
    const knowsOrganisation = this.grants.some((grant) => rootOf(grant.group) === rootOf(uid));
    return knowsOrganisation
      ? permissionDenied(`identity ${this.identity} lacks ${capability} at ${what} ${uid}`)
      : notFound(`${what} ${uid}`);
  }
}

/** Finds what an identity may do, by its role bindings as they are now. */
export class Authorization {
  private readonly known = new Map<string, Access>();
  private knownAt = -1;

  constructor(private readonly store: Store) {}

  /** The access of an identity, remembered until any role or binding changes. */
  of(identity: string): Access {
    if (this.knownAt !== this.store.accessVersion) {
      this.known.clear();
      this.knownAt = this.store.accessVersion;
    }
    let access = this.known.get(identity);
    if (access === undefined) {
      access = new Access(identity, this.grantsOf(identity));
      this.known.set(identity, access);
    }
    return access;
  }

  private grantsOf(identity: string): Grant[] {
    const roles = new Map<string, Omit<Grant, "group">>();
    return this.store.select("roleBindings", [{ sql: "identity = ?", values: [identity] }]).map((binding) => {
      const roleUid = stringOf(binding.fields["roleUid"]);
      let role = roles.get(roleUid);
      if (role === undefined) {
        role = { capabilities: new Set(capabilitiesOf(this.store, roleUid)), isOwner: roleUid === builtInRoleUid("owner") };
        roles.set(roleUid, role);
      }
      return { group: binding.parent, ...role };
    });
  }
}

/** The capabilities of a role; none when it does not exist. */
export function capabilitiesOf(store: Store, roleUid: string): string[] {
  const held = store.get("roles", roleUid)?.fields["capabilities"];
  return Array.isArray(held) ? held.map(String) : [];
}
