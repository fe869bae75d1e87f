import { stringOf } from "../wire/json";
import { rootOf } from "../storage/uid";
import { checkRole, requireHeld } from "./granted-role";
import { equals, output, text, time, uid, type Kind } from "./kind";

/** Mappings: the members of an external group hold a role (docs/platform-api.md#external-group-role-mappings). */
export const externalGroupRoleMappings: Kind = {
  area: "iam",
  collection: "externalGroupRoleMappings",
  noun: "external group role mapping",
  parent: "identityProviders",
  message: {
    uid,
    identityProviderUid: output(text),
    externalGroupId: text,
    roleUid: text,
    scope: text,
    createTime: time,
  },
  capabilities: {
    list: "CAP_IAM_IDENTITY_PROVIDERS_LIST",
    create: ["CAP_IAM_IDENTITY_PROVIDERS_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"],
  },
  orders: ["uid", "created_at"],
  filters: { identity_provider_uid: equals("parent") },
  naturalKey: ["externalGroupId", "roleUid", "scope"],

  check({ fields, parent, store, access }) {
    const [role, scope] = [stringOf(fields["roleUid"]), stringOf(fields["scope"])];
    const root = rootOf(parent);
    const violations = [
      ...(stringOf(fields["externalGroupId"]) === "" ? [{ field: "external_group_id", description: "is required" }] : []),
      ...checkRole("role_uid", role, store),
      ...(scope === root ? [] : [{ field: "scope", description: `must be the root group, ${root}` }]),
    ];
    if (violations.length === 0) requireHeld(role, scope, store, access);
    return violations;
  },

  present: ({ parent }) => ({ identityProviderUid: parent }),
};
