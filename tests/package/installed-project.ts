import { execFile } from "node:child_process";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { engineVariables } from "../engine/project";
import { scratchFolder } from "../support/scratch-folder";
import type { TestPlatform } from "../support/test-platform";

const execute = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

/** How a project is installed. */
export interface Installation {
  /** The command that installs what package.json names. Default: npm, with the package and what else it shall install. */
  readonly install?: readonly [command: string, ...args: string[]];
  /** The folder of Pulumi.yaml in the project. */
  readonly program?: string;
}

/** A Pulumi project in an empty folder, with the packed package from its tarball, and a stack on a platform. */
export class InstalledProject {
  private constructor(
    readonly folder: string,
    private readonly environment: Record<string, string>,
  ) {}

  /**
   * @param files of the project, by name; they may name the package as `./pulumi-platform.tgz`
   * @param packages what npm installs beside the package; its programs, such as `node`, come first on PATH
   */
  static async create(
    { baseUrl, root: organization, identity, oidcTokenFile }: TestPlatform,
    files: Readonly<Record<string, string>>,
    packages: readonly string[],
    { install, program = "." }: Installation = {},
  ): Promise<InstalledProject> {
    const top = scratchFolder();
    const folder = path.join(top, program);
    await execute("npm", ["pack", "--ignore-scripts", "--pack-destination", top], { cwd: checkout });
    const tarball = (await readdir(top)).find((name) => name.endsWith(".tgz")) ?? "";
    await rename(path.join(top, tarball), path.join(top, "pulumi-platform.tgz"));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(top, name)), { recursive: true });
      await writeFile(path.join(top, name), text);
    }
    await mkdir(path.join(folder, "backend"));
    const byNpm = ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "./pulumi-platform.tgz", ...packages];
    const [command = "", ...args] = install ?? byNpm;
    await run(command, args, { cwd: top });
    const project = new InstalledProject(folder, {
      ...engineVariables(folder, path.join(folder, "home")),
      NODE_COMPILE_CACHE: path.join(folder, "compile-cache"),
      PATH: [path.join(folder, "node_modules/.bin"), process.env["PATH"] ?? ""].join(path.delimiter),
    });
    await project.pulumi("stack", "init", "test");
    const settings = Object.entries({ baseUrl, organization, identity, oidcTokenFile });
    await project.pulumi("config", "set-all", ...settings.flatMap(([key, value]) => ["--plaintext", `platform:${key}=${value}`]));
    return project;
  }

  /** Runs a program in the folder; resolves to its standard output. @throws Error with its output if it fails */
  async run(command: string, ...args: string[]): Promise<string> {
    return run(command, args, { cwd: this.folder, env: this.environment });
  }

  /** Runs a command of the engine. @throws Error with its output if it fails */
  pulumi(...args: string[]): Promise<string> {
    return this.run("pulumi", ...args, "--non-interactive");
  }
}

/** Runs a program; resolves to its standard output. @throws Error with its output if it fails */
async function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<string> {
  const { stdout } = await execute(command, args, options).catch((error: unknown) => {
    const { message, stdout } = error as { message: string; stdout?: string };
    throw new Error(`${message}\n${stdout ?? ""}`);
  });
  return stdout;
}
