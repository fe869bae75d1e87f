import type { Resource } from "@pulumi/pulumi";
import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import * as dynamic from "pulumi-platform";
import * as native from "pulumi-platform/native";

/**
 * True for a resource of the class `name`, of `pulumi-platform` or of `pulumi-platform/native`. Policies compare types, and theirs
 * differ: with one of the two classes, a policy says nothing about the other's resources.
 */
export function isA(
  name: "Group" | "GroupAccess" | "GroupInvite" | "Identity" | "IdentityProvider" | "RoleBinding",
  resource: ResourceValidationArgs | PolicyResource,
): boolean {
  return resource.isType<Resource>(dynamic[name]) || resource.isType<Resource>(native[name]);
}

/** What `read` returns; undefined while a preview does not know it. */
export function known<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
