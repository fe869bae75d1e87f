import { randomBytes } from "node:crypto";
import { stringOf } from "../wire/json";
import { millisecondsOf } from "../wire/message";
import { capabilityField } from "./roles";
import { checkRole, requireHeld } from "./granted-role";
import { equals, flag, message, output, shownIn, text, time, uid, type Kind } from "./kind";

const role = message({ uid: text, name: text, description: text, capabilities: { type: "list", of: capabilityField } });

/** Invites: whoever has the code joins a group with a role (docs/platform-api.md#invites). */
export const groupInvites: Kind = {
  area: "iam",
  collection: "groupInvites",
  noun: "group invite",
  parent: "groups",
  message: {
    uid,
    roleUid: text,
    role: output(role),
    email: text,
    ttl: shownIn("none", { type: "duration" }),
    expirationTime: time,
    singleUse: flag,
    code: output(shownIn("created", text)),
    keyId: output(text),
    createTime: time,
  },
  capabilities: {
    list: "CAP_IAM_GROUP_INVITES_LIST",
    create: ["CAP_IAM_GROUP_INVITES_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_GROUP_INVITES_DELETE"],
  },
  orders: ["uid", "created_at"],
  defaultOrder: "created_at desc",
  filters: { key_id: equals("fields ->> 'keyId'") },

  check({ fields, parent, store, access }) {
    const roleUid = stringOf(fields["roleUid"]);
    const ttl = stringOf(fields["ttl"]);
    const isLasting = ttl !== "" && millisecondsOf(ttl) > 0;
    const violations = [
      ...checkRole("role_uid", roleUid, store),
      ...(isLasting ? [] : [{ field: "ttl", description: "is required, and must be positive" }]),
    ];
    if (violations.length === 0) requireHeld(roleUid, parent, store, access);
    return violations;
  },

  initial: () => ({ code: randomBytes(24).toString("base64url"), keyId: randomBytes(8).toString("hex") }),

  complete({ fields, now }) {
    const expiry = Date.parse(now) + millisecondsOf(stringOf(fields["ttl"]));
    return { ...fields, expirationTime: new Date(expiry).toISOString() };
  },

  present({ fields }, { read }) {
    const held = read("roles", stringOf(fields["roleUid"]));
    return { role: held === undefined ? null : { ...held.fields, uid: held.uid } };
  },
};
