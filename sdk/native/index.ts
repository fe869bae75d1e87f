// What is named here goes before what all of the package has. Only what has resources differs.
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
