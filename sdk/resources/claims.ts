import { z } from "zod";
import { literal } from "../../provider/client/printable";
import { audienceOf, checkArguments, escaped, forAudience } from "./claim-arguments";
import type { ExactClaims, ForAudience, PatternClaims, WithAudience, WithClaims } from "./claim-arguments";
import * as rules from "./claim-arguments";

/** Exactly one member of `Choices`. The most usual member comes last, because the compiler's messages are about that one. */
type OneOf<Choices> = {
  [Name in keyof Choices]: Pick<Choices, Name> & { [Other in Exclude<keyof Choices, Name>]?: never };
}[keyof Choices];

/** The common members of both forms of a GitHub Actions workflow. */
interface GithubRepository extends ForAudience {
  /**
   * Owner and name as in the subject of the repository's tokens, in their exact letter case: `acme@123456/shop@456789`, with the ids of both,
   * for a repository of github.com that was created, renamed or transferred after 15 July 2026 or has opted in, and `acme/shop` otherwise.
   */
  repository: string;
  /**
   * The reusable workflow that must run the job, as in the claim `job_workflow_ref`:
   * `acme/workflows/.github/workflows/deploy.yml@refs/heads/main`, or with the commit that pins it instead of the ref. Default: any
   * workflow.
   */
  workflow?: string;
}

/** A workflow of GitHub Actions that runs for any tag of a form. */
export interface GithubActionsTags extends GithubRepository {
  /** The tags, such as `v*`: `*` stands for any text without a slash. */
  tags: string;
}

/** A workflow of GitHub Actions: exactly one of branch, tag, environment and `pullRequest`. */
export type GithubActionsWorkflow = GithubRepository &
  OneOf<{ pullRequest: true; environment: string; tag: string; branch: string }>;

/** The changeover of a repository from one subject to another, during which its tokens may have either. */
export interface GithubChangeover {
  /**
   * The repository as its subject named it before: `acme/shop`. Leave it out when the changeover is over, because another owner may get a
   * name without ids.
   */
  formerly: string;
}

type GithubExtras = Partial<WithClaims & WithAudience>;

/**
 * The claims of a GitHub Actions workflow, as GitHub's OIDC tokens carry them for repositories that have not
 * customised their subject. The subject of a job with an environment names the environment instead of branch or tag.
 * Source: https://docs.github.com/actions/reference/security/oidc
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
  const choices = { branch: rules.ref, tag: rules.ref, environment: rules.exactText, pullRequest, tags };
  const optional = { formerly: formerlyOf(workflow), workflow: workflowRef, ...forAudience };
  checkArguments("githubActions", workflow, { repository }, { choices, optional });
  const more = {
    issuer: "https://token.actions.githubusercontent.com",
    ...audienceOf(workflow),
    ...(workflow.workflow !== undefined && { claims: { job_workflow_ref: workflow.workflow } }),
  };
  const { formerly } = workflow;
  const named = escaped(workflow.repository);
  const pattern = (context: string) => {
    const places = formerly === undefined ? named : `(?:${named}|${escaped(formerly)})`;
    return { ...more, subjectPattern: `^repo:${places}:${context}$` };
  };
  if ("tags" in workflow) return pattern(`ref:refs/tags/${tagPattern(workflow.tags)}`);
  const context = contextOf(workflow);
  return formerly === undefined ? { ...more, subject: `repo:${workflow.repository}:${context}` } : pattern(escaped(context));
}

/** The part of a subject after the repository. */
function contextOf(workflow: GithubActionsWorkflow): string {
  if (workflow.branch !== undefined) return `ref:refs/heads/${workflow.branch}`;
  if (workflow.tag !== undefined) return `ref:refs/tags/${workflow.tag}`;
  if (workflow.pullRequest !== undefined) return "pull_request";
  // GitHub escapes colons in values, because a plain colon would start the next claim.
  return `environment:${workflow.environment.replaceAll(":", "%3A")}`;
}

/** The common members of both forms of a GitLab pipeline. */
interface GitlabProject extends ForAudience {
  /** Full path of the project: `acme/shop`. */
  project: string;
  /** Address of the GitLab server, the `iss` of its tokens. Default: `https://gitlab.com`. */
  server?: string;
}

