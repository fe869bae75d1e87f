import { audienceOf, type ClaimHelper, type ExactClaims, type ForAudience } from "./helper";
import type { PatternClaims, WithAudience } from "./helper";
import * as rules from "./rules";

/** A pipeline of Buildkite. */
export interface BuildkitePipeline extends ForAudience {
  /** Slug of the organization. */
  organization: string;
  /** Slug of the pipeline. */
  pipeline: string;
  /** Name of the branch. */
  branch: string;
}

/** See `buildkite` of the package. */
export const buildkite: ClaimHelper<BuildkitePipeline, PatternClaims & Partial<WithAudience>> = {
  call: "buildkite",
  makes: "claimMatch",
  takes: () => ({
    required: { organization: rules.slug, pipeline: rules.slug, branch: rules.ref },
    optional: rules.forAudience,
  }),
  claims(pipeline) {
    const start = `organization:${pipeline.organization}:pipeline:${pipeline.pipeline}:ref:refs/heads/${pipeline.branch}:commit:`;
    const subjectPattern = `^${rules.escaped(start)}[0-9a-f]+:step:[^:]*$`;
    return { issuer: "https://agent.buildkite.com", subjectPattern, ...audienceOf(pipeline) };
  },
};

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
  /** Audience of the tokens, one of the `audiences` below `oidc` in the step. Default: that of the workspace, as Bitbucket sets it. */
  audience?: string;
}

/** See `bitbucketPipelines` of the package. */
export const bitbucketPipelines: ClaimHelper<BitbucketRepository, PatternClaims & WithAudience> = {
  call: "bitbucketPipelines",
  makes: "claimMatch",
  takes: () => ({
    required: { workspace: rules.slug, workspaceUuid: rules.uuid, repositoryUuid: rules.uuid },
    optional: { environmentUuid: rules.uuid, ...rules.forAudience },
  }),
  claims({ workspace, workspaceUuid, repositoryUuid, environmentUuid, audience }) {
    const places = [repositoryUuid, ...(environmentUuid === undefined ? [] : [environmentUuid])];
    return {
      issuer: `https://api.bitbucket.org/2.0/workspaces/${workspace}/pipelines-config/identity/oidc`,
      subjectPattern: `^${rules.escaped(places.map((place) => `{${place}}:`).join(""))}.+$`,
      audience: audience ?? `ari:cloud:bitbucket::workspace/${workspaceUuid}`,
    };
  },
};

/** Jobs of one CircleCI project. */
export interface CircleciProject {
  /** Id of the organization: a UUID. */
  organizationId: string;
  /** Id of the project: a UUID. */
  projectId: string;
  /** Audience of the tokens. Default: the id of the organization, as CircleCI sets it. */
  audience?: string;
}

/** See `circleci` of the package. */
export const circleci: ClaimHelper<CircleciProject, PatternClaims & WithAudience> = {
  call: "circleci",
  makes: "claimMatch",
  takes: () => ({ required: { organizationId: rules.uuid, projectId: rules.uuid }, optional: rules.forAudience }),
  claims({ organizationId, projectId, audience = organizationId }) {
    return {
      issuer: `https://oidc.circleci.com/org/${organizationId}`,
      subjectPattern: `^${rules.escaped(`org/${organizationId}/project/${projectId}/user/`)}.+$`,
      audience,
    };
  },
};

/** A job of Jenkins with the OpenID Connect Provider plugin. */
export interface JenkinsJob {
  /** Issuer of the credential: the address of Jenkins followed by `oidc`, or another that the credential names. */
  issuer: string;
  /** URL of the job, as in the subject of its tokens: `https://jenkins.example.com/job/deploy/`. */
  job: string;
  /** Audience of the credential. Default: the host of the platform's issuer. */
  audience?: string;
}

const jobUrl = rules.formed(/^https?:\/\/[^\s?#@]+\/job\/[^\s?#]+\/$/, "the URL of a job, with a slash at its end");

/** See `jenkins` of the package. */
export const jenkins: ClaimHelper<JenkinsJob, ExactClaims & Partial<WithAudience>> = {
  call: "jenkins",
  makes: "claimMatch",
  takes: () => ({ required: { issuer: rules.httpsAddress, job: jobUrl }, optional: rules.forAudience }),
  claims: (job) => ({ issuer: job.issuer, subject: job.job, ...audienceOf(job) }),
};

/** A stack in Pulumi Deployments. */
export interface PulumiDeploymentsStack {
  /** Name of the organization. */
  organization: string;
  /** Name of the project. */
  project: string;
  /** Name of the stack. */
  stack: string;
  /** The operation that may run. A preview needs less access than the others. */
  operation: "preview" | "update" | "refresh" | "destroy";
}

const operation = rules.formed(/^(?:preview|update|refresh|destroy)$/, "preview, update, refresh or destroy");

/** See `pulumiDeployments` of the package. */
export const pulumiDeployments: ClaimHelper<PulumiDeploymentsStack, ExactClaims & WithAudience> = {
  call: "pulumiDeployments",
  makes: "claimMatch",
  takes: () => ({ required: { organization: rules.slug, project: rules.slug, stack: rules.slug, operation } }),
  claims({ organization, project, stack, operation }) {
    return {
      issuer: "https://api.pulumi.com/oidc",
      subject: `pulumi:deploy:org:${organization}:project:${project}:stack:${stack}:operation:${operation}:scope:write`,
      audience: organization,
    };
  },
};

/** A workspace in HCP Terraform. */
export interface HcpTerraformWorkspace {
  /** Name of the organization. */
  organization: string;
  /** Name of the project of the workspace. */
  project: string;
  /** Name of the workspace. */
  workspace: string;
  /** The part of a run. A plan needs less access than an apply. */
  phase: "plan" | "apply";
  /** The workspace's `TFC_WORKLOAD_IDENTITY_AUDIENCE`. */
  audience: string;
}

const phase = rules.formed(/^(?:plan|apply)$/, "plan or apply");
/** Names of projects may hold blanks, but no colon, which would start the next claim. */
const terraformProject = rules.formed(/^[A-Za-z0-9 _-]+$/, "the name of a project");

/** See `hcpTerraform` of the package. */
export const hcpTerraform: ClaimHelper<HcpTerraformWorkspace, ExactClaims & WithAudience> = {
  call: "hcpTerraform",
  makes: "claimMatch",
  takes: () => ({
    required: {
      organization: rules.slug,
      project: terraformProject,
      workspace: rules.slug,
      phase,
      audience: rules.exactText,
    },
  }),
  claims({ organization, project, workspace, phase, audience }) {
    return {
      issuer: "https://app.terraform.io",
      subject: `organization:${organization}:project:${project}:workspace:${workspace}:run_phase:${phase}`,
      audience,
    };
  },
};
