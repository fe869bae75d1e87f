import type { PlatformClient } from "../client/client";
import { isBelow, parentOf } from "../client/uid";
import type { Kind } from "../kinds/kind";
import { role as roleKind } from "../kinds/role";
import { boundRole, roleBinding } from "../kinds/role-binding";

/** What one role binding grants: its role in its group and everything below. */
export interface Grant {
  /** Uid of the binding. */
  binding: string;
  place: string;
  role: string;
}

/** Capabilities of roles by uid, where they differ from what the platform has now. */
export type RoleChange = ReadonlyMap<string, readonly string[]>;

/** The capabilities lost in one place. */
export interface Loss {
  place: string;
  capabilities: string[];
}

/** The role bindings of an identity. */
export async function grantsOf(client: Pick<PlatformClient, "list">, identity: string): Promise<Grant[]> {
  const bindings = await client.list(roleBinding.collection, { identity });
  return bindings.map((binding) => ({ binding: binding.uid, place: parentOf(binding.uid) ?? "", role: boundRole(binding) }));
}

/**
 * Whether a role binding of the caller allows to list `kind` in the place of the object `uid`.
 *
 * @returns undefined if that is not known: the caller is unknown, or its access comes from no role binding
 */
export async function mayList(
  client: Pick<PlatformClient, "caller" | "get" | "list">,
  kind: Kind,
  uid: string,
): Promise<boolean | undefined> {
  const { capabilities } = kind.collection;
  const caller = await client.caller();
  if (caller === undefined || capabilities === undefined) return undefined;
  try {
    const grants = await grantsOf(client, caller.uid);
    if (grants.length === 0) return undefined;
    const place = kind.placeOf(uid) ?? uid;
    const roles = new Set(grants.filter((grant) => place === grant.place || isBelow(place, grant.place)).map(({ role }) => role));
    const granted = await Promise.all([...roles].map((role) => client.get(roleKind.collection, role)));
    return granted.some((role) => role.capabilities.includes(`CAP_${capabilities}_LIST`));
  } catch {
    // Bindings or roles that the caller may not read: its sight is not proven.
    return false;
  }
}

/**
 * What `before` grants and `after` does not, in the same place or from above.
 *
 * @param change roles that also change
 * @throws PlatformError if the capabilities of a role cannot be read
 */
export async function lossOf(
  client: Pick<PlatformClient, "get">,
  before: readonly Grant[],
  after: readonly Grant[],
  change: RoleChange = new Map(),
): Promise<Loss[]> {
  const read = new Map<string, Promise<readonly string[]>>();
  const capabilitiesNow = (role: string) => {
    const known = read.get(role) ?? client.get(roleKind.collection, role).then(({ capabilities }) => capabilities);
    read.set(role, known);
    return known;
  };
  const losses: Loss[] = [];
  for (const { place, role } of before) {
    const above = after.filter((grant) => place === grant.place || isBelow(place, grant.place));
    if (!change.has(role) && above.some((grant) => grant.role === role)) continue;
    const kept = new Set<string>();
    for (const grant of above) {
      for (const capability of change.get(grant.role) ?? (await capabilitiesNow(grant.role))) kept.add(capability);
    }
    const capabilities = (await capabilitiesNow(role)).filter((capability) => !kept.has(capability));
    if (capabilities.length > 0) losses.push({ place, capabilities });
  }
  return losses;
}
