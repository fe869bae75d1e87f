import type { Values } from "../schema/values";
import { declare } from "../schema/declare";
import {
  answeredMessage,
  createTime,
  detail,
  enumeration,
  flag,
  having,
  optional,
  output,
  parent,
  setOf,
  text,
  time,
  uidOf,
} from "../schema/fields";
import { duration, emailAddress, inSeconds } from "../schema/inputs";
import { inGroup, roleName } from "../schema/references";

/** An invite, whose code lets anybody join a group with a role (docs/platform-api.md#invites). */
export const groupInvite = declare({
  name: "GroupInvite",
  address: { noun: "group invite", area: "iam", segment: "groupInvites", capabilities: "IAM_GROUP_INVITES" },
  fields: inGroup({
    /** Uid of the group to join. A change replaces the invite. */
    parentUid: parent(),
    /** Uid of the role that a person who accepts gets in the group. A change replaces the invite. */
    roleUid: uidOf("role"),
    /** Name of that role, instead of `roleUid`: a built-in role, else a custom role of the group or one above. A change replaces the invite, unless it means the same role. */
    roleName: roleName(),
    /**
     * Time after its creation in which the invite can be accepted, such as `7d`, `12h`, `30m` or `604800s`. A change replaces the invite,
     * unless it means the same time.
     */
    ttl: having({ writeOnly: true, sentAs: inSeconds }, text(duration)),
    /** E-mail address of the only person who can accept. A change replaces the invite. Default: anybody with the code. */
    email: having({ normalise: (text) => text.toLowerCase() }, optional(text(emailAddress))),
    /** Whether the invite can be accepted only once. A change replaces the invite. Default: false. */
    singleUse: optional(flag()),
    /** The code to accept with, a secret; not set if another program created the invite, since only the create returns it. */
    code: having({ once: true, secret: true }, output(text())),
    /** When the invite expires, RFC 3339. */
    expirationTime: output(time()),
    /** Id of the code, which is not secret. */
    keyId: output(text()),
    /** The role, as of the last read of the invite. */
    role: answeredMessage("InvitedRole", {
      /** Uid of the role. */
      uid: detail(uidOf("role")),
      /** Name of the role. */
      name: output(text()),
      /** Empty if unset. */
      description: detail(text()),
      /** Capabilities of the role. */
      capabilities: detail(setOf(enumeration())),
    }),
    /** When the invite was created, RFC 3339. */
    createTime: createTime(),
  }),
  naturalKey: [],
  importId: { is: "key", parts: ["parentUid", "keyId"] },
  filters: {
    /** Only the invite whose code has this id. */
    keyId: "keyId",
  },
  access: "gives",
  rank: 6,
  withGroup: true,
  settled,
  // An organisation without invites is normal.
  calls: { update: "none", list: "may be empty" },
});

/**
 * An expired invite no longer admits anybody. An invite for a single use, or for one person, disappears when it is accepted; a new one
 * would admit one more person.
 */
function settled({ expirationTime, singleUse, email }: Values, now: number): "expired" | "spent" | undefined {
  if (Date.parse(String(expirationTime)) <= now) return "expired";
  return singleUse === true || Boolean(email) ? "spent" : undefined;
}