/** A pipeline of GitLab CI that runs for any tag of a form. */
export interface GitlabTags extends GitlabProject {
  /** The tags, such as `v*`: `*` stands for any text without a slash. */
  tags: string;
}

/** A pipeline of GitLab CI: exactly one of branch and tag. */
export type GitlabPipeline = GitlabProject & OneOf<{ tag: string; branch: string }>;

/**
 * The claims of a GitLab pipeline, as GitLab's ID tokens carry them for projects that have not customised their subject.
 * Source: https://docs.gitlab.com/ci/secrets/id_token_authentication/
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than the one described
 */
export function gitlabCi(pipeline: GitlabPipeline): ExactClaims & Partial<WithAudience>;
/** The claims of a GitLab pipeline that runs for tags: a pattern for the subject. */
export function gitlabCi(pipeline: GitlabTags): PatternClaims & Partial<WithAudience>;
export function gitlabCi(pipeline: GitlabPipeline | GitlabTags): (ExactClaims | PatternClaims) & Partial<WithAudience> {
  const choices = { branch: rules.ref, tag: rules.ref, tags };
  checkArguments("gitlabCi", pipeline, { project }, { choices, optional: { server: rules.httpsAddress, ...forAudience } });
  const { project: path, server: address = "https://gitlab.com" } = pipeline;
  const more = { issuer: address.replace(/\/+$/, ""), ...audienceOf(pipeline) };
  if ("tags" in pipeline) {
    const start = escaped(`project_path:${path}:ref_type:tag:ref:`);
    return { ...more, subjectPattern: `^${start}${tagPattern(pipeline.tags)}$` };
  }
  const { branch, tag } = pipeline;
  const context = branch === undefined ? `tag:ref:${tag}` : `branch:ref:${branch}`;
  return { ...more, subject: `project_path:${path}:ref_type:${context}` };
}

const tags = rules.anyText.refine(
  (value) => /[^*]/.test(value) && value.includes("*") && rules.ref.safeParse(value.replaceAll("*", "x")).success,
  {
    error: 'must be the plain name of tags with a *, such as "v*"; "tag" takes a name without one',
  },
);

function tagPattern(form: string): string {
  return form.split("*").map(escaped).join("[^/]*");
}

const workflowRef = rules.text((value) =>
  /^[^/\s]+\/[^/\s]+\/\.github\/workflows\/[^/\s]+\.ya?ml@(?:refs\/[^\s]+|[0-9a-f]{40})$/.test(value)
    ? undefined
    : `must be owner/name/.github/workflows/file.yml@refs/..., or with the 40 digits of a commit after the @, and not ${literal(value)}`,
);

const owner = "[A-Za-z0-9][A-Za-z0-9_-]*";
const name = String.raw`[A-Za-z0-9._-]+(?<!\.git)`;
const repositoryForm = new RegExp(`^(?:${owner}/${name}|${owner}@\\d+/${name}@(?<id>\\d+))$`);
const repository = rules.text(repositoryProblem);

function repositoryProblem(value: string): string | undefined {
  if (repositoryForm.test(value)) return undefined;
  return (
    "must be owner/name, or owner@id/name@id if the repository was created, renamed or transferred after 15 July 2026 or has opted in, " +
    `and not ${literal(value)}`
  );
}

/** The rule of {@link GithubChangeover}: another subject of the same repository. */
function formerlyOf(workflow: unknown): z.ZodType {
  const current = (workflow as { repository?: unknown } | null | undefined)?.repository;
  return rules.text((value) => {
    if (value === current)
      return "must be the repository as its subject named it before: leave it out if the subject has not changed";
    const [id, before] = [String(current), value].map((each) => repositoryForm.exec(each)?.groups?.["id"]);
    if (id !== undefined && before !== undefined && id !== before) return "has the id of another repository";
    return repositoryProblem(value);
  });
}

const projectForm = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+(?<!\.git)$/;
const project = rules.text((value) =>
  projectForm.test(value) ? undefined : `must be the full path, such as acme/shop, and not ${literal(value)}`,
);

const pullRequest = z.literal(true, { error: "must be true, or left out" });
