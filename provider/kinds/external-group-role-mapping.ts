import { parentOf } from "../client/uid";
import type { Values } from "../schema/values";
import { declare } from "../schema/declare";
import { createTime, having, parent, text, uidOf } from "../schema/fields";
import { filter } from "../schema/filters";
import { roleName } from "../schema/references";
import { identityProvider } from "./identity-provider";

/**
 * A mapping, which gives a role to people who are in an external group when they sign in
 * (docs/platform-api.md#external-group-role-mappings).
 */
export const externalGroupRoleMapping = declare({
  name: "ExternalGroupRoleMapping",
  address: {
    noun: "external group role mapping",
    area: "iam",
    segment: "externalGroupRoleMappings",
    capabilities: "IAM_IDENTITY_PROVIDERS",
  },
  parentAddress: identityProvider.collection,
  fields: {
    /** Uid of the identity provider that people sign in with. A change replaces the mapping. */
    identityProviderUid: having({ read: providerOf }, parent("identity provider")),
    /** The external group, by its name in the identity provider's `groupsClaim`. A change replaces the mapping. */
    externalGroupId: text(),
    /** Uid of the role that members get. A change replaces the mapping. */
    roleUid: uidOf("role"),
    /** Name of that role, instead of `roleUid`: a built-in role, else a custom role of the group `scope` or one above. A change replaces the mapping, unless it means the same role. */
    roleName: roleName("roleUid", "scope"),
    /** Uid of the group in which they get it; the platform currently accepts only the root group. A change replaces the mapping. */
    scope: uidOf("group"),
    /** When the mapping was created, RFC 3339. */
    createTime: createTime(),
  },
  naturalKey: ["externalGroupId", "roleUid", "scope"],
  filters: {
    /** Only mappings of the identity provider with this uid. */
    identityProviderUid: filter(uidOf("identity provider"), (row: Values, uid) => providerOf(row) === uid),
  },
  access: "gives",
  blocks: { identityProviders: "identityProviderUid" },
  // The place is the group, because roles are granted in groups. A caller that may read one mapping may read the others of the group too.
  placeOf: (uid) => parentOf(parentOf(uid) ?? ""),
  calls: { update: "none", list: "may be empty" },
  contradiction: (wire) =>
    providerOf(wire) === parentOf(String(wire["uid"])) ? undefined : "names an identity provider that it is not in",
});

/** The identity provider of a mapping. A server may omit it. */
function providerOf(wire: Values): unknown {
  return wire["identityProviderUid"] || parentOf(String(wire["uid"]));
}
