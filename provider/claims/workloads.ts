import { awsAccount as account } from "../schema/inputs";
import { jsonWebKeySet } from "../schema/json-web-keys";
import { audienceOf, type ClaimHelper, type ExactClaims, type WithAudience } from "./helper";
import * as rules from "./rules";

/** A service account of a Kubernetes cluster. */
export interface KubernetesServiceAccount {
  /** Issuer of the cluster's tokens: `kubectl get --raw /.well-known/openid-configuration`. */
  issuer: string;
  /** Namespace of the service account. */
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

/** A login by keys that are given with it. */
export type ClaimsWithKeys = ExactClaims & {
  /** The issuer's public keys: a JSON Web Key Set as text. */
  readonly issuerKeys: string;
  /** Audiences of the token. */
  readonly audiences?: string[];
};

const dnsName = rules.formed(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, "a name that Kubernetes allows");
const serviceAccount = { issuer: rules.httpsAddress, namespace: dnsName, name: dnsName };

/** See `kubernetes` of the package. */
export const kubernetes: ClaimHelper<KubernetesServiceAccount, ExactClaims & Partial<WithAudience>> = {
  call: "kubernetes",
  makes: "claimMatch",
  takes: () => ({ required: serviceAccount, optional: rules.forAudience }),
  claims: (workload) => ({ issuer: workload.issuer, subject: subjectOf(workload), ...audienceOf(workload) }),
};

/** See `kubernetesKeys` of the package. */
export const kubernetesKeys: ClaimHelper<KubernetesServiceAccountKeys, ClaimsWithKeys> = {
  call: "kubernetesKeys",
  makes: "staticKeys",
  takes: () => ({ required: { ...serviceAccount, issuerKeys: jsonWebKeySet }, optional: rules.forAudience }),
  claims(workload) {
    const { issuer, issuerKeys, audience } = workload;
    return { issuer, subject: subjectOf(workload), issuerKeys, ...(audience !== undefined && { audiences: [audience] }) };
  },
};

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

/** See `azureManagedIdentity` of the package. */
export const azureManagedIdentity: ClaimHelper<AzureManagedIdentity, ExactClaims & WithAudience> = {
  call: "azureManagedIdentity",
  makes: "claimMatch",
  takes: () => ({ required: { tenantId: rules.uuid, principalId: rules.uuid, clientId: rules.uuid } }),
  claims({ tenantId, principalId, clientId }) {
    return { issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`, subject: principalId, audience: clientId };
  },
};

/** A service account of Google Cloud. */
export interface GoogleServiceAccount {
  /** Unique id of the service account: a number as text, never its e-mail address, which can be taken over. */
  uniqueId: string;
  /** Audience for which the token is requested. Default: the host of the platform's issuer. */
  audience?: string;
}

const uniqueId = rules.formed(/^\d{10,25}$/, "the unique id of the service account: digits only");

/** See `googleServiceAccount` of the package. */
export const googleServiceAccount: ClaimHelper<GoogleServiceAccount, ExactClaims & Partial<WithAudience>> = {
  call: "googleServiceAccount",
  makes: "claimMatch",
  takes: () => ({ required: { uniqueId }, optional: rules.forAudience }),
  claims: (workload) => ({ issuer: "https://accounts.google.com", subject: workload.uniqueId, ...audienceOf(workload) }),
};

/** An AWS role that a workload has assumed. */
export interface AwsRole {
  /** Number of the account: 12 digits. */
  account: string;
  /** Name of the role, without its path. */
  role: string;
  /** Unique id of the role, `AROA…`. A later role of the same name has another id. */
  roleId: string;
}

/** The report of AWS about a caller in any session of a role. */
export interface AwsSessions {
  /** Number of the AWS account: 12 digits. */
  readonly awsAccount: string;
  /** ARN of the caller, as a regular expression (RE2). */
  readonly arnPattern: string;
  /** Unique id of the caller, as a regular expression (RE2). */
  readonly userIdPattern: string;
}

const role = rules.formed(/^[A-Za-z0-9_+=,.@-]{1,64}$/, "the name of a role, without its path");
const roleId = rules.formed(/^AROA[A-Z0-9]{12,}$/, "the unique id of a role: AROA...");

/** See `awsRole` of the package. */
export const awsRole: ClaimHelper<AwsRole, AwsSessions> = {
  call: "awsRole",
  makes: "awsIdentity",
  takes: () => ({ required: { account, role, roleId } }),
  claims: (workload) => ({
    awsAccount: workload.account,
    arnPattern: `^${rules.escaped(`arn:aws:sts::${workload.account}:assumed-role/${workload.role}/`)}[^/]+$`,
    userIdPattern: `^${workload.roleId}:.+$`,
  }),
};

/** A service account of a Keycloak client. */
export interface KeycloakServiceAccount {
  /** Issuer of the realm: `https://sso.example.com/realms/acme`. */
  issuer: string;
  /** Id of the user behind the service account: a UUID. */
  userId: string;
  /** Audience of the access token. */
  audience: string;
}

const realm = rules.formed(/^https:\/\/[^\s?#@\\]+\/realms\/[^\s/?#]+$/, "the issuer of a realm: https://.../realms/NAME");

/** See `keycloak` of the package. */
export const keycloak: ClaimHelper<KeycloakServiceAccount, ExactClaims & WithAudience> = {
  call: "keycloak",
  makes: "claimMatch",
  takes: () => ({ required: { issuer: realm, userId: rules.uuid, audience: rules.exactText } }),
  claims: ({ issuer, userId, audience }) => ({ issuer, subject: userId, audience }),
};
