import type { PlatformClient } from "../../client/client";
import { platformErrorAs } from "../../client/errors";
import { SingleFlight } from "../../client/single-flight";
import { isAtOrBelow, parentOf } from "../../client/uid";
import type { Kind } from "../../schema/kind";
import { role as roleKind } from "../../kinds/role";
import { boundRole, roleBinding } from "../../kinds/role-binding";
import type { Grant } from "./grants";

/** The role bindings of an identity. */
export async function grantsOf(client: Pick<PlatformClient, "list">, identity: string): Promise<Grant[]> {
  const bindings = await client.list(roleBinding.collection, { identity });
  return bindings.map((binding) => ({ binding: binding.uid, place: parentOf(binding.uid) ?? "", role: boundRole(binding) }));
}

/** The roles that `grants` give in a place. */
export function rolesAt(grants: readonly Grant[], uid: string): string[] {
  return grants.filter(({ place }) => isAtOrBelow(uid, place)).map(({ role }) => role);
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

  /** True if the caller had a role binding then that this run leaves alone, and sees none now, or cannot list them. */
  async areLost(): Promise<boolean> {
    const first = (await this.#listed.known("")?.catch(platformErrorAs(() => []))) ?? [];
    const caller = await this.client.caller();
    if (caller === undefined || first.every(({ binding }) => this.leaving.has(binding))) return false;
    return (await grantsOf(this.client, caller.uid).catch(platformErrorAs(() => []))).length === 0;
  }
}

/**
 * Whether a role binding of the caller allows listing a kind somewhere. `no bindings`: it sees none of its own, or the kind has no
 * capability, so that nothing can be told.
 */
export type RightToList = "held" | "missing" | "no bindings" | "unknown caller";

/**
 * Whether the caller may list the kind of `objects`, all of one kind, in their places.
 *
 * @throws PlatformError if its bindings or their roles cannot be read
 */
export async function rightsToList(
  client: Pick<PlatformClient, "caller" | "get" | "list">,
  objects: readonly { readonly kind: Kind; readonly uid: string }[],
): Promise<(uid: string) => RightToList> {
  const caller = await client.caller();
  if (caller === undefined) return () => "unknown caller";
  const capabilities = objects[0]?.kind.collection.capabilities;
  const grants = capabilities === undefined ? [] : await grantsOf(client, caller.uid);
  if (grants.length === 0) return () => "no bindings";
  const placeOf = new Map(objects.map(({ kind, uid }) => [uid, kind.placeOf(uid) ?? uid]));
  const rolesFor = (uid: string) => rolesAt(grants, placeOf.get(uid) ?? uid);
  const wanted = [...new Set([...placeOf.keys()].flatMap(rolesFor))];
  const rows = await Promise.all(wanted.map((role) => client.get(roleKind.collection, role)));
  const listing = rows.filter((row) => row.capabilities.includes(`CAP_${capabilities}_LIST`)).map(({ uid }) => uid);
  return (uid) => (rolesFor(uid).some((role) => listing.includes(role)) ? "held" : "missing");
}
