import { literal } from "../client/printable";
import { audienceOf, type ClaimHelper, type ExactClaims, type ForAudience, type OneOf } from "./helper";
import type { PatternClaims, WithAudience } from "./helper";
import * as rules from "./rules";

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
export type GitlabPipeline = GitlabProject &
  OneOf<{
    /** Plain name of the tag: `v1`. */
    tag: string;
    /** Plain name of the branch: `main`. */
    branch: string;
  }>;

const projectForm = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+(?<!\.git)$/;
const project = rules.text((value) =>
  projectForm.test(value) ? undefined : `must be the full path, such as acme/shop, and not ${literal(value)}`,
);

/** See `gitlabCi` of the package. */
export const gitlabCi: ClaimHelper<GitlabPipeline | GitlabTags, (ExactClaims | PatternClaims) & Partial<WithAudience>> = {
  call: "gitlabCi",
  makes: "claimMatch",
  takes: () => ({
    required: { project },
    choices: { branch: rules.ref, tag: rules.ref, tags: rules.tags },
    optional: { server: rules.httpsAddress, ...rules.forAudience },
  }),
  claims(pipeline) {
    const { project: path, server: address = "https://gitlab.com" } = pipeline;
    const more = { issuer: address.replace(/\/+$/, ""), ...audienceOf(pipeline) };
    if ("tags" in pipeline) {
      const start = rules.escaped(`project_path:${path}:ref_type:tag:ref:`);
      return { ...more, subjectPattern: `^${start}${rules.tagPattern(pipeline.tags)}$` };
    }
    const { branch, tag } = pipeline;
    const context = branch === undefined ? `tag:ref:${tag}` : `branch:ref:${branch}`;
    return { ...more, subject: `project_path:${path}:ref_type:${context}` };
  },
};
