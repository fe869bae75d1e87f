import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const command = path.resolve(__dirname, "../../dist/cli/main.js");
const recorded = path.resolve(__dirname, "../support/terraform/organization.tfstate");
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(args: string[], environment: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|ACTIONS)_/.test(name));
  const child = spawn(process.execPath, [command, ...args], { env: { ...Object.fromEntries(inherited), ...environment } });
  running.push(child);
  return child;
}

async function run(args: string[], environment?: Record<string, string>) {
  const child = start(args, environment);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

test("emulator prints one line of JSON when it serves, access draws it, and SIGTERM ends it", async () => {
  const emulator = start(["emulator", "--port", "0"]);
  const [line] = (await once(createInterface(emulator.stdout), "line")) as [string];
  const ready = JSON.parse(line) as Record<string, string>;
  expect(Object.keys(ready)).toEqual(["baseUrl", "authUrl", "issuer", "organization", "identity", "oidcTokenFile", "adminUrl"]);
  const environment = {
    PLATFORM_BASE_URL: ready["baseUrl"] ?? "",
    PLATFORM_ORGANIZATION: ready["organization"] ?? "",
    PLATFORM_IDENTITY: ready["identity"] ?? "",
    PLATFORM_OIDC_TOKEN_FILE: ready["oidcTokenFile"] ?? "",
  };
  const tree = await run(["access"], environment);
  expect(tree).toMatchObject({ code: 0, output: expect.stringContaining("owner → ") as string });
  expect(tree.output).toMatch(/operations\/.*warehouse\/.*shelf-reader → \S*stocktaker/s);
  emulator.kill("SIGTERM");
  expect(await once(emulator, "close")).toEqual([0, null]);
});

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j prints the commands and exits with 0", async (args) => {
  const { code, output } = await run(args);
  expect(code).toBe(0);
  for (const each of ["the platform on this machine, until Ctrl-C", "the organisation as a tree", "from-terraform"])
    expect(output).toContain(each);
});

const help: [string, string[]][] = [
  ["emulator", ["--port 4010", "--data FILE", "pulumi-platform emulator --port 0", "1   failed"]],
  ["access", ["--root GROUP", "PLATFORM_ORGANIZATION", "PLATFORM_BASE_URL"]],
  ["from-terraform", ["--state FILE", "--out FILE", "--removed FILE", "--provider NAME", "terraform show -json"]],
];

test.each(help)("%s --help prints its options and exits with 0", async (name, expected) => {
  for (const args of [
    [name, "--help"],
    [name, "-h"],
    ["help", name],
  ]) {
    const { code, output } = await run(args);
    expect(code).toBe(0);
    expect(output).toContain(`Usage: pulumi-platform ${name} [`);
    for (const each of expected) expect(output).toContain(each);
  }
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(await readFile(path.resolve(__dirname, "../../package.json"), "utf8")) as { version: string };
  expect(await run(["--version"])).toEqual({ code: 0, output: `${version}\n` });
});

const mistakes: [string[], string][] = [
  [["drift", "--stack", ""], "The option --stack has an empty value."],
  [["acces"], 'There is no command "acces"; did you mean access?'],
  [["--hlep"], "There is no option --hlep; did you mean --help?"],
  [["emulator", "--prot", "1"], "There is no option --prot; did you mean --port?"],
  [["access", "--rot=x"], "There is no option --rot; did you mean --root?"],
  [["access", "--root", "a", "--organization", "a"], "cannot be used with option '--root <GROUP>'."],
  [["emulator", "--json"], "There is no option --json; the options are --port, --data and --help."],
  [["delete"], 'There is no command "delete"; the commands are emulator, access, '],
  [["help", "acces"], 'There is no command "acces"; did you mean access?'],
  [["emulator", "platform.db"], "Unexpected argument 'platform.db'."],
  [["emulator", "--port"], "The option --port 4010 needs a value."],
  [["emulator", "--port", "many"], '--port must be a number from 0 to 65535, not "many".'],
  [["emulator", "--port", ""], "The option --port has an empty value."],
  [["from-terraform"], "Which state? Pass --state FILE"],
  [["from-terraform", "--state", recorded, "--out", recorded], "must be different files"],
  [["from-terraform", "--state", recorded, "--provider", "platfrm"], 'did you mean "platform"?'],
];

