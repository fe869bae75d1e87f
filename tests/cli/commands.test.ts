import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { version } from "../../package.json";
import { expectEnd, run, runBuilt, start } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";

const recorded = path.resolve(__dirname, "../support/terraform/organization.tfstate");
const folder = scratchFolder();

test("emulator prints one line of JSON when it serves, access draws it, and SIGTERM ends it", async () => {
  const emulator = start(["emulator", "--port", "0"]);
  try {
    const [line] = (await once(createInterface(emulator.stdout), "line")) as [string];
    const ready = JSON.parse(line) as Record<string, string>;
    const names = ["baseUrl", "authUrl", "issuer", "organization", "identity", "oidcTokenFile", "adminUrl"];
    expect(Object.keys(ready)).toEqual(names);
    const environment = {
      PLATFORM_BASE_URL: ready["baseUrl"] ?? "",
      PLATFORM_ORGANIZATION: ready["organization"] ?? "",
      PLATFORM_IDENTITY: ready["identity"] ?? "",
      PLATFORM_OIDC_TOKEN_FILE: ready["oidcTokenFile"] ?? "",
    };
    const stdout = ["owner → ", /operations\/.*warehouse\/.*shelf-reader → \S*stocktaker/s];
    expectEnd(await runBuilt(["access"], environment), 0, { stdout });
    const inColours = expectEnd(await runBuilt(["access"], { ...environment, FORCE_COLOR: "1" }), 0, {
      stdout: "\u001b[31mowner",
    });
    expectEnd(await runBuilt(["access"], environment), 0, { stdout: stripVTControlCharacters(inColours.stdout) });
    emulator.kill("SIGTERM");
    expect(await once(emulator, "close")).toEqual([0, null]);
  } finally {
    emulator.kill("SIGKILL");
  }
});

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j prints the commands and exits with 0", async (args) => {
  expectEnd(await run(args), 0, { stdout: ["emulator", "access", "from-terraform"], stderr: [] });
});

test.each([
  ["emulator", ["--port 4010", "--data FILE", "--seed SIZE", "large", "pulumi-platform emulator --port 0", "1   failed"]],
  ["access", ["--root GROUP", "PLATFORM_ORGANIZATION", "PLATFORM_BASE_URL"]],
  ["from-terraform", ["--state FILE", "--output FILE", "--removed FILE", "--provider NAME", "terraform show -json"]],
])("%s --help prints its options and exits with 0", async (name, expected) => {
  const lines = [
    [name, "--help"],
    [name, "-h"],
    ["help", name],
  ];
  for (const args of lines)
    expectEnd(await run(args), 0, { stdout: [`Usage: pulumi-platform ${name} [`, ...expected], stderr: [] });
});

test.each([
  ["drift", "--state FILE", "--state-file FILE"],
  ["export", "--out FILE", "--output DIR"],
  ["report", "--out FILE", "--output FILE"],
])("%s --help has only the present name of an option: not %s, but %s", async (name, earlier, present) => {
  const { stdout } = expectEnd(await run([name, "--help"]), 0, { stdout: present });
  expect(stdout).not.toContain(` ${earlier}`);
});

test.each(["access", "review", "drift", "report", "watch", "whoami", "doctor", "export"])(
  "--stack means the same in %s as in the others",
  async (name) => {
    expectEnd(await run([name, "--help"]), 0, {
      stdout: /--stack STACK +take address and credentials as a run of this stack does/,
    });
  },
);

