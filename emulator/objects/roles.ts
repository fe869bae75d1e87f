import { permissionDenied } from "../wire/errors";
import { bindingBlockers } from "./identities";
import { messageNamed } from "../contract/messages";
import { byName } from "./filters";
import { checkDescription, checkPlainName } from "./name-rules";
import type { ObjectKind } from "./object-kind";

/** Roles, with built-in ones at the root and custom ones in groups (docs/platform-api.md#roles). */
export const roles: ObjectKind = {
  area: "iam",
  collection: "roles",
  noun: "role",
  parent: "groups",
  message: messageNamed("iam.Role"),
  capabilities: {
    list: "CAP_IAM_ROLES_LIST",
    create: ["CAP_IAM_ROLES_CREATE"],
    update: ["CAP_IAM_ROLES_UPDATE"],
    delete: ["CAP_IAM_ROLES_DELETE"],
  },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: byName },
  naturalKey: ["name"],

  check({ fields, parent }) {
    if (parent === "") throw permissionDenied("a built-in role cannot be changed");
    const { capabilities } = fields;
    const isEmpty = !Array.isArray(capabilities) || capabilities.length === 0;
    const violation = {
      field: "capabilities",
      description: "a role needs at least one capability, named like CAP_IAM_GROUPS_LIST",
    };
    return [...checkPlainName(fields), ...checkDescription(fields), ...(isEmpty ? [violation] : [])];
  },

  blockers(row, store) {
    if (row.parent === "") throw permissionDenied("a built-in role cannot be deleted");
    return bindingBlockers(row, store, "role");
  },
};
