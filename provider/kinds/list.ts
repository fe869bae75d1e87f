// Every kind of object that programs can declare. This is the only list of them in `provider/`.
export { accountAssociation } from "./account-association";
export { externalGroupRoleMapping } from "./external-group-role-mapping";
export { group } from "./group";
export { groupInvite } from "./group-invite";
export { identity } from "./identity";
export { identityProvider } from "./identity-provider";
export { repo } from "./repo";
export { role } from "./role";
export { roleBinding } from "./role-binding";
export { subscription } from "./subscription";
export { tag } from "./tag";
