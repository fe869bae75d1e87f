import type { ClaimMatch } from "./identity";

/** A workflow of GitHub Actions: exactly one of branch, tag and environment, or `pullRequest`. */
export type GithubActionsWorkflow = {
  /** Owner and name: `acme/shop`. */
  repository: string;
} & ({ branch: string } | { tag: string } | { environment: string } | { pullRequest: true });

/**
 * The claims of a GitHub Actions workflow, as GitHub's OIDC tokens carry them for repositories that have not
 * customised their subject.
 */
export function githubActions(workflow: GithubActionsWorkflow): ClaimMatch {
  return {
    issuer: "https://token.actions.githubusercontent.com",
    subject: `repo:${workflow.repository}:${githubContext(workflow)}`,
  };
}

function githubContext(workflow: GithubActionsWorkflow): string {
  if ("environment" in workflow) return `environment:${workflow.environment}`;
  if ("branch" in workflow) return `ref:refs/heads/${workflow.branch}`;
  if ("tag" in workflow) return `ref:refs/tags/${workflow.tag}`;
  // A misspelt member must not end in the weakest claim, which every pull request fits.
  if ((workflow as { pullRequest?: unknown }).pullRequest === true) return "pull_request";
  throw new Error("githubActions: give exactly one of branch, tag and environment, or pullRequest: true.");
}

/** A pipeline of GitLab CI: exactly one of branch and tag. */
export type GitlabPipeline = {
  /** Full path of the project: `acme/shop`. */
  project: string;
  /** Address of the GitLab server. Default: `https://gitlab.com`. */
  server?: string;
} & ({ branch: string } | { tag: string });

/** The claims of a GitLab pipeline, as GitLab's ID tokens carry them. */
export function gitlabCi(pipeline: GitlabPipeline): ClaimMatch {
  const [refType, ref] = "branch" in pipeline ? ["branch", pipeline.branch] : ["tag", pipeline.tag];
  return {
    issuer: pipeline.server ?? "https://gitlab.com",
    subject: `project_path:${pipeline.project}:ref_type:${refType}:ref:${ref}`,
  };
}
