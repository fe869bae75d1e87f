import * as dynamic from "../index";
import { nativeClass } from "./native-class";

/** See `AccountAssociation` of `pulumi-platform`: the same, served by the plugin. */
export class AccountAssociation extends nativeClass(dynamic.AccountAssociation) {}

/** See `ExternalGroupRoleMapping` of `pulumi-platform`: the same, served by the plugin. */
export class ExternalGroupRoleMapping extends nativeClass(dynamic.ExternalGroupRoleMapping) {}

/** See `Group` of `pulumi-platform`: the same, served by the plugin. */
export class Group extends nativeClass(dynamic.Group) {}

/** See `GroupAccess` of `pulumi-platform`: the same, served by the plugin. */
export class GroupAccess extends nativeClass(dynamic.GroupAccess) {}

/** See `GroupInvite` of `pulumi-platform`: the same, served by the plugin. */
export class GroupInvite extends nativeClass(dynamic.GroupInvite) {}

/** See `Identity` of `pulumi-platform`: the same, served by the plugin. */
export class Identity extends nativeClass(dynamic.Identity) {}

/** See `IdentityProvider` of `pulumi-platform`: the same, served by the plugin. */
export class IdentityProvider extends nativeClass(dynamic.IdentityProvider) {}

/** See `RegistryCredentials` of `pulumi-platform`: the same, served by the plugin. */
export class RegistryCredentials extends nativeClass(dynamic.RegistryCredentials) {}

/** See `Repo` of `pulumi-platform`: the same, served by the plugin. */
export class Repo extends nativeClass(dynamic.Repo) {}

/** See `Role` of `pulumi-platform`: the same, served by the plugin. */
export class Role extends nativeClass(dynamic.Role) {}

/** See `RoleBinding` of `pulumi-platform`: the same, served by the plugin. */
export class RoleBinding extends nativeClass(dynamic.RoleBinding) {}

/** See `Subscription` of `pulumi-platform`: the same, served by the plugin. */
export class Subscription extends nativeClass(dynamic.Subscription) {}

/** See `Tag` of `pulumi-platform`: the same, served by the plugin. */
export class Tag extends nativeClass(dynamic.Tag) {}
