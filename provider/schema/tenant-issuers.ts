import type { SharedIssuer } from "./shared-issuer";

const asOf = "2026-11-27";

/** Issuers of one customer each, with the customer in the path. A pattern of them must name the customer. */
export const tenantIssuers: readonly SharedIssuer[] = [
  {
    issuer: "https://api.bitbucket.org/2.0/workspaces/*/",
    who: "can run a Bitbucket pipeline",
    source: "https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/",
    asOf,
  },
  {
    issuer: "https://oidc.circleci.com/org/*/",
    who: "can run a CircleCI job",
    source: "https://circleci.com/docs/openid-connect-tokens/",
    asOf,
  },
  {
    issuer: "https://vstoken.dev.azure.com/*/",
    who: "can run an Azure DevOps pipeline",
    source: "https://learn.microsoft.com/azure/devops/pipelines/library/connect-to-azure",
    asOf,
  },
  {
    issuer: "https://oidc.vercel.com/*/",
    who: "can deploy to Vercel",
    source: "https://vercel.com/docs/oidc/reference",
    asOf,
  },
  {
    issuer: "https://oidc.fly.io/*/",
    who: "can run a Fly.io machine",
    source: "https://fly.io/docs/reference/openid-connect/",
    asOf,
  },
  {
    issuer: "https://app.harness.io/ng/api/oidc/account/*/",
    who: "can run a Harness pipeline",
    source:
      "https://developer.harness.io/docs/platform/connectors/cloud-providers/ref-cloud-providers/gcs-connector-settings-reference/",
    asOf,
  },
  {
    issuer: "https://login.microsoftonline.com/*/",
    who: "has a Microsoft Entra directory",
    source: "https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference",
    asOf,
  },
  {
    issuer: "https://sts.windows.net/*/",
    who: "has a Microsoft Entra directory",
    source: "https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference",
    asOf,
  },
  {
    issuer: "https://cognito-idp.&.amazonaws.com/*/",
    who: "has an Amazon Cognito user pool",
    source:
      "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-verifying-a-jwt.html",
    asOf,
  },
  {
    issuer: "https://oidc.eks.&.amazonaws.com/id/*/",
    who: "has an Amazon EKS cluster",
    source: "https://docs.aws.amazon.com/eks/latest/userguide/enable-iam-roles-for-service-accounts.html",
    asOf,
  },
  {
    issuer: "https://container.googleapis.com/v1/projects/*/",
    who: "has a Google Kubernetes Engine cluster",
    source: "https://cloud.google.com/kubernetes-engine/docs/concepts/workload-identity",
    asOf,
  },
  {
    issuer: "https://&.oic.prod-aks.azure.com/*/",
    who: "has an Azure Kubernetes Service cluster",
    source: "https://learn.microsoft.com/azure/aks/use-oidc-issuer",
    asOf,
  },
  {
    issuer: "https://oidc.prod-aks.azure.com/*/",
    who: "has an Azure Kubernetes Service cluster",
    source: "https://learn.microsoft.com/azure/aks/use-oidc-issuer",
    asOf,
  },
  {
    issuer: "https://securetoken.google.com/*/",
    who: "has a Firebase project",
    source: "https://firebase.google.com/docs/auth/admin/verify-id-tokens",
    asOf,
  },
  {
    issuer: "https://storage.googleapis.com/*/",
    who: "has a Google Cloud Storage bucket",
    source: "https://cloud.google.com/storage/docs/request-endpoints",
    asOf,
  },
  {
    issuer: "https://s3.amazonaws.com/*/",
    who: "has an Amazon S3 bucket",
    source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html",
    asOf,
  },
  {
    issuer: "https://s3.&.amazonaws.com/*/",
    who: "has an Amazon S3 bucket",
    source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html",
    asOf,
  },
  {
    issuer: "https://raw.githubusercontent.com/*/",
    who: "has a GitHub repository",
    source: "https://docs.github.com/repositories/working-with-files/using-files/viewing-and-understanding-files",
    asOf,
  },
];
