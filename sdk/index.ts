export * from "./claims";
export * from "./functions";
export { Group, type GroupArgs } from "./group";
export { type ClaimMatch, Identity, type IdentityArgs } from "./identity";
export { Provider, type ProviderArgs } from "./provider";
export { Role, type RoleArgs } from "./role";
export { type Named, RoleBinding, type RoleBindingArgs } from "./role-binding";
