import type { ExactClaims, PatternClaims, WithAudience } from "../../provider/claims/helper";
import * as declared from "../../provider/claims/pipelines";
import type {
  BitbucketRepository,
  BuildkitePipeline,
  CircleciProject,
  HcpTerraformWorkspace,
  JenkinsJob,
  PulumiDeploymentsStack,
} from "../../provider/claims/pipelines";
import { claimsFrom } from "./claim-arguments";

export type {
  BitbucketRepository,
  BuildkitePipeline,
  CircleciProject,
  HcpTerraformWorkspace,
  JenkinsJob,
  PulumiDeploymentsStack,
} from "../../provider/claims/pipelines";

/**
 * The claims of every step of a Buildkite pipeline on one branch. A build for a tag has another subject, and no access.
 * Source: https://buildkite.com/docs/agent/cli/reference/oidc
 *
 * @example
 * ```ts
 * import { buildkite, Identity } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: buildkite({ organization: "acme", pipeline: "shop", branch: "main" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than the one described
 */
export function buildkite(pipeline: BuildkitePipeline): PatternClaims & Partial<WithAudience> {
  return claimsFrom(declared.buildkite, pipeline);
}

/**
 * The claims of the pipelines of a Bitbucket repository, or of those of one deployment environment.
 * Source: https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/
 *
 * @example
 * ```ts
 * import { bitbucketPipelines, Identity } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: bitbucketPipelines({
 *     workspace: "acme",
 *     workspaceUuid: "11111111-1111-4111-8111-111111111111",
 *     repositoryUuid: "22222222-2222-4222-8222-222222222222",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than those described
 */
export function bitbucketPipelines(pipelines: BitbucketRepository): PatternClaims & WithAudience {
  return claimsFrom(declared.bitbucketPipelines, pipelines);
}

/**
 * The claims of the jobs of a CircleCI project, in the subject format of `CIRCLE_OIDC_TOKEN` and of `CIRCLE_OIDC_TOKEN_V2`. Jobs on
 * every branch have access. Source: https://circleci.com/docs/openid-connect-tokens/
 *
 * @example
 * ```ts
 * import { circleci, Identity } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: circleci({
 *     organizationId: "11111111-1111-4111-8111-111111111111",
 *     projectId: "22222222-2222-4222-8222-222222222222",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no project, or more than the one described
 */
export function circleci(project: CircleciProject): PatternClaims & WithAudience {
  return claimsFrom(declared.circleci, project);
}

/**
 * The claims of a Jenkins job, with the default claim templates.
 * Source: https://github.com/jenkinsci/oidc-provider-plugin
 *
 * @example
 * ```ts
 * import { Identity, jenkins } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: jenkins({
 *     issuer: "https://jenkins.example.com/oidc",
 *     job: "https://jenkins.example.com/job/deploy/",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no job, or more than the one described
 */
export function jenkins(job: JenkinsJob): ExactClaims & Partial<WithAudience> {
  return claimsFrom(declared.jenkins, job);
}

/**
 * The claims of one operation on a stack in Pulumi Deployments. Source: https://www.pulumi.com/docs/pulumi-cloud/oidc/
 *
 * @example
 * ```ts
 * import { Identity, pulumiDeployments } from "pulumi-platform";
 *
 * export const updater = new Identity("updater", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: pulumiDeployments({ organization: "acme", project: "shop", stack: "prod", operation: "update" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no stack, or more than the one described
 */
export function pulumiDeployments(stack: PulumiDeploymentsStack): ExactClaims & WithAudience {
  return claimsFrom(declared.pulumiDeployments, stack);
}

/**
 * The claims of one phase of the runs of an HCP Terraform workspace.
 * Source: https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens
 *
 * @example
 * ```ts
 * import { hcpTerraform, Identity } from "pulumi-platform";
 *
 * export const applier = new Identity("applier", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: hcpTerraform({
 *     organization: "acme",
 *     project: "shop",
 *     workspace: "prod",
 *     phase: "apply",
 *     audience: "platform",
 *   }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no workspace, or more than the one described
 */
export function hcpTerraform(workspace: HcpTerraformWorkspace): ExactClaims & WithAudience {
  return claimsFrom(declared.hcpTerraform, workspace);
}
