import { z } from "zod";
import { literal } from "../client/printable";
import { audienceOf, type ClaimHelper, type ExactClaims, type ForAudience, type OneOf } from "./helper";
import type { PatternClaims, WithAudience, WithClaims } from "./helper";
import * as rules from "./rules";

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
  OneOf<{
    /** The job runs for a pull request, by anyone who can open one. */
    pullRequest: true;
    /** Name of the environment of the job. Its subject then names neither branch nor tag. */
    environment: string;
    /** Plain name of the tag: `v1`. */
    tag: string;
    /** Plain name of the branch: `main`. */
    branch: string;
  }>;

/** The changeover of a repository from one subject to another, during which its tokens may have either. */
export interface GithubChangeover {
  /**
   * The repository as its subject named it before: `acme/shop`. Leave it out when the changeover is over, because another owner may get a
   * name without ids.
   */
  formerly: string;
}

/** Further claims of a GitHub Actions workflow, if its arguments name them. */
export type GithubExtras = Partial<WithClaims & WithAudience>;

const pullRequest = z.literal(true, { error: "must be true, or left out" });

/** See `githubActions` of the package. */
export const githubActions: ClaimHelper<
  (GithubActionsWorkflow | GithubActionsTags) & Partial<GithubChangeover>,
  (ExactClaims | PatternClaims) & GithubExtras
> = {
  call: "githubActions",
  makes: "claimMatch",
  takes: (given) => ({
    required: { repository },
    choices: { branch: rules.ref, tag: rules.ref, environment: rules.exactText, pullRequest, tags: rules.tags },
    optional: { formerly: formerlyOf(given), workflow: workflowRef, ...rules.forAudience },
  }),
  claims(workflow) {
    const more = {
      issuer: "https://token.actions.githubusercontent.com",
      ...audienceOf(workflow),
      ...(workflow.workflow !== undefined && { claims: { job_workflow_ref: workflow.workflow } }),
    };
    const { formerly } = workflow;
    const named = rules.escaped(workflow.repository);
    const pattern = (context: string) => {
      const places = formerly === undefined ? named : `(?:${named}|${rules.escaped(formerly)})`;
      return { ...more, subjectPattern: `^repo:${places}:${context}$` };
    };
    if ("tags" in workflow) return pattern(`ref:refs/tags/${rules.tagPattern(workflow.tags)}`);
    const context = contextOf(workflow);
    return formerly === undefined
      ? { ...more, subject: `repo:${workflow.repository}:${context}` }
      : pattern(rules.escaped(context));
  },
};

/** The part of a subject after the repository. */
function contextOf(workflow: GithubActionsWorkflow): string {
  if (workflow.branch !== undefined) return `ref:refs/heads/${workflow.branch}`;
  if (workflow.tag !== undefined) return `ref:refs/tags/${workflow.tag}`;
  if (workflow.pullRequest !== undefined) return "pull_request";
  // GitHub escapes colons in values, because a plain colon would start the next claim.
  return `environment:${workflow.environment.replaceAll(":", "%3A")}`;
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