test.each(mistakes)("%j cannot be understood: one sentence, and exit code 2", async (args, expected) => {
  const { code, output } = await run(args);
  expect(code).toBe(2);
  expect(output).toContain(expected);
  expect(output).toContain("--help");
  expect(output).not.toMatch(/^\s+at /m);
});

test("a wrong command line names the help of its command, or the one that lists the commands", async () => {
  const hint = async (...args: string[]) => (await run(args)).output.split("\n").at(-2);
  expect(await hint("review", "preview.json")).toBe("Run pulumi-platform review --help for its options and examples.");
  expect(await hint("revew")).toBe("Run pulumi-platform --help for the commands and their options.");
});

test("access without an address says how to set it, with exit code 1", async () => {
  const { code, output } = await run(["access"]);
  expect(code).toBe(1);
  expect(output).toContain("PLATFORM_BASE_URL");
  // It reads no stack, so advice about one would not help.
  expect(output).not.toMatch(/pulumi config|^\s+at /m);
});

test("from-terraform writes the import file and the removed blocks, and nothing else to standard output", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "cli-test-"));
  const [out, removed] = [path.join(folder, "import.json"), path.join(folder, "removed.tf")];
  const { code, output } = await run(["from-terraform", "--state", recorded, "--out", out, "--removed", removed]);
  expect(code).toBe(0);
  expect(output).toContain('platform_group.engineering -> Group "engineering"');
  expect(output).toContain("data.platform_role.viewer: a data source");
  expect(output).toContain(`pulumi import --file ${out} --generate-code=false --protect=false`);
  expect((JSON.parse(await readFile(out, "utf8")) as { resources: unknown[] }).resources).toHaveLength(31);
  expect(await readFile(removed, "utf8")).toContain("from = platform_group.engineering");
  await rm(folder, { recursive: true });
});

test("from-terraform reads standard input; a state with a wrong value writes nothing and names the object, with exit code 1", async () => {
  const convert = async (text: string) => {
    const child = start(["from-terraform", "--state", "-"]);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.end(text);
    const [code] = (await once(child, "close")) as [number];
    return { code, stdout, stderr };
  };
  const text = await readFile(recorded, "utf8");
  const { code, stdout, stderr } = await convert(text);
  expect([code, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, ["resources"]]);
  expect(stdout + stderr).not.toContain("fictional");
  const wrong = await convert(text.replace('"name": "stage 1"', '"name": "Stage 1"'));
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toContain('platform_group.stage[1]: name "Stage 1" may contain only');
  expect(await convert('{ "version": 4, "resources": [] }')).toMatchObject({ code: 1, stdout: "" });
});

test("on a Node without node:sqlite, emulator says which Node it needs, and the rest works", async () => {
  const old = { NODE_OPTIONS: "--no-experimental-sqlite" };
  expect(await run(["emulator", "--port", "0"], old)).toEqual({
    code: 1,
    output: `The emulator needs Node.js 22.13 or newer, for node:sqlite; this is Node.js ${process.versions.node}. [CONFIGURATION]\n`,
  });
  expect(await run(["access"], old)).toMatchObject({ code: 1, output: expect.stringContaining("PLATFORM_BASE_URL") as string });
  expect(await run(["--help"], old)).toMatchObject({ code: 0 });
});

test("--data in a folder that does not exist is an error that names the folder, and makes nothing", async () => {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "cli-test-")), "absent");
  const { code, output } = await run(["emulator", "--port", "0", "--data", path.join(folder, "x.db")]);
  expect(code).toBe(1);
  expect(output).toContain(`the folder ${folder} does not exist`);
  expect(existsSync(folder)).toBe(false);
  await rmdir(path.dirname(folder));
});
