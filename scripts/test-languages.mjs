/**
 * `npm run test:languages [-- LANGUAGE... | --without LANGUAGE...]`: builds the SDK of each language, compiles all examples of schema.json
 * with it, and runs examples/every-kind in it, from up to destroy, on the emulator through the installed plugin, without Node.js. Ends in
 * `N passed, N failed`. A language with missing tools is named there, and is a failure of the command.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { alone, languages, requireKnown } from "./languages/index.mjs";
import { missing, pathWithHost } from "./languages/tools.mjs";
import { Work } from "./languages/work.mjs";
import { firstLine, runQuietly, throwIfInterrupted } from "./lib/child.mjs";
import { emulatorEnvironment, startEmulator, withoutPlatform } from "./lib/emulator.mjs";
import { withLock } from "./lib/lock.mjs";
import { main } from "./lib/main.mjs";
import { Failure, say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { packageSchema } from "./lib/schema.mjs";
import { runTool } from "./lib/tool.mjs";
import { commandLine } from "./toolchain/dist.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

/** For one language, with a host to build and dependencies to download. */
const MINUTES = 30;
const READY_WITHIN_MS = 60_000;
const folder = join(stateFolder, "test-languages");
const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));

const results = { passed: 0, failed: 0, notRun: [] };
const close = () => {
  const { passed, failed, notRun } = results;
  console.log(`${passed} passed, ${failed} failed${notRun.length > 0 ? `, not run: ${notRun.join(", ")}` : ""}`);
};

main(
  async () => {
    const names = await withTools(chosen(process.argv.slice(2)));
    const busy = "another command is testing languages in this checkout";
    if (names.length > 0) await withLock(`${folder}.lock`, busy, () => playAll(names));
    close();
    return results.failed + results.notRun.length > 0 ? 1 : 0;
  },
  () => {
    results.failed++;
    close();
  },
);

/** The names of languages whose tools this machine has. Reports the missing tools of the others. */
async function withTools(names) {
  const reasons = await Promise.all(names.map((name) => missing(languages[name].needs)));
  return names.filter((name, index) => {
    if (reasons[index].length === 0) return true;
    say(`not run: ${name}. ${reasons[index].join(". ")}. Or leave it out: npm run test:languages -- --without ${name}`);
    results.notRun.push(name);
    return false;
  });
}

async function playAll(names) {
  await bringUp();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { program, examples, converted } = await programs();
  const inTypeScript = Object.values(converted).map(({ nodejs }) => nodejs);
  await passes("the examples of schema.json are as they are converted today", async () => requireCurrent(examples, converted));
  const home = await installedPlugin();
  for (const name of names)
    await alone(name, () => play(name, { program, examples: Object.values(examples), converted: inTypeScript, home }));
}

function chosen(args) {
  const without = args[0] === "--without";
  const named = without ? args.slice(1) : args;
  requireKnown(named);
  const names = Object.keys(languages).filter((name) => named.length === 0 || named.includes(name) !== without);
  if (names.length === 0) throw new Failure("Nothing is tested, because every language is left out. Leave out fewer.");
  return names;
}

/** Counts a check as passed or failed. Returns whether it passed. */
async function passes(what, check) {
  try {
    await check();
    say(`passed: ${what}`);
    results.passed++;
    return true;
  } catch (error) {
    throwIfInterrupted();
    say(`failed: ${what}\n${error.message}`);
    results.failed++;
    return false;
  }
}

async function play(name, { program, examples, home, converted }) {
  const language = languages[name];
  const work = new Work(name, MINUTES);
  const at = {
    // Another folder than that of `npm run sdk`, which may build at the same time.
    sdk: join(folder, "sdk", name),
    folder: join(folder, name),
    examples: examples.flatMap((example) => example[language.block ?? name] ?? []),
    converted,
    home,
  };
  mkdirSync(at.folder);
  if (language.build) {
    if (!(await passes(`${name}: the SDK is built`, () => language.build(work, at.sdk)))) return;
    if (!(await passes(`${name}: all examples of the schema compile`, () => language.check(work, at)))) return;
  }
  if (!language.project) return;
  await passes(`${name}: a program that init has written runs from up to destroy`, () => firstProgram(work, language, at));
  const everyKind = { project: join(at.folder, "every-kind"), text: program[name], types: resourceTypes(), components };
  await passes(`${name}: a program of every kind runs from up to destroy`, () => lives(work, language, { ...at, ...everyKind }));
  if (!language.example) return;
  const text = readFileSync(join(checkout, language.example), "utf8");
  const team = {
    project: join(at.folder, "example"),
    text,
    types: ["Group", "Identity", "RoleBinding"].map((kind) => `platform:iam:${kind}`),
  };
  await passes(`${name}: ${language.example} runs from up to destroy`, () => lives(work, language, { ...at, ...team }));
}

