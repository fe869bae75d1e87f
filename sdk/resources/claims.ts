import { githubActions as actions } from "../../provider/claims/github";
import type { GithubActionsTags, GithubActionsWorkflow, GithubChangeover, GithubExtras } from "../../provider/claims/github";
import { gitlabCi as ci, type GitlabPipeline, type GitlabTags } from "../../provider/claims/gitlab";
import type { ExactClaims, PatternClaims, WithAudience } from "../../provider/claims/helper";
import { claimsFrom } from "./claim-arguments";

export type { GithubActionsTags, GithubActionsWorkflow, GithubChangeover } from "../../provider/claims/github";
export type { GitlabPipeline, GitlabTags } from "../../provider/claims/gitlab";
export type { ExactClaims, PatternClaims, WithAudience, WithClaims } from "../../provider/claims/helper";

/**
 * The claims of a GitHub Actions workflow, as GitHub's OIDC tokens carry them for repositories that have not
 * customised their subject. The subject of a job with an environment names the environment instead of branch or tag.
 * Source: https://docs.github.com/actions/reference/security/oidc
 *
 * @example
 * ```ts
 * import { githubActions, Identity } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: githubActions({ repository: "acme/shop", environment: "production" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no workflow, or more than the one described
 */
export function githubActions(workflow: GithubActionsWorkflow): ExactClaims & GithubExtras;
/** The claims of a GitHub Actions workflow that runs for tags, or of a repository whose subject changes: a pattern for the subject. */
export function githubActions(
  workflow: (GithubActionsWorkflow & GithubChangeover) | (GithubActionsTags & Partial<GithubChangeover>),
): PatternClaims & GithubExtras;
export function githubActions(
  workflow: (GithubActionsWorkflow | GithubActionsTags) & Partial<GithubChangeover>,
): (ExactClaims | PatternClaims) & GithubExtras {
  return claimsFrom(actions, workflow);
}

/**
 * The claims of a GitLab pipeline, as GitLab's ID tokens carry them for projects that have not customised their subject.
 * Source: https://docs.gitlab.com/ci/secrets/id_token_authentication/
 *
 * @example
 * ```ts
 * import { gitlabCi, Identity } from "pulumi-platform";
 *
 * export const release = new Identity("release", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: gitlabCi({ project: "acme/shop", branch: "main" }),
 * });
 * ```
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than the one described
 */
export function gitlabCi(pipeline: GitlabPipeline): ExactClaims & Partial<WithAudience>;
/** The claims of a GitLab pipeline that runs for tags: a pattern for the subject. */
export function gitlabCi(pipeline: GitlabTags): PatternClaims & Partial<WithAudience>;
export function gitlabCi(pipeline: GitlabPipeline | GitlabTags): (ExactClaims | PatternClaims) & Partial<WithAudience> {
  return claimsFrom(ci, pipeline);
}
