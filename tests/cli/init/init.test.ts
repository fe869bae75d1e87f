import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { writeProject } from "../../../cli/project/write-project";
import { expectEnd, run, start } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";
import { librariesIn, programsIn, working } from "./stand-ins";

/** The value of `runtime`, and the files of each language. */
const languages: [string, unknown, string[]][] = [
  ["typescript", "nodejs", ["index.ts", "tsconfig.json"]],
  ["python", { name: "python", options: { virtualenv: "venv" } }, ["__main__.py", "requirements.txt", "venv/bin/python"]],
  ["go", "go", ["main.go", "go.mod", "go.sum"]],
  ["java", "java", ["pom.xml", "src/main/java/generated_program/App.java", "target"]],
  ["yaml", "yaml", []],
];
const always = [".gitignore", "README.md", "env.sh", ".passphrase", "platform.db", "state", "package.json", "node_modules"];

let folder: string;
let environment: Record<string, string>;
let libraries: Readonly<Record<string, string>>;

beforeEach(async () => {
  folder = await realpath(scratchFolder());
  environment = { PATH: programsIn(path.join(folder, "tools"), working), ...unset };
  libraries = librariesIn(path.join(folder, "libraries"));
});

/** Variables of the shell of the tests that would choose another state or passphrase. */
const unset = Object.fromEntries(
  ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"].map((name) => [name, undefined]),
) as unknown as Record<string, string>;

const init = (...args: string[]) => run(["init", ...args], environment, folder);
const read = (name: string) => readFile(path.join(folder, name), "utf8");
const yamlIn = async (name: string) => parse(await read(name)) as Record<string, unknown>;
const sdk = (language: string) => (libraries[language] === undefined ? [] : ["--sdk", libraries[language]]);

/** Every file and folder in the present folder, besides what the tests have put there. */
const left = async () => (await readdir(folder)).filter((name) => !["tools", "libraries"].includes(name));

test.each(languages)(
  "%s: a program, its packages, its stack and its settings, all that the first up needs",
  async (language, runtime, own) => {
    const { stdout } = expectEnd(await init("my-org", "--language", language, ...sdk(language)), 0, {
      stdout: "Next:",
      stderr: [],
    });
    expect(stdout).toContain("cd my-org && . ./env.sh\n");
    const project = await yamlIn("my-org/Pulumi.yaml");
    expect(project).toMatchObject({ name: "my-org", backend: { url: "file://./state?metadata=skip" } });
    const stack = (await yamlIn("my-org/Pulumi.dev.yaml")) as { config: Record<string, string>; encryptionsalt: string };
    expect(stack).toMatchObject({ config: { "platform:organization": expect.stringMatching(/^[0-9a-f]{40}$/) as string } });
    expect(stack.encryptionsalt).toBe("v1:x");
    expect(project["runtime"]).toEqual(runtime);
    const files = await readdir(path.join(folder, "my-org"), { recursive: true });
    expect(files).toEqual(expect.arrayContaining([...always, ...own]));
  },
);

