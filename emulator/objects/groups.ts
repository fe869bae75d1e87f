import type { PreconditionViolation } from "../wire/errors";
import { messageNamed } from "../contract/messages";
import { byName } from "./filters";
import { checkDescription, checkName } from "./name-rules";
import type { ObjectKind } from "./object-kind";
import { rootOf } from "../storage/uid";

/**
 * The objects that block the deletion of a group, by collection, with their names in messages
 * (docs/platform-api.md#deletes-that-are-blocked).
 */
const contents: Readonly<Record<string, string>> = {
  accountAssociations: "an account association",
  groupInvites: "invites",
  groups: "child groups",
  identities: "identities",
  identityProviders: "identity providers",
  repos: "child repos",
  roleBindings: "role bindings",
  roles: "custom roles",
};

/** Groups, which form the tree of an organisation (docs/platform-api.md#groups). */
export const groups: ObjectKind = {
  area: "iam",
  collection: "groups",
  noun: "group",
  parent: "groups",
  message: messageNamed("iam.Group"),
  capabilities: {
    list: "CAP_IAM_GROUPS_LIST",
    create: ["CAP_IAM_GROUPS_CREATE"],
    update: ["CAP_IAM_GROUPS_UPDATE"],
    delete: ["CAP_IAM_GROUPS_DELETE"],
  },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: byName },
  naturalKey: ["name"],

  check: ({ fields }) => [...checkName(fields), ...checkDescription(fields)],

  initial: () => ({ status: "ORG_STATUS_READY" }),

  // Subgroups inherit kind and status from the root group.
  present(row, { read }) {
    const { kind, status } = read("groups", rootOf(row.uid))?.fields ?? {};
    return { kind: kind ?? null, status: status ?? null };
  },

  blockers(row, store, access) {
    return Object.entries(contents).flatMap(([kind, what]): PreconditionViolation[] => {
      // An account association has the uid of its group.
      const place = kind === "accountAssociations" ? "uid = ?" : "parent = ?";
      const inside = [{ sql: place, values: [row.uid] }];
      // The creator of a root group owns it through a binding inside it. If this binding blocked, no root group could be deleted.
      const isOwnDoor = kind === "roleBindings" && row.parent === "";
      const others = isOwnDoor ? [...inside, { sql: "identity <> ?", values: [access.identity] }] : inside;
      const total = store.count(kind, others);
      if (total === 0) return [];
      const description = `a group with ${what} cannot be deleted; ${row.uid} has ${total}`;
      return [{ type: "RESOURCE_NOT_EMPTY", subject: row.uid, description }];
    });
  },
};
