// The names exported here shadow those of `pulumi-platform`. Only resources, and what contains resources, differ.
export * from "../index";
export { Organization, Team } from "./components";
export { Provider } from "./provider";
export {
  AccountAssociation,
  ExternalGroupRoleMapping,
  Group,
  GroupAccess,
  GroupInvite,
  Identity,
  IdentityProvider,
  RegistryCredentials,
  Repo,
  Role,
  RoleBinding,
  Subscription,
  Tag,
} from "./resources";
