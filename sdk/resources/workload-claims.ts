import type { ExactClaims, WithAudience } from "../../provider/claims/helper";
import * as declared from "../../provider/claims/workloads";
import type {
  AwsRole,
  AwsSessions,
  AzureManagedIdentity,
  ClaimsWithKeys,
  GoogleServiceAccount,
  KeycloakServiceAccount,
  KubernetesServiceAccount,
  KubernetesServiceAccountKeys,
} from "../../provider/claims/workloads";
import { claimsFrom } from "./claim-arguments";

export type {
  AwsRole,
  AwsSessions,
  AzureManagedIdentity,
  ClaimsWithKeys,
  GoogleServiceAccount,
  KeycloakServiceAccount,
  KubernetesServiceAccount,
  KubernetesServiceAccountKeys,
} from "../../provider/claims/workloads";

/**
 * The claims of a Kubernetes service account, for `claimMatch`. The cluster's issuer must serve its keys to the platform.
 * Source: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
 *
 * @example
 * ```ts
 * import { Identity, kubernetes } from "pulumi-platform";
 *
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: kubernetes({ issuer: "https://cluster.example.com", namespace: "shop", name: "deployer" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no service account, or more than the one described
 */
export function kubernetes(workload: KubernetesServiceAccount): ExactClaims & Partial<WithAudience> {
  return claimsFrom(declared.kubernetes, workload);
}

/**
 * The claims and keys of a Kubernetes service account, for `staticKeys`, if the platform cannot reach the cluster's issuer.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Identity, kubernetesKeys } from "pulumi-platform";
 *
 * const issuerKeys = new pulumi.Config().require("issuerKeys");
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   staticKeys: kubernetesKeys({ issuer: "https://cluster.example.com", namespace: "shop", name: "deployer", issuerKeys }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no service account, or more than the one described
 */
export function kubernetesKeys(workload: KubernetesServiceAccountKeys): ClaimsWithKeys {
  return claimsFrom(declared.kubernetesKeys, workload);
}

/**
 * The claims of an Azure managed identity.
 * Source: https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
 *
 * @example
 * ```ts
 * import { azureManagedIdentity, Identity } from "pulumi-platform";
 *
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: azureManagedIdentity({
 *     tenantId: "11111111-1111-4111-8111-111111111111",
 *     principalId: "22222222-2222-4222-8222-222222222222",
 *     clientId: "33333333-3333-4333-8333-333333333333",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no identity
 */
export function azureManagedIdentity(workload: AzureManagedIdentity): ExactClaims & WithAudience {
  return claimsFrom(declared.azureManagedIdentity, workload);
}

/**
 * The claims of a Google service account. Source: https://cloud.google.com/docs/authentication/get-id-token
 *
 * @example
 * ```ts
 * import { googleServiceAccount, Identity } from "pulumi-platform";
 *
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: googleServiceAccount({ uniqueId: "123456789012345678901" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no service account
 */
export function googleServiceAccount(workload: GoogleServiceAccount): ExactClaims & Partial<WithAudience> {
  return claimsFrom(declared.googleServiceAccount, workload);
}

/**
 * The report of AWS about a caller that has assumed a role, in any session, for `awsIdentity`. Source:
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 *
 * @example
 * ```ts
 * import { awsRole, Identity } from "pulumi-platform";
 *
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   awsIdentity: awsRole({ account: "123456789012", role: "deployer", roleId: "AROAEXAMPLEEXAMPLE12" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no role, or more than the one described
 */
export function awsRole(workload: AwsRole): AwsSessions {
  return claimsFrom(declared.awsRole, workload);
}

/**
 * The claims of a service account of a Keycloak client. Source: https://www.keycloak.org/docs/latest/server_admin/
 *
 * @example
 * ```ts
 * import { Identity, keycloak } from "pulumi-platform";
 *
 * export const workload = new Identity("workload", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: keycloak({
 *     issuer: "https://sso.example.com/realms/acme",
 *     userId: "11111111-1111-4111-8111-111111111111",
 *     audience: "platform",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no service account
 */
export function keycloak(workload: KeycloakServiceAccount): ExactClaims & WithAudience {
  return claimsFrom(declared.keycloak, workload);
}
