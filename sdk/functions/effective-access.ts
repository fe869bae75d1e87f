import type { EffectiveAccess } from "../../access/effective";
import { effectiveAccess } from "../../inventory/effective-access";
import type { Either, GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

export type { EffectiveAccess, EffectiveGrant, GrantSource, HeldRole } from "../../access/effective";
export type { Holder, Located } from "../../access/holders";
export type { Unreadable } from "../../access/snapshot";

/** The access in a group. */
export interface AccessInGroup {
  /** Uid of the group. */
  group: string;
}

/** The access of an identity. */
export interface AccessOfIdentity {
  /** Uid of the identity. */
  identity: string;
}

/** An identity, or a group, whose access is read. */
export type GetEffectiveAccessArgs = Either<AccessInGroup, AccessOfIdentity>;

/**
 * Who can do what in a group, or what an identity can do where, and why: each role with its capabilities, the group to which it
 * applies, the group from which it is inherited, and what grants it. Sends only Lists. `unreadable`
 * names what these credentials cannot see; without it, an empty result would look like no access.
 *
 * @example
 * ```ts
 * import { getEffectiveAccess } from "pulumi-platform";
 *
 * export async function ownersOf(group: string): Promise<string[]> {
 *   const { grants, unreadable } = await getEffectiveAccess({ group });
 *   if (unreadable.length > 0) throw new Error(unreadable.map(({ what, reason }) => `${what}: ${reason}`).join("\n"));
 *   return grants.filter(({ role }) => role.name === "owner").map(({ identity }) => identity.path ?? identity.externalGroupId ?? "others");
 * }
 * ```
 */
export const getEffectiveAccess: GetFunction<GetEffectiveAccessArgs, EffectiveAccess> = plainForm(effectiveAccess);

/**
 * {@link getEffectiveAccess} for arguments that may be outputs.
 *
 * @example
 * ```ts
 * import { getEffectiveAccessOutput, getGroupOutput } from "pulumi-platform";
 *
 * const shop = getGroupOutput({ name: "shop" });
 * export const access = getEffectiveAccessOutput({ group: shop.uid });
 * ```
 */
export const getEffectiveAccessOutput: GetOutputFunction<GetEffectiveAccessArgs, EffectiveAccess> = outputForm(effectiveAccess);
