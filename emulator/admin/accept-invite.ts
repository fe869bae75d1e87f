import { z } from "zod";
import { isKnownIdentity } from "../objects/role-bindings";
import { InputError, parseInput } from "../wire/input";
import type { Services } from "../api/services";
import { stringOf, type JsonObject } from "../wire/json";

const acceptance = z.strictObject({ code: z.string().min(1), identity: z.string().min(1), email: z.string().optional() });

/**
 * Accepts an invite like a person who signs in with its code. Binds the identity to the role in the group, and deletes an invite for a
 * single use.
 * @throws {InputError} if the code is unknown or expired, was sent to another address, or if the identity or role does not exist.
 */
export function acceptInvite({ store, settings }: Services, input: unknown): JsonObject {
  const { code, identity, email } = parseInput(acceptance, input, "invite-acceptances");
  const [invite] = store.select("groupInvites", [{ sql: "fields ->> 'code' = ?", values: [code] }]);
  if (invite === undefined) throw new InputError("no invite has this code");
  const { expirationTime, email: invited, roleUid, singleUse } = invite.fields;
  const now = settings.timestamp();
  if (stringOf(expirationTime) <= now) throw new InputError(`invite ${invite.uid} expired at ${stringOf(expirationTime)}`);
  if (stringOf(invited) !== "" && email !== invited)
    throw new InputError(`invite ${invite.uid} is for another address than ${email ?? "none"}`);
  if (!isKnownIdentity(identity, store)) throw new InputError(`identity ${identity} not found`);
  if (store.get("roles", stringOf(roleUid)) === undefined) throw new InputError(`role ${stringOf(roleUid)} not found`);
  const same = [
    { sql: "parent = ?", values: [invite.parent] },
    { sql: "identity = ?", values: [identity] },
    { sql: "role = ?", values: [stringOf(roleUid)] },
  ];
  const known = store.select("roleBindings", same, { limit: 1 })[0];
  const fields = { identityUid: identity, roleUid: stringOf(roleUid) };
  const binding = known ?? store.insert({ kind: "roleBindings", parent: invite.parent, createTime: now, fields });
  if (singleUse === true) store.remove(invite.uid);
  return { roleBinding: binding.uid };
}