/** In no file of a state. */
const SECRET = "a-secret-that-no-state-shows";

/** A change of the components in examples/every-kind, and the names of their resources, which are those of the classes in TypeScript. */
const components = {
  before: "What the guild teaches",
  after: "What the guild shows",
  names: [
    "platform:iam:Organization$platform:iam:Group::guild/workshops",
    "platform:iam:Organization$platform:iam:Group::guild/workshops/inks",
    "platform:iam:Organization$platform:iam:Identity::guild/workshops/inks/printer",
    "platform:iam:Organization$platform:iam:RoleBinding::guild/workshops/inks:editor:workshops/inks/printer",
    "platform:iam:Organization$platform:iam:RoleBinding::guild/workshops:viewer:workshops/inks/printer",
    "platform:iam:Team$platform:iam:Group::frames",
    "platform:iam:Team$platform:iam:Identity::frames/pipeline",
    "platform:iam:Team$platform:iam:RoleBinding::frames:editor:pipeline",
  ],
};

/** Runs a program like its user. @throws {Failure} if the engine, its state or the platform is wrong */
async function lives(work, language, { home, ...at }) {
  const PATH = await pathWithHost(work);
  await withNewEmulator(async (emulator) => {
    const backend = join(at.project, "state");
    mkdirSync(backend, { recursive: true });
    const write = async (program) => {
      const of = { ...at, text: program.replaceAll(ROOT, emulator.organization) };
      const { text = "", runtime, path = "" } = await language.project(work, of);
      writeFileSync(join(at.project, "Pulumi.yaml"), `name: test\nruntime: ${runtime}\n${text}`);
      return path;
    };
    const path = await write(at.text);
    const env = {
      ...emulatorEnvironment(emulator),
      PATH: [noNode(), path, PATH].filter(Boolean).join(delimiter),
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "emulator",
      PULUMI_STACK: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const pulumi = (what, ...args) => work.run(what, "pulumi", [...args, "--non-interactive"], { cwd: at.project, env });
    await pulumi("stack init", "stack", "init", "test");
    await pulumi("config set", "config", "set", "--secret", "clientSecret", SECRET);
    await pulumi("config set", "config", "set", "organization", emulator.organization);
    const before = await objects(emulator);
    await pulumi("up", "up", "--yes", "--skip-preview");
    requireSame("types in state", typesIn(await pulumi("state", "stack", "export")), at.types);
    await pulumi("up again", "up", "--yes", "--skip-preview", "--expect-no-changes");
    if (at.components) {
      const { before: was, after, names } = at.components;
      requireSame("resources of components", inComponents(await pulumi("state", "stack", "export")), names);
      await write(at.text.replaceAll(was, after));
      await pulumi("up with a change", "up", "--yes", "--skip-preview");
      requireSame("groups with the changed description", await described(emulator, after), ["workshops"]);
    }
    requireSame("files of the state with the secret", filesWith(SECRET, backend), []);
    await pulumi("destroy", "destroy", "--yes", "--skip-preview");
    requireSame("objects after destroy", await objects(emulator), before);
  });
}

/** Makes a first program with its packages from npm, the plugin among them, and runs it. @throws {Failure} if a command fails */
async function firstProgram(work, language, { folder: parent, sdk }) {
  const PATH = await pathWithHost(work);
  const project = join(parent, "first");
  const own = { ...withoutPlatform(process.env), PATH, PULUMI_HOME: join(parent, "home"), PULUMI_SKIP_UPDATE_CHECK: "true" };
  // Its state and its passphrase are in its folder.
  for (const name of ["BACKEND_URL", "CONFIG_PASSPHRASE", "CONFIG_PASSPHRASE_FILE", "STACK"]) delete own[`PULUMI_${name}`];
  const library = language.library ? ["--sdk", language.library(sdk)] : [];
  await work.run("init", "node", [commandLine, "init", project, "--language", work.language, ...library], { env: own });
  const use = async (emulator) => {
    const env = {
      ...{ ...own, ...emulatorEnvironment(emulator) },
      PULUMI_CONFIG_PASSPHRASE_FILE: join(project, ".passphrase"),
      // A host that was built from Go modules does not look for the virtual environment of Python.
      PATH: [join(project, "venv", "bin"), PATH].join(delimiter),
    };
    const pulumi = (what, ...args) => work.run(what, "pulumi", [...args, "--non-interactive"], { cwd: project, env });
    await pulumi("up", "up", "--yes", "--skip-preview");
    await pulumi("up again", "up", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("destroy", "destroy", "--yes", "--skip-preview");
  };
  await withNewEmulator(use, ["--data", join(project, "platform.db")]);
}

/** A folder whose `node` only fails, because neither plugin nor program may need it. */
function noNode() {
  const bin = join(folder, "no-node");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return bin;
}

/** Stands for the organisation in the converted program. */
const ROOT = "0123456789abcdef0123456789abcdef01234567";

async function programs() {
  const env = { ...withoutPlatform(process.env), PLATFORM_ORGANIZATION: ROOT };
  const { code, stdout, output } = await runTool("tools/generate/every-kind.ts", [], { capture: true, env });
  if (code !== 0) throw new Failure(output);
  return JSON.parse(stdout);
}

function requireCurrent(examples, converted) {
  const stale = Object.keys(examples).filter((token) =>
    // The examples in TypeScript are the originals.
    Object.entries(converted[token]).some(([language, text]) => language !== "nodejs" && examples[token][language] !== text),
  );
  if (stale.length > 0) throw new Failure(`\`npm run generate -- --examples\` would change those of ${stale.join(", ")}.`);
}

/** A home of the engine with the plugin's executable, like the installation of a user without Node.js. */
async function installedPlugin() {
  const home = join(folder, "home");
  const bundle = join(folder, "bundle");
  await runQuietly("Bundling the plugin", "node", [join(checkout, "scripts", "bundle.mjs"), "--executable", bundle]);
  const [archive] = readdirSync(bundle);
  const args = ["plugin", "install", "resource", "platform", version, "--file", join(bundle, archive)];
  await runQuietly("Installing the plugin", "pulumi", args, { env: { ...process.env, PULUMI_HOME: home } });
  return home;
}

/** Runs an emulator while `use` runs. @param options of its command. Default: it keeps no data */
async function withNewEmulator(use, options = []) {
  const emulator = startEmulator(options, "inherit");
  try {
    const line = await firstLine(emulator, READY_WITHIN_MS);
    if (!line) throw new Failure("The emulator did not start.");
    return await use(JSON.parse(line));
  } finally {
    await emulator.stop();
  }
}

/** The names of the groups and identities on the emulator. */
async function objects(emulator) {
  const found = await Promise.all(["groups", "identities"].map((kind) => objectsOf(emulator, kind)));
  return found.flatMap((each) => each.map(({ name }) => name)).sort();
}

/** The names of the groups on the emulator with a description. */
async function described(emulator, description) {
  const groups = await objectsOf(emulator, "groups");
  return groups.flatMap((group) => (group.description === description ? [group.name] : []));
}

async function objectsOf({ adminUrl }, kind) {
  const answer = await fetch(`${adminUrl}/objects?kind=${kind}`);
  return (await answer.json()).objects;
}

/** The type and name of each resource in a component, as in its URN. */
function inComponents(state) {
  const names = JSON.parse(state).deployment.resources.map(({ urn }) => urn.split("::").slice(2).join("::"));
  return names.filter((name) => name.includes("$")).sort();
}

/** The files below a folder that contain a text. */
function filesWith(text, below) {
  const entries = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => readFileSync(file, "utf8").includes(text));
}

const resourceTypes = () => Object.keys(packageSchema().resources).sort();

const typesIn = (state) =>
  [...new Set(JSON.parse(state).deployment.resources.map(({ type }) => type))]
    .filter((type) => type.startsWith("platform:"))
    .sort();

function requireSame(what, found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Failure(`${what}: ${JSON.stringify(found)}; expected ${JSON.stringify(expected)}`);
}
