import { randomBytes } from "node:crypto";
import { builtInRoleUid } from "../auth/built-in-roles";
import type * as kinds from "../objects/all-kinds";
import { newScim } from "../objects/scim";
import type { JsonObject } from "../wire/json";

const inviteDays = 30;

/** Stores an object and returns its uid; `uid` defaults to a new one. */
export type Plant = (kind: keyof typeof kinds | "termsAcceptances", parent: string, fields: JsonObject, uid?: string) => string;

/**
 * Plants the ways for people and services into the organization. They are an identity provider with a mapping, an invite, linked accounts,
 * a subscription and accepted terms.
 * @param now milliseconds since 1970, the start of the life of the invite
 */
export function plantSignIn(plant: Plant, organization: string, identity: string, now: number): void {
  const provider = plant("identityProviders", organization, {
    name: "acme sign-in",
    description: "Where people of the organization sign in",
    defaultRole: builtInRoleUid("viewer"),
    oidc: {
      issuer: "https://login.acme.example",
      clientId: "platform",
      clientSecret: randomBytes(16).toString("hex"),
      additionalScopes: ["email", "groups"],
      groupsClaim: "groups",
    },
    scim: newScim(),
  });
  plant("externalGroupRoleMappings", provider, {
    externalGroupId: "platform-engineers",
    roleUid: builtInRoleUid("editor"),
    scope: organization,
  });
  plant("groupInvites", organization, {
    roleUid: builtInRoleUid("viewer"),
    email: "newcomer@acme.example",
    singleUse: true,
    expirationTime: new Date(now + inviteDays * 24 * 3600 * 1000).toISOString(),
    code: randomBytes(24).toString("base64url"),
    keyId: randomBytes(8).toString("hex"),
  });
  // The root group has no parent, and neither has the association with its uid.
  plant(
    "accountAssociations",
    "",
    {
      name: "acme accounts",
      description: "Cloud accounts of the organization",
      amazon: { account: "123456789012" },
      google: { projectId: "acme-platform", projectNumber: "123456789012" },
    },
    organization,
  );
  plant("subscriptions", organization, { sink: "https://events.acme.example/platform" });
  plant("termsAcceptances", organization, { docId: "terms-of-service", acceptedBy: identity });
}