test("the program of TypeScript is that of the README", async () => {
  await init("my-org");
  const page = await readFile(path.join(__dirname, "../../../README.md"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${await read("my-org/index.ts")}\`\`\``);
});

test("other languages import the library that --sdk names, by its own name", async () => {
  for (const language of Object.keys(libraries)) await init(language, "--language", language, ...sdk(language));
  expect(await read("python/__main__.py")).toContain("import acme_platform as platform\n");
  expect(await read("python/requirements.txt")).toContain("\n../libraries/acme_platform-0.1.0-py3-none-any.whl\n");
  expect(await read("go/main.go")).toContain('"example.test/sdk/go/platform/iam"');
  expect(await read("go/go.mod")).toContain("go 1.25.1\n\nreplace example.test/sdk/go/platform => ../libraries/go\n");
  expect(await read("java/src/main/java/generated_program/App.java")).toContain("import test.example.platform.iam.Group;");
});

test("the passphrase is new, readable for its user alone, in no repository, and never printed", async () => {
  const { stdout, stderr } = await init("my-org");
  await init("other");
  const passphrase = await read("my-org/.passphrase");
  expect(passphrase).toMatch(/^[\w-]{43}$/);
  expect(passphrase).not.toBe(await read("other/.passphrase"));
  expect((await stat(path.join(folder, "my-org/.passphrase"))).mode & 0o777).toBe(0o600);
  expect((await read("my-org/.gitignore")).split("\n")).toEqual(expect.arrayContaining(["/.passphrase", "/env.sh", "/state"]));
  for (const text of [stdout, stderr, await read("my-org/env.sh"), await read("my-org/README.md")])
    expect(text).not.toContain(passphrase);
  expect(await read("my-org/state/passphrase-file")).toBe(`${folder}/my-org/.passphrase\n`);
});

test("a passphrase and a backend of the environment are used, and a platform instead of the emulator", async () => {
  Object.assign(environment, {
    PULUMI_CONFIG_PASSPHRASE: "their own",
    PULUMI_BACKEND_URL: "s3://bucket",
    PLATFORM_BASE_URL: "https://api.platform.example",
    PLATFORM_ORGANIZATION: "0123456789abcdef0123456789abcdef01234567",
  });
  const { stdout } = await init("my-org");
  expect(stdout).toMatch(/Next:\n {2}cd my-org\n {2}pulumi up\n$/);
  expect(await readdir(path.join(folder, "my-org"))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/state|env|pass|db/)]),
  );
  expect(await yamlIn("my-org/Pulumi.yaml")).not.toHaveProperty("backend");
  const { config } = await yamlIn("my-org/Pulumi.dev.yaml");
  expect(config).toEqual({ "platform:organization": environment["PLATFORM_ORGANIZATION"] });
});

test("a backend of Pulumi's service needs no passphrase", async () => {
  environment["PULUMI_BACKEND_URL"] = "https://api.pulumi.com";
  await init("my-org");
  expect(await read("my-org/env.sh")).not.toContain("PASSPHRASE");
});

test("without a folder, the working directory is taken", async () => {
  await mkdir(path.join(folder, "my-org"));
  const { stdout } = expectEnd(await run(["init"], environment, path.join(folder, "my-org")), 0, {
    stdout: "Next:\n  . ./env.sh\n",
  });
  expect(stdout).not.toContain("cd ");
  expect(await yamlIn("my-org/Pulumi.yaml")).toMatchObject({ name: "my-org" });
});

test("the printed command enters a folder of any name, and runs nothing in it", async () => {
  const name = `it's $(touch ran) "here"`;
  const { stdout } = expectEnd(await init(name), 0, { stdout: "Next:" });
  const [, enter = ""] = /^ {2}(cd .*) && \. \.\/env\.sh$/m.exec(stdout) ?? [];
  const { stdout: entered } = spawnSync("sh", ["-c", `${enter} && pwd`], { cwd: folder, encoding: "utf8" });
  expect(entered.trim()).toBe(path.join(folder, name));
  expect(await left()).toEqual([name]);
});

test("a file that another process writes at the same time stays", async () => {
  await writeFile(path.join(folder, "Pulumi.yaml"), "theirs");
  const files = new Map(["src/ours", "Pulumi.yaml", "package.json"].map((name) => [name, "ours"]));
  await expect(writeProject(folder, files)).rejects.toThrow("Nothing was written.");
  expect(await left()).toEqual(["Pulumi.yaml"]);
  expect(await read("Pulumi.yaml")).toBe("theirs");
});

