import { z } from "zod";
import { boundIdentity, boundRole, roleBindings, type WireRoleBinding } from "../client/iam";
import { uid } from "./inputs";
import type { Kind } from "./kind";

/** A role binding: one identity has one role in one group (SPEC §2). */
export const roleBinding: Kind<WireRoleBinding> = {
  collection: roleBindings,
  inputs: z.strictObject({ parentUid: uid, identityUid: uid, roleUid: uid }),
  immutable: ["parentUid"],
  naturalKey: ["identityUid", "roleUid"],
  lookup: (inputs) => ({ identity: inputs["identityUid"], role: inputs["roleUid"] }),
  read: (wire) => ({ identityUid: boundIdentity(wire), roleUid: boundRole(wire) }),
  outputs: ({ createTime, identity, group, role }) => ({
    createTime,
    identity: { name: identity?.name },
    group: { name: group?.name },
    role: { name: role?.name },
  }),
  blockers: [],
};
