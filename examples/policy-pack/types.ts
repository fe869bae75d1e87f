import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";

/**
 * True for a resource of the class `name`, of `pulumi-platform` or of `pulumi-platform/native`, whose types differ: a policy that knows one
 * of the two says nothing about the other's resources. The text of the type also holds for resources of programs in other languages.
 */
export function isA(
  name: "Group" | "GroupAccess" | "GroupInvite" | "Identity" | "IdentityProvider" | "RoleBinding",
  { type }: ResourceValidationArgs | PolicyResource,
): boolean {
  return type === `pulumi-nodejs:dynamic/platform/iam:${name}` || type === `platform:iam:${name}`;
}

/** The properties of an identity that the rules read. */
export interface IdentityProperties {
  claimMatch?: {
    issuer?: string;
    issuerPattern?: string;
    subject?: string;
    subjectPattern?: string;
    audience?: string;
    audiencePattern?: string;
    claimPatterns?: Record<string, string>;
  };
  awsIdentity?: { arnPattern?: string; userIdPattern?: string };
  staticKeys?: { audiences?: string[]; expirationTime?: string };
}

/** The properties of an identity provider that the rules read. */
export interface ProviderProperties {
  oidc?: { issuer?: string };
}

/** The result of `read`; undefined while a preview does not know it. */
export function known<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
