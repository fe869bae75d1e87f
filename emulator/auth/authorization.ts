import { notFound, permissionDenied, unauthenticated, type ApiError } from "../wire/errors";
import { stringOf } from "../wire/json";
import type { DenialPolicy, Settings } from "../settings/settings";
import type { Store } from "../storage/store";
import { isWithin, rootOf } from "../storage/uid";

interface Grant {
  readonly group: string;
  readonly capabilities: ReadonlySet<string>;
}

/** The rights of one identity. Each bound role holds in its group and everything below (docs/platform-api.md#inheritance). Immutable. */
export class Access {
  constructor(
    readonly identity: string,
    private readonly grants: readonly Grant[],
    private readonly settings: Settings,
  ) {}

  /** Whether the identity holds a capability at an object. */
  can(capability: string, uid: string): boolean {
    return this.grants.some((grant) => grant.capabilities.has(capability) && isWithin(grant.group, uid));
  }

  /**
   * Requires all of these capabilities at an existing object.
   * @param what names its kind in messages
   * @throws {ApiError} code 5 or 7.
   */
  require(capabilities: readonly string[], what: string, uid: string): void {
    const lacking = capabilities.find((capability) => !this.can(capability, uid));
    if (lacking !== undefined) throw this.#refusal(lacking, what, uid);
  }

  /** The topmost groups in which a capability holds. */
  rootsOf(capability: string): string[] {
    const groups = this.grants.filter((grant) => grant.capabilities.has(capability)).map((grant) => grant.group);
    const roots: string[] = [];
    // Sorting puts a group right before its descendants.
    for (const group of groups.sort()) {
      const last = roots.at(-1);
      if (last === undefined || !isWithin(last, group)) roots.push(group);
    }
    return roots;
  }

  /** The error for an existing object at which the identity lacks a capability: 404 or 403, by `denials` (docs/platform-api.md#hidden-objects). */
  #refusal(capability: string, what: string, uid: string): ApiError {
    return this.#isHidden(this.#policyOf(capability), uid)
      ? notFound(what, uid)
      : permissionDenied(`identity ${this.identity} lacks ${capability} at ${what} ${uid}`);
  }

  #policyOf(capability: string): DenialPolicy {
    const { denials } = this.settings.values;
    return typeof denials === "string" ? denials : (denials[capability] ?? denials["*"] ?? "byOrganization");
  }

  #isHidden(policy: DenialPolicy, uid: string): boolean {
    if (policy !== "byOrganization") return policy === "hidden";
    return !this.grants.some((grant) => rootOf(grant.group) === rootOf(uid));
  }
}

/**
 * The rights of an identity by the current role bindings.
 * @throws {ApiError} code 16 when the identity does not exist.
 */
export function accessOf(identity: string, store: Store, settings: Settings): Access {
  const isKnown = ["identities", "people"].some((kind) => store.get(kind, identity) !== undefined);
  if (!isKnown) throw unauthenticated(`identity ${identity} does not exist`);
  const grants = store.select("roleBindings", [{ sql: "identity = ?", values: [identity] }]).map(({ parent, fields }) => ({
    group: parent,
    capabilities: new Set(capabilitiesOf(store, stringOf(fields["roleUid"]))),
  }));
  return new Access(identity, grants, settings);
}

/** The capabilities of a role; empty if it does not exist. */
export function capabilitiesOf(store: Store, roleUid: string): string[] {
  const held = store.get("roles", roleUid)?.fields["capabilities"];
  return Array.isArray(held) ? held.map(String) : [];
}
