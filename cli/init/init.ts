import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import { type Outcome, pulumiIn, run } from "../project/commands";
import { packageFile, projectName } from "../project/node-project";
import { ownDependency } from "../project/own-package";
import { requireEmpty, writeProject } from "../project/write-project";
import { UsageError } from "../shell/exit-codes";
import type { Progress } from "../shell/progress";
import { yaml } from "../shell/yaml";
import { type About, type Language, type LanguageName, languages } from "./languages";
import type { Library } from "./libraries";
import { readme } from "./readme";
import { machineFiles, newEmulator, newPassphrase, ownBackend, shellFile, type Surroundings, surroundings } from "./settings";
import { requireTools } from "./tools";

/** The project to make, by the names of the command's options. */
export interface Wanted {
  readonly folder: string;
  readonly language: LanguageName;
  readonly sdk?: string;
}

/** A project that is ready for its first `up`. */
export interface Made {
  readonly language: Language;
  readonly around: Surroundings;
  /** Whether the shell needs the settings of `env.sh`. */
  readonly hasSettings: boolean;
}

/** The name of the new stack. */
export const stack = "dev";

/**
 * Makes a first program with its packages and its stack in an empty or new folder. After a failure or an abort, nothing is left in it.
 *
 * @throws PlatformError
 */
export async function init(wanted: Wanted, progress: Progress, signal: AbortSignal): Promise<Made> {
  const folder = path.resolve(wanted.folder);
  const language = languages[wanted.language];
  await requireEmpty(folder);
  const library = await libraryOf(language, wanted);
  const around = surroundings(process.env);
  await requireTools(language);
  const dependency = await ownDependency(folder);
  if (dependency === undefined) throw new PlatformError("CONFIGURATION", unknownOrigin);
  const about = { name: projectName(path.basename(folder)), folder, library };
  const project = await writeProject(folder, projectFiles(about, language, around, dependency));
  try {
    const hasSettings = await writeSettings(about, wanted.language, around);
    for (const [program, ...parameters] of [npmInstall, ...(language.install?.(about) ?? [])]) {
      progress.update(`Installing packages: ${path.basename(program)} ${parameters.join(" ")}`);
      required(program, await run(folder, program, parameters, { signal }));
    }
    progress.update(`Making stack ${stack}`);
    required("pulumi", await pulumiIn(folder, ["stack", "init", stack], { signal, environment: passphraseIn(folder, around) }));
    signal.throwIfAborted();
    return { language, around, hasSettings };
  } catch (error) {
    await project.remove([...byproducts, ...machineFiles, ...(language.ignored ?? [])]);
    throw error;
  }
}

const npmInstall = ["npm", "install", "--no-audit", "--no-fund"] as const;

/** Names in the folder that are no files of the project. */
const byproducts = ["node_modules", "package-lock.json", "go.sum", `Pulumi.${stack}.yaml`];

const unknownOrigin =
  "npm has no record of the place from which this package was installed, and is not asked for it by name. " +
  "Run the command with npx and the tarball: `npx --yes FILE.tgz init DIR`. Nothing was written.";

async function libraryOf({ title, library }: Language, { language, sdk }: Wanted): Promise<Library | undefined> {
  if (library === undefined && sdk !== undefined)
    throw new UsageError(`--sdk is not for ${title}, which needs no library besides.`);
  if (library === undefined) return undefined;
  if (sdk !== undefined) return library.read(sdk);
  throw new UsageError(
    `No registry has the library for ${title}: pass --sdk with ${library.is}. \`npm run sdk -- ${language}\` makes it in a checkout, and releases have it.`,
  );
}

/** The files of the project, by path, without settings of this machine. */
function projectFiles(about: About, language: Language, around: Surroundings, dependency: string): Map<string, string> {
  const { name } = about;
  const ignored = ["node_modules", ...(language.ignored ?? []), ...machineFiles.map((each) => `/${each}`)];
  const main = language.runtime === "nodejs" ? { main: "index.ts" } : {};
  return new Map([
    ["Pulumi.yaml", projectFile(name, language, around)],
    ["package.json", packageFile({ name, ...main }, dependency)],
    [".gitignore", ignored.map((each) => `${each}\n`).join("")],
    ["README.md", readme(about, language, around, stack)],
    ...language.files(about),
  ]);
}

/** The text of `Pulumi.yaml`. */
function projectFile(name: string, { runtime, members }: Language, { hasBackend }: Surroundings): string {
  const document = {
    ...{ name, description: "A group, a pipeline that logs in without a secret, and its role" },
    runtime,
    ...(!hasBackend && { backend: { url: ownBackend } }),
    // Classes of TypeScript need no plugin.
    ...(runtime !== "nodejs" && { plugins: { providers: [{ name: "platform", path: "node_modules/.bin" }] } }),
    ...members,
  };
  return yaml().stringify(document, { lineWidth: 130 });
}

/** Writes the settings of the stack and of this machine. @returns whether a shell needs the latter */
async function writeSettings({ name, folder }: About, language: LanguageName, around: Surroundings): Promise<boolean> {
  if (!around.hasBackend) await mkdir(path.join(folder, "state"));
  const { organization, variables } = around.platform ? { ...around.platform, variables: [] } : await newEmulator(folder);
  // A program in YAML reads only settings of its own project.
  const config = {
    "platform:organization": organization,
    ...(language === "yaml" && { [`${name}:organization`]: organization }),
  };
  await writeFile(path.join(folder, `Pulumi.${stack}.yaml`), yaml().stringify({ config }));
  const all = [...(around.needsPassphrase ? [await newPassphrase(folder)] : []), ...variables];
  if (all.length > 0) await writeFile(path.join(folder, "env.sh"), shellFile(all));
  return all.length > 0;
}

function passphraseIn(folder: string, { needsPassphrase }: Surroundings): Record<string, string> {
  return needsPassphrase ? { PULUMI_CONFIG_PASSPHRASE_FILE: path.join(folder, ".passphrase") } : {};
}

/** @throws PlatformError for a failed command */
function required(program: string, { code, output }: Outcome): void {
  if (code === 0) return;
  throw new PlatformError(
    "CONFIGURATION",
    `${path.basename(program)} ended with exit code ${code}:\n${printable(output).trim()}\nNothing was written.`,
  );
}
