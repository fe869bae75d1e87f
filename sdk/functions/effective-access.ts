import { accessIn, accessOf, type EffectiveAccess } from "../../access/effective";
import { ancestorsOf } from "../../access/places";
import { readSnapshot } from "../../inventory/access-snapshot";
import { PlatformError } from "../../provider/client/errors";
import { uid } from "../../provider/kinds/inputs";
import type { Either, GetFunction } from "./data-sources";
import { sharedReader } from "./shared-lists";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

export type { EffectiveAccess, EffectiveGrant, GrantSource, HeldRole, Holder, Located } from "../../access/effective";
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

/** Whose access or access to what: of an identity, or in a group. */
export type GetEffectiveAccessArgs = Either<AccessInGroup, AccessOfIdentity>;

const source: Source<EffectiveAccess> = {
  call: "getEffectiveAccess",
  area: "iam",
  rules: () => ({ group: uid.optional(), identity: uid.optional() }),
  excludes: { group: ["identity"] },
  usage: "whose access? Give { group } or { identity }.",
  async read(asked, client) {
    const reader = { ...sharedReader(client), caller: () => client.caller() };
    if ("group" in asked) {
      const at = uid.parse(asked["group"]);
      const snapshot = await readSnapshot(reader, { places: [...ancestorsOf(at), at] });
      if (!snapshot.groups.has(at))
        throw unseen("group", at, snapshot.unreadable.find(({ what }) => what === "names of groups")?.reason);
      return { grants: accessIn(snapshot, at), unreadable: [...snapshot.unreadable] };
    }
    const identity = uid.parse(asked["identity"]);
    const snapshot = await readSnapshot(reader, { identity });
    if (!snapshot.identities.has(identity)) throw unseen("identity", identity);
    return { grants: accessOf(snapshot, identity), unreadable: [...snapshot.unreadable] };
  },
};

function unseen(noun: string, wanted: string, reason?: string): PlatformError {
  const why = reason === undefined ? "Check the uid and who may see it." : reason;
  return new PlatformError("NOT_FOUND", `no ${noun} ${wanted} is visible to these credentials. ${why}`);
}

/**
 * Who can do what in a group, or what an identity can do where, and why: each role with its capabilities, the group in which it
 * holds, the group from which it is inherited, and the role binding or mapping that grants it. Reads by Lists only. `unreadable`
 * names what these credentials cannot see; without it, an empty result would look like no access.
 *
 * @example
 * ```ts
 * import { getEffectiveAccess } from "pulumi-platform";
 *
 * export async function ownersOf(group: string): Promise<string[]> {
 *   const { grants, unreadable } = await getEffectiveAccess({ group });
 *   if (unreadable.length > 0) throw new Error(unreadable.map(({ what, reason }) => `${what}: ${reason}`).join("\n"));
 *   return grants.filter(({ role }) => role.name === "owner").map(({ identity }) => identity.path ?? identity.uid ?? "an external group");
 * }
 * ```
 */
export const getEffectiveAccess: GetFunction<GetEffectiveAccessArgs, EffectiveAccess> = plainForm(source);

/** {@link getEffectiveAccess} for arguments that may be outputs. */
export const getEffectiveAccessOutput: GetOutputFunction<GetEffectiveAccessArgs, EffectiveAccess> = outputForm(source);
