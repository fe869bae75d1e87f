import { randomBytes } from "node:crypto";
import { stringOf } from "../wire/json";
import { isoTime, millisecondsOf } from "../wire/message";
import { messageNamed } from "../contract/messages";
import { checkRole } from "./granted-role";
import { equals } from "./filters";
import type { ObjectKind } from "./object-kind";

/** Invites, whose code lets anybody join a group with a role (docs/platform-api.md#invites). */
export const groupInvites: ObjectKind = {
  area: "iam",
  collection: "groupInvites",
  noun: "group invite",
  parent: "groups",
  message: messageNamed("iam.GroupInvite"),
  capabilities: {
    list: "CAP_IAM_GROUP_INVITES_LIST",
    create: ["CAP_IAM_GROUP_INVITES_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_GROUP_INVITES_DELETE"],
  },
  orders: ["uid", "created_at"],
  defaultOrder: "created_at desc",
  filters: { key_id: equals("fields ->> 'keyId'") },

  check({ fields, store, now }) {
    const ttl = stringOf(fields["ttl"]);
    const isLasting = ttl !== "" && millisecondsOf(ttl) > 0 && expiryOf(ttl, now) !== undefined;
    const violation = { field: "ttl", description: "is required, must be positive, and must end before the year 10000" };
    return [...checkRole("role_uid", stringOf(fields["roleUid"]), store), ...(isLasting ? [] : [violation])];
  },

  grant: ({ fields, parent }) => ({ role: stringOf(fields["roleUid"]), group: parent }),

  initial: () => ({ code: randomBytes(24).toString("base64url"), keyId: randomBytes(8).toString("hex") }),

  complete: ({ fields, now }) => ({ ...fields, expirationTime: expiryOf(stringOf(fields["ttl"]), now) ?? null }),

  present({ fields }, { read }) {
    const held = read("roles", stringOf(fields["roleUid"]));
    // A copied invite may offer a role that the copy could not read.
    return { role: held === undefined ? (fields["role"] ?? null) : { ...held.fields, uid: held.uid } };
  },
};

/** The expiry of an invite that is created now; undefined beyond every date. */
function expiryOf(ttl: string, now: string): string | undefined {
  return isoTime(Date.parse(now) + millisecondsOf(ttl));
}
