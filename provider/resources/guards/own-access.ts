import type { PlatformClient } from "../../client/client";
import { SingleFlight } from "../../client/single-flight";
import { isAtOrBelow, parentOf } from "../../client/uid";
import type { Kind } from "../../schema/kind";
import { role as roleKind } from "../../kinds/role";
import { boundRole, roleBinding } from "../../kinds/role-binding";

/** What one role binding grants in its group and everything below: the capabilities that all of its roles have. */
export interface Grant {
  /** Uid of the binding. */
  binding: string;
  place: string;
  /** Its role; during a change, the one before and the one after. */
  roles: readonly string[];
}

/** New capabilities of roles that this run changes, by uid of the role. Such a role counts for what it has before and after. */
export type RoleChanges = ReadonlyMap<string, readonly string[]>;

/** What an identity may do. */
export interface Access {
  readonly grants: readonly Grant[];
  readonly changes: RoleChanges;
}

/** The capabilities lost in one place. */
export interface Loss {
  place: string;
  capabilities: string[];
}

/** The role bindings of an identity. */
export async function grantsOf(client: Pick<PlatformClient, "list">, identity: string): Promise<Grant[]> {
  const bindings = await client.list(roleBinding.collection, { identity });
  return bindings.map((binding) => ({ binding: binding.uid, place: parentOf(binding.uid) ?? "", roles: [boundRole(binding)] }));
}

/** The role bindings of the caller, as a run saw them before it deleted or changed any: one List for the whole run. */
export class FirstGrants {
  /** Uids of those that this run takes away itself. */
  readonly leaving = new Set<string>();
  readonly #listed = new SingleFlight<readonly Grant[]>();

  constructor(private readonly client: Pick<PlatformClient, "caller" | "list">) {}

  /**
   * Call before a change that may take access from the caller.
   *
   * @returns nothing if the caller is unknown
   * @throws PlatformError if they cannot be listed; the next call asks again
   */
  listed(): Promise<readonly Grant[]> {
    return this.#listed.once("", async () => {
      const caller = await this.client.caller();
      return caller === undefined ? [] : grantsOf(this.client, caller.uid);
    });
  }

  /** True if the caller had a role binding then that this run leaves alone, and sees none now. */
  async areLost(): Promise<boolean> {
    const [first = [], caller] = await Promise.all([this.#listed.known("")?.catch(() => []), this.client.caller()]);
    if (caller === undefined || first.every(({ binding }) => this.leaving.has(binding))) return false;
    return (await grantsOf(this.client, caller.uid).catch(() => [])).length === 0;
  }
}

/**
 * Whether a role binding of the caller allows listing `kind` in the places of the objects `uids`, by uid.
 *
 * @returns undefined for each if unknown: the caller is unknown, or its access comes from no role binding
 * @throws PlatformError if its bindings or their roles cannot be read
 */
export async function mayList(
  client: Pick<PlatformClient, "caller" | "get" | "list">,
  kind: Kind,
  uids: readonly string[],
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const { capabilities } = kind.collection;
  const caller = await client.caller();
  const grants = caller === undefined || capabilities === undefined ? [] : await grantsOf(client, caller.uid);
  if (grants.length === 0) return new Map();
  const rolesAt = (uid: string) =>
    grants.filter(({ place }) => isAtOrBelow(kind.placeOf(uid) ?? uid, place)).flatMap(({ roles }) => roles);
  const wanted = [...new Set(uids.flatMap(rolesAt))];
  const rows = await Promise.all(wanted.map((role) => client.get(roleKind.collection, role)));
  const listing = new Set(rows.filter((row) => row.capabilities.includes(`CAP_${capabilities}_LIST`)).map(({ uid }) => uid));
  return new Map(uids.map((uid) => [uid, rolesAt(uid).some((role) => listing.has(role))]));
}

/**
 * What `before` grants and `after` does not, in the same place or from above.
 *
 * @throws PlatformError if the capabilities of a role cannot be read
 */
export async function lossOf(client: Pick<PlatformClient, "get">, before: Access, after: Access): Promise<Loss[]> {
  const read = new Map<string, Promise<readonly string[]>>();
  const capabilitiesNow = (role: string) => {
    const known = read.get(role) ?? client.get(roleKind.collection, role).then(({ capabilities }) => capabilities);
    read.set(role, known);
    return known;
  };
  const capabilitiesOf = async ({ roles }: Grant, changes: RoleChanges) => {
    const sets = [...(await Promise.all(roles.map(capabilitiesNow))), ...roles.map((role) => changes.get(role))];
    const [first = [], ...others] = sets.filter((set) => set !== undefined);
    return first.filter((capability) => others.every((set) => set.includes(capability)));
  };
  const losses: Loss[] = [];
  for (const grant of before.grants) {
    const { place, roles } = grant;
    const above = after.grants.filter((other) => isAtOrBelow(place, other.place));
    const isUnchanged = (role: string) => roles.includes(role) && after.changes.get(role) === before.changes.get(role);
    if (above.some((other) => other.roles.every(isUnchanged))) continue;
    const kept = new Set<string>();
    for (const other of above) for (const capability of await capabilitiesOf(other, after.changes)) kept.add(capability);
    const capabilities = (await capabilitiesOf(grant, before.changes)).filter((capability) => !kept.has(capability));
    if (capabilities.length > 0) losses.push({ place, capabilities });
  }
  return losses;
}
