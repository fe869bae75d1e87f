import { parentOf } from "../client/uid";
import type { Values } from "../schema/values";
import type { Wire } from "../schema/declaration";
import { declare } from "../schema/declare";
import { identityRef, inGroup, roleName } from "../schema/references";
import { answeredMessage, createTime, detail, having, output, parent, text, uidOf } from "../schema/fields";
import { filter } from "../schema/filters";
import { boundLogin } from "./bound-login";

/** The uid in the expanded reference `name`, otherwise the uid beside it, which is empty on a server that expands references. */
function referenced(name: "identity" | "group" | "role") {
  return (wire: Values) => (wire[name] as { uid?: string } | null | undefined)?.uid || wire[`${name}Uid`] || undefined;
}

/** The group of a binding, from the expanded reference, otherwise from the place of the uid. */
const groupOf = (wire: Values) => referenced("group")(wire) ?? parentOf(String(wire["uid"]));

/** A role binding, which gives one identity one role in one group and all groups below (docs/platform-api.md#role-bindings). */
export const roleBinding = declare({
  name: "RoleBinding",
  address: { noun: "role binding", area: "iam", segment: "roleBindings", capabilities: "IAM_ROLE_BINDINGS" },
  fields: inGroup({
    /** Uid of the group in which the role is granted; it applies to every group below too. A change replaces the binding. */
    parentUid: parent(),
    /** Uid of the identity that gets the role. Changes in place. */
    identityUid: having({ read: referenced("identity"), blocksTarget: true }, uidOf("identity")),
    /** The identity, instead of `identityUid`: its path, such as `acme/shop/ci`, or `issuer` and `subject` of its tokens. */
    identityRef: identityRef(),
    /** Uid of the role; the uid of a built-in role has no `/`. Changes in place. */
    roleUid: having({ read: referenced("role"), blocksTarget: true }, uidOf("role")),
    /** Name of the role, instead of `roleUid`: a built-in role, else a custom role of this group or one above. */
    roleName: roleName(),
    /** The identity, as of the last read of the binding. */
    identity: answeredMessage("BoundIdentity", {
      /** Uid of the identity. */
      uid: detail(uidOf("identity")),
      /** Name of the identity. */
      name: output(text()),
      /** Empty if unset. */
      description: detail(text()),
      /** Subject of its claim match; empty if it has none or a pattern. */
      subject: detail(text()),
      /** Issuer of its claim match; empty if it has none or a pattern. */
      issuer: detail(text()),
      /** Verified address of a person; empty for a workload. */
      email: detail(text()),
    }),
    /** Digest of the identity's exact issuer and subject at the time when the resource first named the identity. `drift` compares it. */
    login: having(
      { read: (wire) => boundLogin(referenced("identity")(wire), wire["identity"]), firstFor: "identityUid" },
      output(text()),
    ),
    /** The group, as of the last read of the binding. */
    group: answeredMessage("BoundGroup", {
      /** Uid of the group. */
      uid: detail(uidOf("group")),
      /** Name of the group. */
      name: output(text()),
      /** Empty if unset. */
      description: detail(text()),
    }),
    /** The role, as of the last read of the binding. */
    role: answeredMessage("BoundRole", {
      /** Uid of the role. */
      uid: detail(uidOf("role")),
      /** Name of the role. */
      name: output(text()),
      /** Empty if unset. */
      description: detail(text()),
    }),
    /** When the binding was created, RFC 3339. */
    createTime: createTime(),
  }),
  naturalKey: ["identityUid", "roleUid"],
  filters: {
    /** Only bindings of the identity with this uid. */
    identity: "identityUid",
    /** Only bindings in the group with this uid, not in groups below it. */
    group: filter(uidOf("group"), (row: Values, uid) => groupOf(row) === uid),
    /** Only bindings of the role with this uid. */
    role: "roleUid",
  },
  access: "gives",
  rank: 3,
  blocks: { identities: "identity", roles: "role" },
  withGroup: true,
  calls: { lookAhead: true },
  batch: { limit: 25, member: "roleBinding" },
  contradiction(wire) {
    if (!agree(referenced("identity")(wire), wire["identityUid"])) return "names two identities";
    if (!agree(referenced("role")(wire), wire["roleUid"])) return "names two roles";
    return agree(referenced("group")(wire), parentOf(String(wire["uid"]))) ? undefined : "names a group that it is not in";
  },
});

/** A role binding as the platform returns it. */
export type WireRoleBinding = Wire<(typeof roleBinding)["fields"]>;

/** True if two references to the same object do not contradict each other; either may be empty. */
function agree(one: unknown, other: unknown): boolean {
  return !one || !other || one === other;
}

/** Uid of the identity of a binding; empty if unknown. */
export function boundIdentity(binding: WireRoleBinding): string {
  return binding.identity?.uid || binding.identityUid;
}

/** Uid of the role of a binding; empty if unknown. */
export function boundRole(binding: WireRoleBinding): string {
  return binding.role?.uid || binding.roleUid;
}