test("--version prints the version of the package", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test.each<[string[], string]>([
  [["drift", "--stack", ""], "--stack has an empty value"],
  [["acces"], 'no command "acces"; did you mean access?'],
  [["--hlep"], "no option --hlep; did you mean --help?"],
  [["emulator", "--prot", "1"], "no option --prot; did you mean --port?"],
  [["access", "--rot=x"], "no option --rot; did you mean --root?"],
  [["access", "--root", "a", "--organization", "a"], "cannot be used with option '--root <GROUP>'."],
  [["emulator", "--json"], "no option --json; the options are --port, --data, --seed, --copy-of, --hide-people and --help."],
  [["delete"], 'no command "delete"; the commands are init, emulator, access, '],
  [["help", "acces"], 'no command "acces"; did you mean access?'],
  [["emulator", "platform.db"], "Unexpected argument 'platform.db'."],
  [["emulator", "--port"], "--port 4010 needs a value."],
  [["emulator", "--port", "many"], '--port must be a number from 0 to 65535, not "many".'],
  [["emulator", "--port", ""], "--port has an empty value"],
  [["from-terraform"], "Pass --state FILE"],
  [["from-terraform", "--state", recorded, "--out", recorded], "must be different files"],
  [["from-terraform", "--state", recorded, "--provider", "platfrm"], 'did you mean "platform"?'],
  [["access", "--identity", "a/b", "--group", "a"], "only one of --identity and --group"],
  [["access", "--why"], "--why needs --identity or --group"],
  [["report"], "Pass --output FILE"],
  [["report", "--out", "a", "--output", "b"], "cannot be used with option"],
  [["drift"], "--state-of STACK, or --state-file FILE"],
])("%j cannot be understood: one sentence, and exit code 2", async (args, sentence) => {
  const { stderr } = expectEnd(await run(args), 2, { stdout: [], stderr: [sentence, "--help"] });
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a wrong command line names the help of its command, or the one that lists the commands", async () => {
  const hint = async (...args: string[]) => (await run(args)).stderr.split("\n").at(-2);
  expect(await hint("review", "preview.json")).toContain("pulumi-platform review --help");
  expect(await hint("revew")).toContain("pulumi-platform --help");
});

test("access without an address says how to set it, with exit code 1", async () => {
  const { stderr } = expectEnd(await run(["access"]), 1, { stdout: [], stderr: "PLATFORM_BASE_URL" });
  // It reads no stack, so advice about one would not help.
  expect(stderr).not.toMatch(/pulumi config|^\s+at /m);
});

test("from-terraform writes the import file and the removed blocks, and nothing else to standard output", async () => {
  const [out, removed] = [path.join(folder, "import.json"), path.join(folder, "removed.tf")];
  const ended = await run(["from-terraform", "--state", recorded, "--out", out, "--removed", removed]);
  const stderr = [
    'platform_group.engineering -> Group "engineering"',
    "data.platform_role.viewer: a data source",
    `pulumi import --file ${out} --generate-code=false --protect=false`,
  ];
  expectEnd(ended, 0, { stdout: [], stderr });
  expect((JSON.parse(await readFile(out, "utf8")) as { resources: unknown[] }).resources).toHaveLength(31);
  expect(await readFile(removed, "utf8")).toContain("from = platform_group.engineering");
});

test("from-terraform reads standard input; a state with a wrong value writes nothing and names the object, with exit code 1", async () => {
  const convert = (input: string) => runBuilt(["from-terraform", "--state", "-"], {}, { input });
  const text = await readFile(recorded, "utf8");
  const { stdout, stderr } = expectEnd(await convert(text), 0);
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["resources"]);
  expect(stdout + stderr).not.toContain("fictional");
  const wrong = await convert(text.replace('"name": "stage 1"', '"name": "Stage 1"'));
  expectEnd(wrong, 1, { stdout: [], stderr: 'platform_group.stage[1]: name "Stage 1"' });
});

test("from-terraform fails for a state without objects", async () => {
  const file = path.join(folder, "empty.tfstate");
  await writeFile(file, '{ "version": 4, "resources": [] }');
  expectEnd(await run(["from-terraform", "--state", file]), 1, { stdout: [] });
});

test("on a Node without node:sqlite, emulator says which Node it needs, and the rest works", async () => {
  const old = { NODE_OPTIONS: "--no-experimental-sqlite" };
  const needed = ["Node.js 22.13", "node:sqlite", process.versions.node, "[CONFIGURATION]"];
  expectEnd(await runBuilt(["emulator", "--port", "0"], old), 1, { stdout: [], stderr: needed });
  expectEnd(await runBuilt(["access"], old), 1, { stderr: "PLATFORM_BASE_URL" });
});

test("--data in a folder that does not exist is an error that names the folder, and makes nothing", async () => {
  const absent = path.join(folder, "absent");
  const ended = await run(["emulator", "--port", "0", "--data", path.join(absent, "x.db")]);
  expectEnd(ended, 1, { stdout: [], stderr: `the folder ${absent} does not exist` });
  expect(existsSync(absent)).toBe(false);
});
