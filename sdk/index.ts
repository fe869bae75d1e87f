export * from "./claims";
export * from "./functions";
export { Group, type GroupArgs } from "./group";
export { type AwsIdentity, type ClaimMatch, Identity, type IdentityArgs, type StaticKeys } from "./identity";
export { Provider, type ProviderArgs } from "./provider";
export { Role, type RoleArgs } from "./role";
export { type Named, RoleBinding, type RoleBindingArgs } from "./role-binding";
