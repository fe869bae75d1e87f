import { awsAccount as account } from "../../provider/schema/inputs";
import { jsonWebKeySet } from "../../provider/schema/json-web-keys";
import { audienceOf, checkArguments, escaped, type ExactClaims, forAudience, type WithAudience } from "./claim-arguments";
import * as rules from "./claim-arguments";

/** A service account of a Kubernetes cluster. */
export interface KubernetesServiceAccount {
  /** Issuer of the cluster's tokens: `kubectl get --raw /.well-known/openid-configuration`. */
  issuer: string;
  namespace: string;
  /** Name of the service account. */
  name: string;
  /** Audience of the projected token. Default: the host of the platform's issuer. */
  audience?: string;
}

/** A service account of a cluster whose keys the platform cannot fetch. */
export interface KubernetesServiceAccountKeys extends KubernetesServiceAccount {
  /** The cluster's public keys, a JSON Web Key Set as text: `kubectl get --raw /openid/v1/jwks`. */
  issuerKeys: string;
}

const dnsName = rules.formed(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, "a name that Kubernetes allows");
const serviceAccount = { issuer: rules.httpsAddress, namespace: dnsName, name: dnsName };

/**
 * The claims of a Kubernetes service account, for `claimMatch`. The cluster's issuer must serve its keys to the platform.
 * Source: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
 *
 * @throws pulumi.RunError for arguments that would match no service account, or more than the one described
 */
export function kubernetes(workload: KubernetesServiceAccount): ExactClaims & Partial<WithAudience> {
  checkArguments("kubernetes", workload, serviceAccount, { optional: forAudience });
  return { issuer: workload.issuer, subject: subjectOf(workload), ...audienceOf(workload) };
}

/**
 * The claims and keys of a Kubernetes service account, for `staticKeys`, if the platform cannot reach the cluster's issuer.
 *
 * @throws pulumi.RunError for arguments that would match no service account, or more than the one described
 */
export function kubernetesKeys(
  workload: KubernetesServiceAccountKeys,
): ExactClaims & { readonly issuerKeys: string; readonly audiences?: string[] } {
  checkArguments("kubernetesKeys", workload, { ...serviceAccount, issuerKeys: jsonWebKeySet }, { optional: forAudience });
  const { issuer, issuerKeys, audience } = workload;
  return { issuer, subject: subjectOf(workload), issuerKeys, ...(audience !== undefined && { audiences: [audience] }) };
}

function subjectOf({ namespace, name }: KubernetesServiceAccount): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** An Azure managed identity. */
export interface AzureManagedIdentity {
  /** Id of the tenant: a UUID. */
  tenantId: string;
  /** Object id of the identity's service principal: a UUID. */
  principalId: string;
  /** Client id for which the token is requested: a UUID. */
  clientId: string;
}

/**
 * The claims of an Azure managed identity.
 * Source: https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
 *
 * @throws pulumi.RunError for arguments that would match no identity
 */
export function azureManagedIdentity(workload: AzureManagedIdentity): ExactClaims & WithAudience {
  checkArguments("azureManagedIdentity", workload, { tenantId: rules.uuid, principalId: rules.uuid, clientId: rules.uuid });
  const { tenantId, principalId, clientId } = workload;
  return { issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`, subject: principalId, audience: clientId };
}

/** A service account of Google Cloud. */
export interface GoogleServiceAccount {
  /** Unique id of the service account: a number as text, never its e-mail address, which can be taken over. */
  uniqueId: string;
  /** Audience for which the token is requested. Default: the host of the platform's issuer. */
  audience?: string;
}

/**
 * The claims of a Google service account. Source: https://cloud.google.com/docs/authentication/get-id-token
 *
 * @throws pulumi.RunError for arguments that would match no service account
 */
export function googleServiceAccount(workload: GoogleServiceAccount): ExactClaims & Partial<WithAudience> {
  const uniqueId = rules.formed(/^\d{10,25}$/, "the unique id of the service account: digits only");
  checkArguments("googleServiceAccount", workload, { uniqueId }, { optional: forAudience });
  return { issuer: "https://accounts.google.com", subject: workload.uniqueId, ...audienceOf(workload) };
}

/** An AWS role that a workload has assumed. */
export interface AwsRole {
  /** Number of the account: 12 digits. */
  account: string;
  /** Name of the role, without its path. */
  role: string;
  /** Unique id of the role, `AROA…`. A later role of the same name has another id. */
  roleId: string;
}

/**
 * The report of AWS about a caller that has assumed a role, in any session, for `awsIdentity`. Source:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 *
 * @throws pulumi.RunError for arguments that would match no role, or more than the one described
 */
export function awsRole(workload: AwsRole): {
  readonly awsAccount: string;
  readonly arnPattern: string;
  readonly userIdPattern: string;
} {
  const role = rules.formed(/^[A-Za-z0-9_+=,.@-]{1,64}$/, "the name of a role, without its path");
  checkArguments("awsRole", workload, {
    account,
    role,
    roleId: rules.formed(/^AROA[A-Z0-9]{12,}$/, "the unique id of a role: AROA..."),
  });
  return {
    awsAccount: workload.account,
    arnPattern: `^${escaped(`arn:aws:sts::${workload.account}:assumed-role/${workload.role}/`)}[^/]+$`,
    userIdPattern: `^${workload.roleId}:.+$`,
  };
}

/** A service account of a Keycloak client. */
export interface KeycloakServiceAccount {
  /** Issuer of the realm: `https://sso.example.com/realms/acme`. */
  issuer: string;
  /** Id of the user behind the service account: a UUID. */
  userId: string;
  /** Audience of the access token. */
  audience: string;
}

/**
 * The claims of a service account of a Keycloak client. Source: https://www.keycloak.org/docs/latest/server_admin/
 *
 * @throws pulumi.RunError for arguments that would match no service account
 */
export function keycloak(workload: KeycloakServiceAccount): ExactClaims & WithAudience {
  const issuer = rules.formed(/^https:\/\/[^\s?#@\\]+\/realms\/[^\s/?#]+$/, "the issuer of a realm: https://.../realms/NAME");
  checkArguments("keycloak", workload, { issuer, userId: rules.uuid, audience: rules.exactText });
  return { issuer: workload.issuer, subject: workload.userId, audience: workload.audience };
}
