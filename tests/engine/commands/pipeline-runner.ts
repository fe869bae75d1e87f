import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gitlabJob, manifests, pinned, workflow } from "../../examples/pipelines";
import type { Ended } from "../../support/cli";
import type { Project } from "../project";

const execute = promisify(execFile);
const addresses = Object.values(pinned);
const commandLine = path.resolve(__dirname, "../../../dist/cli/main.js");

// Writes down what it is asked, with the files that it would send, and answers what a test has put into a file.
const gh = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
for argument in "$@"; do
  case "$argument" in
    body=@*) cp "\${argument#body=@}" "$GH_BODY" ;;
    issue.md) cp issue.md "$GH_BODY" ;;
  esac
done
case "$*" in
  *--jq*) cat "$GH_ANSWER" ;;
  "run download"*) mkdir -p reviewed && cp "$ARTIFACT"/* reviewed/ ;;
esac
`;

// Answers with the artefact's file that the address ends with.
const curl = `#!/bin/sh
printf '%s\\n' "$*" >> "$GH_LOG"
cp "$ARTIFACT/rehearsal.json" reviewed.json
`;

/** The part of the manifest that a test needs. */
interface CronJob {
  spec: {
    jobTemplate: {
      spec: { template: { spec: { containers: [{ command: string[]; env: { name: string; value?: string }[] }] } } };
    };
  };
}

/** The part of a Job's manifest that a test needs. */
interface Container {
  spec: { template: { spec: { containers: [{ command: [string, string, string]; env: { name: string; value?: string }[] }] } } };
}

/** How a job ended: with the exit code of the first step that failed, or 0. */
export interface JobResult extends Ended {
  /** Command lines that `gh` got. */
  gh: string[];
}

/** Runs the scripts of GitHub workflows of `examples/pipelines` in a project, one job after the other. */
export class PipelineRunner {
  private constructor(private readonly project: Project) {}

