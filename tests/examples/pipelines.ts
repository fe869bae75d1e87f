import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";

const folder = path.resolve(__dirname, "../../examples/pipelines");

/** A step of a GitHub workflow. */
export interface Step {
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

/** A job of a GitHub workflow. */
export interface Job {
  if?: string;
  needs?: string;
  environment?: string;
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}

/** A GitHub workflow, as far as tests look at it. */
export interface Workflow {
  on: unknown;
  permissions?: unknown;
  defaults?: unknown;
  env?: Record<string, string>;
  jobs: Record<string, Job>;
}

/** Where the platform of the examples is, as every job with a token says it. */
export const pinned = { PLATFORM_BASE_URL: "https://api.platform.example", PLATFORM_AUTH_URL: "https://auth.platform.example" };

/** The text of a file of `examples/pipelines/`. */
export function pipelineText(file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}

/** The names of the GitHub workflows. */
export const workflowFiles = readdirSync(path.join(folder, "github"));

/** A GitHub workflow by its file. */
export function workflow(file: string): Workflow {
  return parse(pipelineText(`github/${file}`)) as Workflow;
}

/** The script of a job of the GitLab pipeline, and its variables. */
export function gitlabJob(name: string): { script: string; variables: Record<string, string> } {
  const jobs = parse(pipelineText("gitlab/.gitlab-ci.yml")) as Record<
    string,
    { script: string[]; variables?: Record<string, string> }
  >;
  const job = jobs[name];
  if (job === undefined) throw new Error(`The pipeline has no job ${name}`);
  const { variables } = parse(pipelineText("gitlab/.gitlab-ci.yml")) as { variables: Record<string, string> };
  return { script: job.script.join("\n"), variables: { ...variables, ...job.variables } };
}

/** The documents of a file for Kubernetes. */
export function manifests(file: string): Record<string, unknown>[] {
  return parseAllDocuments(pipelineText(`kubernetes/${file}`)).map((document) => document.toJS() as Record<string, unknown>);
}
