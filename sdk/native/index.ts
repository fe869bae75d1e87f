// The names exported here shadow those of `pulumi-platform`. Only resources, and what contains resources, differ.
import * as dynamic from "../index";
import { nativeDoor } from "../resources/door";
import * as provider from "../resources/provider";
import { nativeClass } from "./native-class";

export * from "../index";

/** `AccountAssociation` of `pulumi-platform`, served by the plugin. */
export class AccountAssociation extends nativeClass(dynamic.AccountAssociation) {}
/** `ExternalGroupRoleMapping` of `pulumi-platform`, served by the plugin. */
export class ExternalGroupRoleMapping extends nativeClass(dynamic.ExternalGroupRoleMapping) {}
/** `Group` of `pulumi-platform`, served by the plugin. */
export class Group extends nativeClass(dynamic.Group) {}
/** `GroupAccess` of `pulumi-platform`, served by the plugin. */
export class GroupAccess extends nativeClass(dynamic.GroupAccess) {}
/** `GroupInvite` of `pulumi-platform`, served by the plugin. */
export class GroupInvite extends nativeClass(dynamic.GroupInvite) {}
/** `Identity` of `pulumi-platform`, served by the plugin. */
export class Identity extends nativeClass(dynamic.Identity) {}
/** `IdentityProvider` of `pulumi-platform`, served by the plugin. */
export class IdentityProvider extends nativeClass(dynamic.IdentityProvider) {}
/** `RegistryCredentials` of `pulumi-platform`, served by the plugin. */
export class RegistryCredentials extends nativeClass(dynamic.RegistryCredentials) {}
/** `Repo` of `pulumi-platform`, served by the plugin. */
export class Repo extends nativeClass(dynamic.Repo) {}
/** `Role` of `pulumi-platform`, served by the plugin. */
export class Role extends nativeClass(dynamic.Role) {}
/** `RoleBinding` of `pulumi-platform`, served by the plugin. */
export class RoleBinding extends nativeClass(dynamic.RoleBinding) {}
/** `Subscription` of `pulumi-platform`, served by the plugin. */
export class Subscription extends nativeClass(dynamic.Subscription) {}
/** `Tag` of `pulumi-platform`, served by the plugin. */
export class Tag extends nativeClass(dynamic.Tag) {}

const classes = { Group, GroupAccess, Identity, RoleBinding };

/** `Organization` of `pulumi-platform`, with resources that the plugin serves. */
export class Organization extends dynamic.Organization {
  protected static override readonly classes = classes;
}

/** `Team` of `pulumi-platform`, with resources that the plugin serves. */
export class Team extends dynamic.Team {
  protected static override readonly classes = classes;
}

/** `Provider` of `pulumi-platform`, for resources that the plugin serves. */
export class Provider extends dynamic.Provider {
  static override readonly __pulumiType: string = provider.typeOf(nativeDoor);

  protected static override readonly door = nativeDoor;

  /** Returns true for a provider of this class, also one that another copy of the package made. */
  static override isInstance(obj: unknown): obj is Provider {
    return provider.isOfDoor(obj, nativeDoor);
  }
}
