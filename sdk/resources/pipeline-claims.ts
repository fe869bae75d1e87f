import { audienceOf, checkArguments, escaped, forAudience } from "./claim-arguments";
import type { ExactClaims, ForAudience, PatternClaims, WithAudience } from "./claim-arguments";
import * as rules from "./claim-arguments";

/** A pipeline of Buildkite. */
export interface BuildkitePipeline extends ForAudience {
  /** Slug of the organization. */
  organization: string;
  /** Slug of the pipeline. */
  pipeline: string;
  /** Name of the branch. */
  branch: string;
}

/**
 * The claims of every step of a Buildkite pipeline on one branch. A build for a tag has another subject, and no access.
 * Source: https://buildkite.com/docs/agent/cli/reference/oidc
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than the one described
 */
export function buildkite(pipeline: BuildkitePipeline): PatternClaims & Partial<WithAudience> {
  const required = { organization: rules.slug, pipeline: rules.slug, branch: rules.ref };
  checkArguments("buildkite", pipeline, required, { optional: forAudience });
  const start = `organization:${pipeline.organization}:pipeline:${pipeline.pipeline}:ref:refs/heads/${pipeline.branch}:commit:`;
  const subjectPattern = `^${escaped(start)}[0-9a-f]+:step:[^:]*$`;
  return { issuer: "https://agent.buildkite.com", subjectPattern, ...audienceOf(pipeline) };
}

/** Pipelines of one repository at Bitbucket Cloud. */
export interface BitbucketRepository {
  /** Slug of the workspace. */
  workspace: string;
  /** UUID of the workspace, without braces. */
  workspaceUuid: string;
  /** UUID of the repository, without braces. */
  repositoryUuid: string;
  /** UUID of the deployment environment, without braces. Default: any step, with or without an environment. */
  environmentUuid?: string;
  /** Audience of the tokens, one of `oidc: { audiences: [...] }` in the step. Default: that of the workspace, as Bitbucket sets it. */
  audience?: string;
}

/**
 * The claims of the pipelines of a Bitbucket repository, or of those of one deployment environment.
 * Source: https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc/
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than those described
 */
export function bitbucketPipelines(pipelines: BitbucketRepository): PatternClaims & WithAudience {
  const required = { workspace: rules.slug, workspaceUuid: rules.uuid, repositoryUuid: rules.uuid };
  checkArguments("bitbucketPipelines", pipelines, required, { optional: { environmentUuid: rules.uuid, ...forAudience } });
  const { workspace, workspaceUuid, repositoryUuid, environmentUuid } = pipelines;
  const places = [repositoryUuid, ...(environmentUuid === undefined ? [] : [environmentUuid])];
  return {
    issuer: `https://api.bitbucket.org/2.0/workspaces/${workspace}/pipelines-config/identity/oidc`,
    subjectPattern: `^${escaped(places.map((place) => `{${place}}:`).join(""))}.+$`,
    audience: pipelines.audience ?? `ari:cloud:bitbucket::workspace/${workspaceUuid}`,
  };
}

/** Jobs of one CircleCI project. */
export interface CircleciProject {
  /** Id of the organization: a UUID. */
  organizationId: string;
  /** Id of the project: a UUID. */
  projectId: string;
  /** Audience of the tokens. Default: the id of the organization, as CircleCI sets it. */
  audience?: string;
}

/**
 * The claims of the jobs of a CircleCI project, in the subject format of `CIRCLE_OIDC_TOKEN` and of `CIRCLE_OIDC_TOKEN_V2`. Jobs on
 * every branch have access. Source: https://circleci.com/docs/openid-connect-tokens/
 *
 * @throws pulumi.RunError for arguments that would match no project, or more than the one described
 */