test("a folder with files is refused, which are named and left; one with an empty repository is taken", async () => {
  await mkdir(path.join(folder, "my-org/.git"), { recursive: true });
  expectEnd(await init("my-org"), 0, { stdout: "Wrote my-org" });
  await mkdir(path.join(folder, "full"));
  await writeFile(path.join(folder, "full/index.ts"), "theirs");
  expectEnd(await init("full"), 1, { stderr: ['remove "index.ts" from it', "Nothing was written"] });
  expect(await readdir(path.join(folder, "full"))).toEqual(["index.ts"]);
});

test.each([
  ["typescript", ["npm"], ["npm: Node.js from"]],
  ["typescript", ["pulumi"], ["pulumi: the Pulumi CLI from"]],
  ["yaml", ["pulumi-language-yaml"], ["pulumi-language-yaml: a full installation of the Pulumi CLI"]],
  ["java", ["mvn", "pulumi-language-java"], ["mvn: Maven from", "pulumi-language-java: "]],
])("%s without %j is refused with the place to get them", async (language, missing, named) => {
  const tools = Object.fromEntries(Object.entries(working).filter(([name]) => !missing.includes(name)));
  environment["PATH"] = programsIn(path.join(folder, "fewer"), tools).split(":", 1).join("");
  expectEnd(await init("my-org", "--language", language, ...sdk(language)), 1, { stderr: named });
  expect(existsSync(path.join(folder, "my-org"))).toBe(false);
});

test.each<[string, string[], Record<string, string>, string]>([
  ["a language without its library", ["--language", "python"], {}, "`npm run sdk -- python` makes it in a checkout"],
  ["a library for a language without one", ["--sdk", "x"], {}, "--sdk is not for TypeScript"],
  ["a library that is none", ["--language", "go", "--sdk", "."], {}, "has no go.mod"],
  ["a platform without its organisation", [], { PLATFORM_BASE_URL: "https://api.platform.example" }, "set PLATFORM_ORGANIZATION"],
])("%s is a wrong command line", async (_, args, more, part) => {
  Object.assign(environment, more);
  expectEnd(await init("my-org", ...args), 2, { stderr: part });
  expect(await left()).toEqual([]);
});

test.each(["new", "empty"])(
  "after a failure nothing is left of it in a %s folder, but a file that somebody else has put there",
  async (kind) => {
    if (kind === "empty") await mkdir(path.join(folder, "a/my-org"), { recursive: true });
    programsIn(path.join(folder, "tools"), { npm: "mkdir node_modules; echo 'no network' >&2; exit 3" });
    expectEnd(await init("a/my-org"), 1, {
      stderr: ["npm ended with exit code 3: [CONFIGURATION]\nno network\nNothing was written."],
    });
    expect(await left()).toEqual(kind === "empty" ? ["a"] : []);
    if (kind === "empty") expect(await readdir(path.join(folder, "a/my-org"))).toEqual([]);
    programsIn(path.join(folder, "tools"), { npm: "touch theirs; exit 3" });
    expectEnd(await init("a/my-org"), 1, { stderr: "exit code 3" });
    expect(await readdir(path.join(folder, "a/my-org"))).toEqual(["theirs"]);
  },
);

test.each(["SIGINT", "SIGTERM"] as const)("after %s nothing is left, and no process still runs", async (signal) => {
  const pidFile = path.join(folder, "tools/pid");
  programsIn(path.join(folder, "tools"), { npm: `sleep 600 & echo $! > ${pidFile}; touch running; wait` });
  const child = start(["init", "my-org"], environment, folder);
  const closed = new Promise((resolve) => child.on("close", resolve));
  while (!existsSync(path.join(folder, "my-org/running"))) await sleep(50);
  child.kill(signal);
  expect(await closed).toBe(signal === "SIGINT" ? 130 : 143);
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", (await readFile(pidFile, "utf8")).trim()], { encoding: "utf8" });
  // A process that has ended may still be in the table, until another one has asked for its end.
  expect(stdout.trim()).toMatch(/^(Z.*)?$/);
  expect(await left()).toEqual(["my-org"]);
  expect(await readdir(path.join(folder, "my-org"))).toEqual(["running"]);
});
