import type { Values } from "../schema/values";
import type { Problem } from "../schema/declaration";
import { declare } from "../schema/declare";
import {
  answeredMessage,
  createTime,
  description,
  detail,
  enumeration,
  enumInput,
  flag,
  having,
  message,
  name,
  optional,
  output,
  parent,
  resending,
  setOf,
  text,
  time,
  uidOf,
} from "../schema/fields";
import { issuerUrl } from "../schema/inputs";
import { inGroup, roleName } from "../schema/references";

const correlationRules = ["SUB_EQUALS_EXTERNAL_ID", "OID_EQUALS_EXTERNAL_ID"].map((rule) => `CORRELATION_RULE_${rule}`);

const oidc = message(
  "Oidc",
  {
    /** Issuer of the tokens, exactly as in their `iss`: an https URL, or http on this machine. */
    issuer: text(issuerUrl),
    /** Id under which the issuer knows the platform. */
    clientId: text(),
    /** Secret of the client. Never returned, so its drift is not detected; encrypted in state. Required unless `pkceEnabled`. */
    clientSecret: having({ secret: true, writeOnly: true }, optional(text())),
    /** Any text, never sent: a change sends `clientSecret` again, even if its value is the same. Default: none. */
    clientSecretVersion: resending("clientSecret"),
    /** Scopes to request besides `openid`, in any order. Default: none. */
    additionalScopes: optional(setOf(text())),
    /** Claim that lists the external groups of a person. Default: no groups are read. */
    groupsClaim: optional(text()),
    /**
     * Which claim is the id by which SCIM knows a person, `CORRELATION_RULE_…`. A change replaces the identity provider. Default:
     * `CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID`.
     */
    correlationRule: having(
      { immutable: true, unset: "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID" },
      optional(enumInput("CORRELATION_RULE_", correlationRules)),
    ),
    /** Whether sign-in uses PKCE, which needs no `clientSecret`. Default: false. */
    pkceEnabled: optional(flag()),
  },
  { update: "members" },
);

/** An identity provider, where people sign in (docs/platform-api.md#identity-providers). */
export const identityProvider = declare({
  name: "IdentityProvider",
  address: {
    noun: "identity provider",
    area: "iam",
    segment: "identityProviders",
    capabilities: "IAM_IDENTITY_PROVIDERS",
  },
  fields: inGroup({
    /** Uid of the group that the identity provider is in. A change replaces the identity provider with its mappings. */
    parentUid: parent(),
    /** Any text without control characters. Default: the logical name. */
    name: name(),
    /** Purpose of the identity provider, on one line. Default: none. */
    description: description(),
    /** Uid of the role that people get at their first sign-in; people who signed in before keep their role. */
    defaultRole: uidOf("role"),
    /** Name of that role, instead of `defaultRole`: a built-in role, else a custom role of this group or one above. */
    defaultRoleName: roleName("defaultRole"),
    /** The OpenID Connect issuer, and how the platform is registered there. */
    oidc,
    /** Provisioning from a directory by SCIM, as of the last read. It is managed outside this package. */
    scim: answeredMessage("Scim", {
      /** Whether SCIM requests are accepted. */
      enabled: output(flag()),
      /** Address to which the directory sends its requests. */
      endpointUrl: output(text()),
      /** State of the token, `CREDENTIAL_STATE_…`. */
      credentialState: detail(enumeration()),
      /** When the token expires, RFC 3339. */
      tokenExpireTime: detail(time()),
      /** When the token before it expires, RFC 3339; none unless a rotation is in progress. */
      previousTokenExpireTime: detail(time()),
      /** Version of this status, which SCIM calls require. */
      etag: detail(text()),
    }),
    /** When the identity provider was created, RFC 3339. */
    createTime: createTime(),
    /** When the identity provider last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  naturalKey: ["name"],
  problems: secretProblems,
  filters: {
    /** Only identity providers with this name, exactly. */
    name: "name",
  },
  access: "gives",
  rank: 4,
  // Most organisations have none, and the route of the List may be shadowed (docs/platform-api.md#identity-providers).
  calls: { list: "unreliable" },
});

/**
 * Requires the secret if sign-in needs one, because an update without it would clear it, and nobody could sign in. The state of an imported
 * object has no secret, so an update clears nothing there.
 */
function secretProblems({ oidc }: Values, { oidc: known }: Values): Problem[] {
  if (typeof oidc !== "object" || oidc === null) return [];
  const { clientSecret, clientSecretVersion, pkceEnabled } = oidc as Values;
  if (clientSecret !== undefined && clientSecret !== null && clientSecret !== "") return [];
  const property = "oidc.clientSecret";
  if (clientSecretVersion !== undefined && clientSecretVersion !== null)
    return [{ property, reason: `${property} is required with oidc.clientSecretVersion, whose change sends it again` }];
  if (pkceEnabled !== undefined && pkceEnabled !== null && pkceEnabled !== false) return [];
  if (isImported(known)) return [];
  return [
    {
      property,
      reason:
        `${property} is required unless oidc.pkceEnabled is true. The platform never returns it: if it is lost, ` +
        "issue a new one at the issuer and declare that",
    },
  ];
}

/** True for the state of an identity provider with a secret that only the platform knows. A provider with PKCE may have no secret. */
function isImported(known: unknown): boolean {
  if (typeof known !== "object" || known === null) return false;
  const { clientSecret, pkceEnabled } = known as Values;
  return (clientSecret ?? undefined) === undefined && pkceEnabled !== true;
}