  /** Installs what the scripts call: this package's command, and a stand-in for `gh`. */
  static async create(project: Project): Promise<PipelineRunner> {
    const bin = path.join(project.folder, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    const scripts = { "pulumi-platform": `#!/bin/sh\nexec "${process.execPath}" "${commandLine}" "$@"\n`, gh, curl };
    for (const [name, text] of Object.entries(scripts)) {
      await writeFile(path.join(bin, name), text, { mode: 0o755 });
    }
    return new PipelineRunner(project);
  }

  /**
   * Runs the scripts of a job. Actions and `npm ci` are skipped: the test has done their work.
   *
   * @param variables what GitHub, or an expression of the workflow, would set
   * @param answer what `gh` finds
   */
  async job(file: string, name: string, variables: Record<string, string> = {}, answer = ""): Promise<JobResult> {
    const { env, jobs } = workflow(file);
    const job = jobs[name];
    if (job === undefined) throw new Error(`${file} has no job ${name}`);
    await Promise.all(["gh.log", "output"].map((each) => rm(this.#file(each), { force: true })));
    await writeFile(this.#file("gh.answer"), answer);
    const ended = { code: 0, stdout: "", stderr: "" };
    for (const step of job.steps) {
      if (step.run === undefined || step.run === "npm ci") continue;
      if (step.if?.includes("github.event_name") === true && !step.if.includes(variables["GITHUB_EVENT_NAME"] ?? "push"))
        continue;
      if (ended.code !== 0 && step.if?.includes("!cancelled()") !== true) continue;
      const given = Object.entries({ ...env, ...job.env, ...step.env }).filter(([, value]) => !value.includes("${{"));
      const { code, stdout, stderr } = await this.#run(step.run, { ...Object.fromEntries(given), ...variables, STACK: "test" });
      ended.stdout += stdout;
      ended.stderr += stderr;
      ended.code ||= code;
    }
    return { ...ended, gh: await this.#lines("gh.log") };
  }

  /** Keeps the files that a job of a GitHub workflow uploads, and removes them from the project. @returns their names */
  async upload(file: string, name: string): Promise<string[]> {
    const step = workflow(file).jobs[name]?.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const names = (step?.with?.["path"] ?? "").split("\n").filter((each) => each !== "");
    await Promise.all(["artifact", "reviewed"].map((each) => rm(this.#file(each), { recursive: true, force: true })));
    await mkdir(this.#file("artifact"));
    const kept = await Promise.all(
      names.map(async (each) => {
        const isThere = await copyFile(this.#file(each), this.#file(`artifact/${each}`)).then(
          () => true,
          () => false,
        );
        await rm(this.#file(each), { force: true });
        return isThere ? [each] : [];
      }),
    );
    return kept.flat();
  }

  /** Runs the script of a job of the GitLab pipeline. @param variables what GitLab gives it besides the project's token */
  async gitlab(name: string, variables: Record<string, string> = {}): Promise<Ended> {
    const { script, variables: own } = gitlabJob(name);
    return this.#run(script, { ...own, ...variables, STACK: "test" });
  }

  /** Runs the script of a Job of the bound update in Kubernetes, with its volumes in the project. */
  async kubernetes(name: string): Promise<Ended> {
    const manifest = manifests("bound-update.yaml").find(
      ({ kind, metadata }) => kind === "Job" && (metadata as { name: string }).name === name,
    ) as unknown as Container;
    const [{ command, env }] = manifest.spec.template.spec.containers;
    const files = { REVIEWED: this.#file("artifact/rehearsal.json"), REHEARSAL: this.#file("volume.json") };
    return this.#run(command[2], { ...valuesIn(env), ...files, STACK: "test" });
  }

  /** Runs the command of the CronJob of Kubernetes, with the values that its file has. */
  async cronJob(): Promise<Ended> {
    const job = manifests("drift-cronjob.yaml").find(({ kind }) => kind === "CronJob") as unknown as CronJob;
    const [container] = job.spec.jobTemplate.spec.template.spec.containers;
    const command = container.command.map((word) => (word.startsWith("acme/") ? "test" : word)).join(" ");
    return this.#run(command, { ...valuesIn(container.env), STACK: "test" });
  }

  /** The outputs of the steps of a job. */
  outputs(): Promise<string[]> {
    return this.#lines("output");
  }

  /** The text that `gh` was last given to send. */
  body(): Promise<string> {
    return readFile(this.#file("gh.body"), "utf8");
  }

  async #run(script: string, variables: Record<string, string>): Promise<Ended> {
    // Where the platform is, a recipe says.
    const { PLATFORM_BASE_URL: address = "", ...own } = this.project.variables;
    const given = Object.entries(variables).map(([name, value]) => [name, addresses.includes(value) ? address : value]);
    const env = {
      ...own,
      CI: "true",
      GITHUB_OUTPUT: this.#file("output"),
      GITHUB_STEP_SUMMARY: this.#file("summary"),
      GH_LOG: this.#file("gh.log"),
      GH_BODY: this.#file("gh.body"),
      GH_ANSWER: this.#file("gh.answer"),
      ARTIFACT: this.#file("artifact"),
      GITHUB_SHA: "0123abc",
      ...(Object.fromEntries(given) as Record<string, string>),
      PATH: `${this.#file("node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
    };
    // As GitHub runs the script of a step whose shell is `bash`.
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    return execute("bash", args, { cwd: this.project.folder, env }).then(
      (printed) => ({ code: 0, ...printed }),
      (error: unknown) => error as Ended,
    );
  }

  async #lines(file: string): Promise<string[]> {
    const text = await readFile(this.#file(file), "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  #file(name: string): string {
    return path.join(this.project.folder, name);
  }
}

/** The values of a container's environment. The token is that of the project. */
function valuesIn(env: readonly { readonly name: string; readonly value?: string }[]): Record<string, string> {
  const given = env.flatMap(({ name, value }) => (value === undefined || /^HOME$|_FILE$/.test(name) ? [] : [[name, value]]));
  return Object.fromEntries(given) as Record<string, string>;
}