export function circleci(project: CircleciProject): PatternClaims & WithAudience {
  checkArguments("circleci", project, { organizationId: rules.uuid, projectId: rules.uuid }, { optional: forAudience });
  const { organizationId, projectId, audience = organizationId } = project;
  return {
    issuer: `https://oidc.circleci.com/org/${organizationId}`,
    subjectPattern: `^${escaped(`org/${organizationId}/project/${projectId}/user/`)}.+$`,
    audience,
  };
}

/** A job of Jenkins with the OpenID Connect Provider plugin. */
export interface JenkinsJob {
  /** Issuer of the credential: the address of Jenkins followed by `oidc`, or another that the credential names. */
  issuer: string;
  /** URL of the job, as in the subject of its tokens: `https://jenkins.example.com/job/deploy/`. */
  job: string;
  /** Audience of the credential. Default: the host of the platform's issuer. */
  audience?: string;
}

/**
 * The claims of a Jenkins job, with the default claim templates.
 * Source: https://github.com/jenkinsci/oidc-provider-plugin
 *
 * @throws pulumi.RunError for arguments that would match no job, or more than the one described
 */
export function jenkins(job: JenkinsJob): ExactClaims & Partial<WithAudience> {
  const jobUrl = rules.formed(/^https?:\/\/[^\s?#@]+\/job\/[^\s?#]+\/$/, "the URL of a job, with a slash at its end");
  checkArguments("jenkins", job, { issuer: rules.httpsAddress, job: jobUrl }, { optional: forAudience });
  return { issuer: job.issuer, subject: job.job, ...audienceOf(job) };
}

/** A stack in Pulumi Deployments. */
export interface PulumiDeploymentsStack {
  organization: string;
  project: string;
  stack: string;
  /** The operation that may run. A preview needs less access than the others. */
  operation: "preview" | "update" | "refresh" | "destroy";
}

/**
 * The claims of one operation on a stack in Pulumi Deployments. Source: https://www.pulumi.com/docs/pulumi-cloud/oidc/
 *
 * @throws pulumi.RunError for arguments that would match no stack, or more than the one described
 */
export function pulumiDeployments(stack: PulumiDeploymentsStack): ExactClaims & WithAudience {
  const operation = rules.formed(/^(?:preview|update|refresh|destroy)$/, "preview, update, refresh or destroy");
  checkArguments("pulumiDeployments", stack, { organization: rules.slug, project: rules.slug, stack: rules.slug, operation });
  const { organization, project } = stack;
  return {
    issuer: "https://api.pulumi.com/oidc",
    subject: `pulumi:deploy:org:${organization}:project:${project}:stack:${stack.stack}:operation:${stack.operation}:scope:write`,
    audience: organization,
  };
}

/** A workspace in HCP Terraform. */
export interface HcpTerraformWorkspace {
  organization: string;
  /** Name of the project of the workspace. */
  project: string;
  workspace: string;
  /** The part of a run. A plan needs less access than an apply. */
  phase: "plan" | "apply";
  /** The workspace's `TFC_WORKLOAD_IDENTITY_AUDIENCE`. */
  audience: string;
}

/**
 * The claims of one phase of the runs of an HCP Terraform workspace.
 * Source: https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens
 *
 * @throws pulumi.RunError for arguments that would match no workspace, or more than the one described
 */
export function hcpTerraform(workspace: HcpTerraformWorkspace): ExactClaims & WithAudience {
  const phase = rules.formed(/^(?:plan|apply)$/, "plan or apply");
  // Names of projects may hold blanks, but no colon, which would start the next claim.
  const project = rules.formed(/^[A-Za-z0-9 _-]+$/, "the name of a project");
  checkArguments("hcpTerraform", workspace, {
    organization: rules.slug,
    project,
    workspace: rules.slug,
    phase,
    audience: rules.exactText,
  });
  const { organization, project: place, workspace: name } = workspace;
  return {
    issuer: "https://app.terraform.io",
    subject: `organization:${organization}:project:${place}:workspace:${name}:run_phase:${workspace.phase}`,
    audience: workspace.audience,
  };
}
