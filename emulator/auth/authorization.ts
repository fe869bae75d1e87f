import { notFound, permissionDenied, unauthenticated, type ApiError } from "../wire/errors";
import { stringOf } from "../wire/json";
import type { DenialPolicy, Settings } from "../settings";
import type { Store } from "../storage/store";
import { isWithin, rootOf } from "../storage/uid";

interface Grant {
  readonly group: string;
  readonly capabilities: ReadonlySet<string>;
}

/** What one identity may do: the roles bound to it, each at its group and everything below. Never changes. */
export class Access {
  constructor(
    readonly identity: string,
    private readonly grants: readonly Grant[],
    private readonly settings: Settings,
  ) {}

  /** Whether the identity holds a capability at a uid. */
  can(capability: string, uid: string): boolean {
    return this.grants.some((grant) => grant.capabilities.has(capability) && isWithin(grant.group, uid));
  }

  /** The groups below which a capability holds, none of them below another. */
  rootsOf(capability: string): string[] {
    const groups = this.grants.filter((grant) => grant.capabilities.has(capability)).map((grant) => grant.group);
    const roots: string[] = [];
    // Sorted, a group comes right before all that lies below it.
    for (const group of groups.sort()) {
      const last = roots.at(-1);
      if (last === undefined || !isWithin(last, group)) roots.push(group);
    }
    return roots;
  }

  /** The error for an existing object at which the identity lacks a capability: 404 or 403, as the settings say. */
  refusal(capability: string, what: string, uid: string): ApiError {
    return this.isHidden(this.policyOf(capability), uid)
      ? notFound(what, uid)
      : permissionDenied(`identity ${this.identity} lacks ${capability} at ${what} ${uid}`);
  }

  private policyOf(capability: string): DenialPolicy {
    const { denials } = this.settings.values;
    return typeof denials === "string" ? denials : (denials[capability] ?? denials["*"] ?? "byOrganization");
  }

  private isHidden(policy: DenialPolicy, uid: string): boolean {
    if (policy !== "byOrganization") return policy === "hidden";
    return !this.grants.some((grant) => rootOf(grant.group) === rootOf(uid));
  }
}

/** Finds what an identity may do, by its role bindings as they are now. */
export class Authorization {
  private readonly known = new Map<string, Access>();
  private knownAt = -1;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /**
   * The access of an identity, remembered until any role or binding changes.
   * @throws {ApiError} code 16 when the identity does not exist.
   */
  of(identity: string): Access {
    if (this.knownAt !== this.store.accessVersion) {
      this.known.clear();
      this.knownAt = this.store.accessVersion;
    }
    let access = this.known.get(identity);
    if (access === undefined) {
      if (this.store.get("identities", identity) === undefined) throw unauthenticated(`identity ${identity} does not exist`);
      access = new Access(identity, this.grantsOf(identity), this.settings);
      this.known.set(identity, access);
    }
    return access;
  }

  private grantsOf(identity: string): Grant[] {
    const roles = new Map<string, ReadonlySet<string>>();
    return this.store.select("roleBindings", [{ sql: "identity = ?", values: [identity] }]).map((binding) => {
      const roleUid = stringOf(binding.fields["roleUid"]);
      const capabilities = roles.get(roleUid) ?? new Set(capabilitiesOf(this.store, roleUid));
      roles.set(roleUid, capabilities);
      return { group: binding.parent, capabilities };
    });
  }
}

/** The capabilities of a role; none when it does not exist. */
export function capabilitiesOf(store: Store, roleUid: string): string[] {
  const held = store.get("roles", roleUid)?.fields["capabilities"];
  return Array.isArray(held) ? held.map(String) : [];
}
