import type { FieldViolation } from "../wire/errors";
import { isObject, stringOf } from "../wire/json";
import { checkRole, requireHeld } from "./granted-role";
import { equals, output, text, time, uid, type Kind } from "./kind";
import type { Message } from "../wire/message";
import type { Row } from "../storage/store";

const reference: Message = { uid: text, name: text, description: text };
const identityReference: Message = { ...reference, subject: text, issuer: text, email: text };

/** Role bindings: an identity holds a role in a group and everything below (docs/platform-api.md#role-bindings). */
export const roleBindings: Kind = {
  area: "iam",
  collection: "roleBindings",
  noun: "role binding",
  parent: "groups",
  message: {
    uid,
    identity: output({ type: "message", of: identityReference }),
    group: output({ type: "message", of: reference }),
    role: output({ type: "message", of: reference }),
    createTime: time,
    identityUid: text,
    roleUid: text,
  },
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

  check({ fields, parent, store, access }) {
    const identityUid = stringOf(fields["identityUid"]);
    const roleUid = stringOf(fields["roleUid"]);
    const missing: FieldViolation[] = [];
    // A missing reference is code 3. Code 5 would say that the object or group in the path is missing.
    if (["identities", "people"].every((kind) => store.get(kind, identityUid) === undefined)) {
      missing.push({ field: "identity_uid", description: `identity "${identityUid}" does not exist` });
    }
    missing.push(...checkRole("role_uid", roleUid, store));
    if (missing.length === 0) requireHeld(roleUid, parent, store, access);
    return missing;
  },

  present(row, { read }) {
    const identityUid = stringOf(row.fields["identityUid"]);
    const identity = read("identities", identityUid) ?? read("people", identityUid);
    const match = identity?.fields["claimMatch"];
    const { subject, issuer } = isObject(match) ? match : {};
    return {
      identity: {
        ...shortForm(identity),
        subject: subject ?? "",
        issuer: issuer ?? "",
        email: identity?.fields["email"] ?? "",
      },
      group: shortForm(read("groups", row.parent)),
      role: shortForm(read("roles", stringOf(row.fields["roleUid"]))),
      identityUid: "",
      roleUid: "",
    };
  },
};

function shortForm(row: Row | undefined) {
  return { uid: row?.uid ?? "", name: row?.fields["name"] ?? "", description: row?.fields["description"] ?? "" };
}
