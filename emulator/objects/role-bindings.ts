import { isObject, stringOf } from "../wire/json";
import { checkRole } from "./granted-role";
import { messageNamed } from "../contract/messages";
import { equals } from "./filters";
import type { ObjectKind } from "./object-kind";
import type { Row, Store } from "../storage/store";

/** Role bindings, by which an identity holds a role in a group and everything below (docs/platform-api.md#role-bindings). */
export const roleBindings: ObjectKind = {
  area: "iam",
  collection: "roleBindings",
  noun: "role binding",
  parent: "groups",
  message: messageNamed("iam.RoleBinding"),
  capabilities: {
    list: "CAP_IAM_ROLE_BINDINGS_LIST",
    create: ["CAP_IAM_ROLE_BINDINGS_CREATE"],
    update: ["CAP_IAM_ROLE_BINDINGS_UPDATE"],
    delete: ["CAP_IAM_ROLE_BINDINGS_DELETE"],
  },
  orders: ["uid", "created_at"],
  filters: { identity: equals("identity"), group: equals("parent"), role: equals("role") },
  naturalKey: ["identityUid", "roleUid"],
  deleteIsIdempotent: true,

  check({ fields, store }) {
    const identityUid = stringOf(fields["identityUid"]);
    // A missing reference is code 3, because code 5 would mean a missing object or group in the path.
    return [
      ...(isKnownIdentity(identityUid, store)
        ? []
        : [{ field: "identity_uid", description: `identity "${identityUid}" does not exist` }]),
      ...checkRole("role_uid", stringOf(fields["roleUid"]), store),
    ];
  },

  grant: ({ fields, parent }) => ({ role: stringOf(fields["roleUid"]), group: parent }),

  present(row, { read }) {
    const identityUid = stringOf(row.fields["identityUid"]);
    const identity = read("identities", identityUid) ?? read("people", identityUid);
    const match = identity?.fields["claimMatch"];
    const { subject, issuer } = isObject(match) ? match : {};
    const role = read("roles", stringOf(row.fields["roleUid"]));
    return {
      identity: {
        ...shortForm(identity),
        subject: subject ?? "",
        issuer: issuer ?? "",
        email: identity?.fields["email"] ?? "",
      },
      group: shortForm(read("groups", row.parent)),
      // A copied binding may name a role that the copy could not read.
      role: role === undefined ? (row.fields["role"] ?? shortForm(role)) : shortForm(role),
      identityUid: "",
      roleUid: "",
    };
  },
};

/** Whether a binding can name an identity, which must exist or be a person who may sign in. */
export function isKnownIdentity(identityUid: string, store: Store): boolean {
  return ["identities", "people"].some((kind) => store.get(kind, identityUid) !== undefined);
}

function shortForm(row: Row | undefined) {
  return { uid: row?.uid ?? "", name: row?.fields["name"] ?? "", description: row?.fields["description"] ?? "" };
}
