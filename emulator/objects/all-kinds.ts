// Every kind with its own calls by uid, under the name of its collection. This is the only list of them in `emulator/`.
export { accountAssociations } from "./account-associations";
export { advisories } from "./advisories";
export { externalGroupRoleMappings } from "./external-group-role-mappings";
export { groupInvites } from "./group-invites";
export { groups } from "./groups";
export { identities } from "./identities";
export { identityProviders } from "./identity-providers";
export { repos } from "./repos";
export { roleBindings } from "./role-bindings";
export { roles } from "./roles";
export { subscriptions } from "./subscriptions";
export { tags } from "./tags";
