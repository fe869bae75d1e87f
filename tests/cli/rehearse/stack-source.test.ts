import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readStack } from "../../../cli/rehearse/stack-source";
import { version } from "../../../provider/client/version";
import { pulumiIn } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";

const folder = scratchFolder();
const project = path.join(folder, "project");
const before = { cwd: process.cwd(), path: process.env["PATH"] };

const reference = { urn: "urn:pulumi:live::access::pulumi:pulumi:StackReference::shared", type: "pulumi:pulumi:StackReference" };
const stateOf = (resources: object[]) => JSON.stringify({ version: 3, deployment: { resources } });

/** Answers in place of the Pulumi CLI, on a backend. */
function withBackend(url: string, state = stateOf([])): void {
  process.env["PATH"] = pulumiIn(
    folder,
    `case "$*" in
whoami*) echo '{ "url": "${url}" }' ;;
config*) echo '{ "access:key": { "value": "the-secret", "secret": true } }' ;;
*"--stack acme/shared/live"*) echo '${stateOf([])}' ;;
*) echo '${state}' ;; esac`,
  );
}

/** Writes a file of the project. */
function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}

beforeEach(() => {
  rmSync(project, { recursive: true, force: true });
  write("Pulumi.yaml", "name: access\nruntime: nodejs\n");
  process.chdir(project);
  withBackend("file:///backend");
});
afterAll(() => {
  process.chdir(before.cwd);
  process.env["PATH"] = before.path;
});

const notes = async (stack = "live") => (await readStack(stack)).notes.map(({ what }) => what);

test("a stack is read with its secrets, and with the states of the stacks to which it refers", async () => {
  withBackend("file:///backend", stateOf([{ ...reference, inputs: { name: "acme/shared/live" } }]));
  const { source, notes: found } = await readStack("live");
  expect(found).toEqual([]);
  expect(source).toMatchObject({ project: "access", stack: "live", configured: { "access:key": { value: "the-secret" } } });
  expect([...source.referred.keys()]).toEqual(["acme/shared/live"]);
  expect(source).not.toHaveProperty("organization");
});

test.each([
  [
    "environment: [shared, { other: { merge: false } }]\n",
    'what the environment shared and {"other":{"merge":false}} of the stack\'s file sets',
  ],
  ["environment:\n  values: { a: b }\n", "what the environment an own one of the stack's file sets"],
])("environments of the stack's file are undecided: %j", async (text, what) => {
  write("Pulumi.live.yaml", text);
  expect(await notes()).toEqual([what]);
});

test("a program that uses another release of this package is undecided, also from a folder above", async () => {
  const installed = (of: string) => write("node_modules/pulumi-platform/package.json", JSON.stringify({ version: of }));
  installed(version);
  expect(await notes()).toEqual([]);
  installed("0.0.1");
  expect(await notes()).toEqual(["what the program declares"]);
  write("program/Pulumi.yaml", "name: access\nruntime: nodejs\n");
  process.chdir(path.join(project, "program"));
  const [note] = (await readStack("live")).notes;
  expect(note?.reason).toContain(`pulumi-platform "0.0.1", but this command is ${version}`);
});

test("so is a program in the folder that `main` names", async () => {
  write("Pulumi.yaml", "name: access\nruntime: nodejs\nmain: infra/index.ts\n");
  write("infra/node_modules/pulumi-platform/package.json", '{ "version": "0.0.1" }');
  expect(await notes()).toEqual(["what the program declares"]);
});

const ofOrganization = "what the program does with the name of its organisation";

test.each([
  ["https://api.pulumi.com", "live", "nodejs", undefined, [ofOrganization]],
  ["https://api.pulumi.com", "acme/access/live", "nodejs", "acme", []],
  ["https://api.pulumi.com", "acme/access/live", "python", undefined, [ofOrganization]],
  ["https://pulumi.acme.example", "acme/live", "nodejs", "acme", []],
  ["s3://bucket", "organization/access/live", "nodejs", undefined, []],
  ["postgres://db", "live", "python", undefined, []],
])("on %s the stack %s in %s has the organisation %j", async (backend, stack, runtime, organization, undecided) => {
  write("Pulumi.yaml", `name: access\nruntime: ${runtime}\n`);
  withBackend(backend);
  expect(await notes(stack)).toEqual(undecided);
  expect((await readStack(stack)).source).toMatchObject({ stack: "live", ...(organization && { organization }) });
});

test("without a project or a stack, the error says what is missing", async () => {
  process.env["PATH"] = pulumiIn(folder, "exit 1");
  await expect(readStack(undefined)).rejects.toThrow("No stack is selected. Pass --stack");
  process.chdir(folder);
  await expect(readStack("live")).rejects.toThrow("No Pulumi project here");
});

test("the packages for which the project has plugins of its own are known", async () => {
  const plugins =
    "plugins:\n  providers:\n    - { name: acme, path: bin }\n    - name: other\n  languages: [{ name: yaml, path: bin }]\n";
  write("Pulumi.yaml", `name: access\nruntime: yaml\n${plugins}packages:\n  local: ./local\n  named: { source: acme/named }\n`);
  expect((await readStack("live")).source.packages).toEqual(["acme", "other", "local", "named"]);
});

test("a backend that only the project's file names gets no token: the Pulumi CLI is not run", async () => {
  const backend = "backend: { url: https://pulumi.evil.example }\n";
  write("Pulumi.yaml", `name: access\nruntime: nodejs\n${backend}`);
  process.env["PULUMI_ACCESS_TOKEN"] = "pul-t";
  process.env["PATH"] = pulumiIn(folder, `echo "$*" >> '${path.join(project, "was-run")}'`);
  try {
    await expect(readStack("live")).rejects.toThrow(
      /would send PULUMI_ACCESS_TOKEN there, was not run\.\n- Set PULUMI_BACKEND_URL/,
    );
    expect(existsSync(path.join(project, "was-run"))).toBe(false);
  } finally {
    delete process.env["PULUMI_ACCESS_TOKEN"];
  }
});
