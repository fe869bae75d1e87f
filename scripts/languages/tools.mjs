import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { run } from "../lib/child.mjs";
import { goEnvironment, MINIMUM_GO } from "../lib/go.mjs";
import { withLock } from "../lib/lock.mjs";
import { Failure } from "../lib/message.mjs";
import { checkout, stateFolder, toolCache } from "../lib/paths.mjs";
import { stage } from "../toolchain/staging.mjs";
import { isAtLeast } from "../toolchain/version.mjs";

/** Go modules of this checkout, each with versions of its own. */
const modules = join(checkout, "scripts", "engine");
/** The modules of today's generators, and of the hosts of YAML and Java. */
const generators = join(modules, "languages");

/** The missing tools of this machine among `[command, arguments that print its version, least version, what to install]`. */
export async function missing(needs) {
  const reasons = [];
  for (const [command, args, least, advice] of needs) {
    const answer = await run(command, args, { capture: true }).catch(() => undefined);
    const version = answer?.code === 0 ? /\d+(\.\d+)*/.exec(stripVTControlCharacters(answer.output))?.[0] : undefined;
    // A version may be one number, such as `javac 25`.
    if (!version || !isAtLeast(`${version}.0`, `${least}.0`))
      reasons.push(`${command} ${least} or newer is needed${version ? `; this one is ${version}` : ""}: install ${advice}`);
  }
  return reasons;
}

export const GO = ["go", ["version"], MINIMUM_GO, "Go from https://go.dev/dl"];

/** The default folder for the SDK of a language. */
export const sdkFolder = (language) => join(stateFolder, "sdk", language);

/** The file that lets the next build delete the folder. */
const MARK = ".pulumi-platform-sdk";

/** @throws {Failure} for a folder that is not empty, if no SDK was built there; the folder stays unchanged */
export function emptyFolder(folder, language) {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (found.length > 0 && !found.includes(MARK) && folder !== sdkFolder(language))
    throw new Failure(
      `${language}: not built, because ${folder} is not empty and has no ${MARK} of an earlier build, which would be deleted. Name a new or empty folder.`,
    );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(checkout, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, MARK), "`npm run sdk` built this folder, and deletes it before it builds again.\n");
}

/** Generates the SDK of a language into `folder`, with Pulumi's own generator. Removes the result of an earlier build. */
export async function generateSdk(work, folder) {
  emptyFolder(folder, work.language);
  const args = ["run", "-mod=readonly", "-trimpath", "./generate", "sdk", work.language, join(checkout, "schema.json"), folder];
  await work.run("generating the SDK", "go", args, { cwd: generators, env: goEnvironment() });
}

/** The sources of language hosts that are published as Go modules. For Python, this is the last published one. */
const hosts = {
  python: { module: "language-nodejs", source: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python" },
  go: { module: "languages", source: "./pulumi-language-go" },
  java: { module: "languages", source: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java" },
  yaml: { module: "languages", source: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
};

/**
 * A PATH with the host of the language, either from a full installation of the CLI or built from Go modules. It is built once for all
 * checkouts of this machine with the same sources.
 */
export async function pathWithHost(work) {
  const name = `pulumi-language-${work.language}`;
  const folders = process.env.PATH.split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, name)))) return process.env.PATH;
  const { module, source } = hosts[work.language];
  const home = join(toolCache(), "language-hosts", `${work.language}-${hashOf(join(modules, module), source)}`);
  const bin = join(home, "bin");
  await withLock(`${home}.lock`, "another command is building the language host", async () => {
    if (existsSync(bin)) return;
    await stage(home, async (folder) => {
      const options = { cwd: join(modules, module), env: goEnvironment() };
      const args = ["build", "-mod=readonly", "-trimpath", "-o", join(folder, name), source];
      await work.run("building the language host (minutes, the first time)", "go", args, options);
      if (work.language === "python") await copyStarter(work, folder, options);
    });
  });
  return [bin, ...folders].join(delimiter);
}

/** A hash of the inputs from which a Go module of this checkout builds `source`. */
function hashOf(module, source) {
  const hash = createHash("sha256").update(source);
  const files = readdirSync(module, { recursive: true }).filter((name) => /(^go\.(mod|sum)|\.go)$/.test(name));
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(module, name)));
  return hash.digest("hex").slice(0, 16);
}

/** The files with which Python's host starts programs lie beside its source. */
async function copyStarter(work, folder, options) {
  const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"];
  const source = (await work.run("finding its starter", "go", list, options)).trim();
  const name = "pulumi-language-python-exec";
  copyFileSync(join(source, "python", "cmd", name), join(folder, name));
  chmodSync(join(folder, name), 0o755);
}
