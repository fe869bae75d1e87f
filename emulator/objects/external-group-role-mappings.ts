import { stringOf } from "../wire/json";
import { rootOf } from "../storage/uid";
import { checkRole } from "./granted-role";
import { messageNamed } from "../contract/messages";
import { equals } from "./filters";
import type { ObjectKind } from "./object-kind";

/** Mappings, by which the members of an external group hold a role (docs/platform-api.md#external-group-role-mappings). */
export const externalGroupRoleMappings: ObjectKind = {
  area: "iam",
  collection: "externalGroupRoleMappings",
  noun: "external group role mapping",
  parent: "identityProviders",
  message: messageNamed("iam.ExternalGroupRoleMapping"),
  capabilities: {
    list: "CAP_IAM_IDENTITY_PROVIDERS_LIST",
    create: ["CAP_IAM_IDENTITY_PROVIDERS_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"],
  },
  orders: ["uid", "created_at"],
  filters: { identity_provider_uid: equals("parent") },
  naturalKey: ["externalGroupId", "roleUid", "scope"],

  check({ fields, parent, store }) {
    const root = rootOf(parent);
    return [
      ...(stringOf(fields["externalGroupId"]) === "" ? [{ field: "external_group_id", description: "is required" }] : []),
      ...checkRole("role_uid", stringOf(fields["roleUid"]), store),
      ...(fields["scope"] === root ? [] : [{ field: "scope", description: `must be the root group, ${root}` }]),
    ];
  },

  grant: ({ fields }) => ({ role: stringOf(fields["roleUid"]), group: stringOf(fields["scope"]) }),

  present: ({ parent }) => ({ identityProviderUid: parent }),
};
