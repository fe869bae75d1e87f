import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { list, literal } from "../provider/client/printable";
import { type ArgumentRules, isObject, objectRule, problemsOf } from "./functions/arguments";

/** Exactly one member of `Choices`. */
type OneOf<Choices> = {
  [Name in keyof Choices]: Pick<Choices, Name> & { [Other in Exclude<keyof Choices, Name>]?: never };
}[keyof Choices];

/** A claim match with an exact issuer and an exact subject. */
export interface ExactClaims {
  readonly issuer: string;
  readonly subject: string;
}

/** A workflow of GitHub Actions: exactly one of branch, tag, environment and `pullRequest`. */
export type GithubActionsWorkflow = {
  /** Owner and name as in the subject of the repository's tokens: `acme/shop`, or `acme@123456/shop@456789`. */
  repository: string;
} & OneOf<{ branch: string; tag: string; environment: string; pullRequest: true }>;

/**
 * The claims of a GitHub Actions workflow, as GitHub's OIDC tokens carry them for repositories that have not
 * customised their subject. The subject of a job with an environment names the environment instead of branch or tag.
 *
 * @throws pulumi.RunError for arguments that would match no workflow, or more than the one described
 */
export function githubActions(workflow: GithubActionsWorkflow): ExactClaims {
  checkArguments("githubActions", workflow, { repository }, { branch: ref, tag: ref, environment: exactText, pullRequest });
  const subject = (context: string) => ({
    issuer: "https://token.actions.githubusercontent.com",
    subject: `repo:${workflow.repository}:${context}`,
  });
  if (workflow.branch !== undefined) return subject(`ref:refs/heads/${workflow.branch}`);
  if (workflow.tag !== undefined) return subject(`ref:refs/tags/${workflow.tag}`);
  if (workflow.pullRequest !== undefined) return subject("pull_request");
  // GitHub escapes colons in values; a plain colon would start the next claim.
  return subject(`environment:${workflow.environment.replaceAll(":", "%3A")}`);
}

/** A pipeline of GitLab CI: exactly one of branch and tag. */
export type GitlabPipeline = {
  /** Full path of the project: `acme/shop`. */
  project: string;
  /** Address of the GitLab server, the `iss` of its tokens. Default: `https://gitlab.com`. */
  server?: string;
} & OneOf<{ branch: string; tag: string }>;

/**
 * The claims of a GitLab pipeline, as GitLab's ID tokens carry them for projects that have not customised their subject.
 *
 * @throws pulumi.RunError for arguments that would match no pipeline, or more than the one described
 */
export function gitlabCi(pipeline: GitlabPipeline): ExactClaims {
  checkArguments("gitlabCi", pipeline, { project }, { branch: ref, tag: ref }, { server });
  const { project: path, branch, tag, server: address = "https://gitlab.com" } = pipeline;
  const context = branch === undefined ? `tag:ref:${tag}` : `branch:ref:${branch}`;
  return { issuer: address.replace(/\/+$/, ""), subject: `project_path:${path}:ref_type:${context}` };
}

const anyText = z.string({
  error: ({ input }) => (input === undefined || input === null ? "has no value" : "must be a string"),
});

/** Text that the platform compares exactly. `problem` returns what is wrong with it. */
function text(problem: (value: string) => string | undefined): z.ZodType {
  return anyText.superRefine((value, context) => {
    const message = general(value) ?? problem(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

function general(value: string): string | undefined {
  if (value.trim() === "") return "must not be empty";
  if (value !== value.trim() || /\p{Cc}/u.test(value)) return "must not begin or end with a blank, nor hold control characters";
  if (/[*?]/.test(value)) return "is compared exactly: * and ? would stand for nothing but themselves";
  return undefined;
}

const exactText = text(() => undefined);

const ref = text((value) => {
  const [full, bare] = /^refs\/(?:(?:heads|tags)\/(.+))?/.exec(value) ?? [];
  if (full !== undefined)
    return `must be the bare name, ${bare === undefined ? "" : `${literal(bare)} `}and not ${literal(value)}`;
  return /^\/|\/\/|\.\.|[\s~^:[\\]|[/.]$/.test(value) ? `is not a name that git allows: ${literal(value)}` : undefined;
});

const owner = "[A-Za-z0-9][A-Za-z0-9_-]*";
const name = String.raw`[A-Za-z0-9._-]+(?<!\.git)`;
const repositoryForm = new RegExp(`^(?:${owner}/${name}|${owner}@\\d+/${name}@\\d+)$`);
const repository = text((value) =>
  repositoryForm.test(value)
    ? undefined
    : `must be owner/name, or with both ids owner@id/name@id where the subject has them, and not ${literal(value)}`,
);

const projectForm = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+(?<!\.git)$/;
const project = text((value) =>
  projectForm.test(value) ? undefined : `must be the full path, such as acme/shop, and not ${literal(value)}`,
);

// The message does not quote the value: it may hold a password.
const server = anyText.refine((value) => URL.canParse(value) && /^https:\/\/[^\s?#@\\]+$/.test(value), {
  error: "must be an https address without user and query, such as https://gitlab.example.com",
});

const pullRequest = z.literal(true, { error: "must be true, or left out" });

/**
 * Rejects everything but `required`, exactly one of `choices`, and `optional` arguments with a value. It rejects an
 * argument that is undefined too: a missing setting must not decide who may log in.
 */
function checkArguments(
  call: string,
  given: object | null | undefined,
  required: ArgumentRules,
  choices: ArgumentRules,
  optional: ArgumentRules = {},
): void {
  const args = given ?? {};
  if (!isObject(args)) throw new pulumi.RunError(`${call}: ${objectRule}`);
  const all = { ...required, ...choices, ...optional };
  const names = Object.keys(choices);
  const chosen = names.filter((choice) => choice in args);
  const rules = Object.entries(all).map(([argument, rule]): [string, z.ZodType] =>
    argument in required || argument in args ? [argument, rule] : [argument, rule.optional()],
  );
  const problems = problemsOf(Object.fromEntries(rules), args);
  if (chosen.length !== 1) {
    problems.unshift(`give exactly one of ${list(names)}${chosen.length > 1 ? `, not ${list(chosen)}` : ""}.`);
  }
  if (problems.length > 0) throw new pulumi.RunError(`${call}: ${problems.join(" ")}`);
}
