import type { PlatformClient } from "../client/client";
import { isAtOrBelow, parentOf } from "../client/uid";
import { role as roleKind } from "../kinds/role";
import { boundRole, roleBinding } from "../kinds/role-binding";
import type { Kind } from "../schema/kind";

/** The capabilities of a role, granted by one role binding in its group and everything below. */
export interface Grant {
  /** Uid of the binding; empty before its create. */
  readonly binding: string;
  readonly place: string;
  /** Uid of its role. */
  readonly role: string;
}

/** The role bindings of an identity. */
export async function grantsOf(client: Pick<PlatformClient, "list">, identity: string): Promise<Grant[]> {
  const bindings = await client.list(roleBinding.collection, { identity });
  return bindings.map((binding) => ({ binding: binding.uid, place: parentOf(binding.uid) ?? "", role: boundRole(binding) }));
}

/** Capabilities by the group in which role bindings give them. Each applies to everything below too. */
export type Rights = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Lists the present rights of the caller by its role bindings; undefined if the caller is unknown. @throws PlatformError if a List fails
 */
export async function callerRights(client: Pick<PlatformClient, "caller" | "list">): Promise<Rights | undefined> {
  const caller = await client.caller();
  if (caller === undefined) return undefined;
  const grants = await grantsOf(client, caller.uid);
  const uids = [...new Set(grants.map(({ role }) => role))].filter((uid) => uid !== "");
  return rightsBy(grants, uids.length === 0 ? [] : await client.list(roleKind.collection, { uids }));
}

/** The rights that `grants` give. @param roles the visible ones: the capabilities of a hidden role are unknown and left out */
function rightsBy(
  grants: readonly Omit<Grant, "binding">[],
  roles: readonly { readonly uid: string; readonly capabilities: readonly string[] }[],
): Rights {
  const capabilities = new Map(roles.map((each) => [each.uid, each.capabilities]));
  const rights = new Map<string, Set<string>>();
  for (const { place, role } of grants)
    rights.set(place, new Set([...(rights.get(place) ?? []), ...(capabilities.get(role) ?? [])]));
  return rights;
}

/** The capability to list a kind; undefined for a kind without a documented one. */
export function listCapability({ collection }: Pick<Kind, "collection">): string | undefined {
  return collection.capabilities === undefined ? undefined : `CAP_${collection.capabilities}_LIST`;
}

/** The groups in which a role allows listing the kind. */
export function listablePlaces(kind: Pick<Kind, "collection">, rights: Rights): string[] {
  const needed = listCapability(kind);
  return [...rights].flatMap(([place, held]) => (needed !== undefined && held.has(needed) ? [place] : []));
}

/**
 * Whether a role binding of the caller allows listing a kind in a place. `no bindings`: the caller sees none of its own, or the kind has
 * no documented capability, so nothing is known.
 */
export type Right = "held" | "missing" | "no bindings" | "unknown caller";

/** The right to list the kind in `place`, by a role there or above. @param rights undefined for an unknown caller */
export function rightIn(kind: Pick<Kind, "collection">, place: string, rights: Rights | undefined): Right {
  if (rights === undefined) return "unknown caller";
  if (rights.size === 0 || listCapability(kind) === undefined) return "no bindings";
  return listablePlaces(kind, rights).some((listable) => isAtOrBelow(place, listable)) ? "held" : "missing";
}
