import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const checkout = path.resolve(__dirname, "../../..");
const sdk = "3.272.0";

/** Runs a script of the checkout. */
export async function script(name: string, ...args: string[]): Promise<void> {
  await run(process.execPath, [path.join(checkout, "scripts", name), ...args], { cwd: checkout });
}

/**
 * What runs Python programs: an environment with Pulumi's SDK, and the language host of the newest release that is published as a Go module.
 * Made once for all checkouts of this machine.
 *
 * @returns the folder of the environment, and those to put on PATH
 */
export async function pythonHost(): Promise<{ home: string; folders: string[] }> {
  const cache = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "pulumi-platform");
  const home = path.join(cache, `python-${sdk}`);
  const folders = [path.join(home, "host"), path.join(home, "bin")];
  if (existsSync(home)) return { home, folders };
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(path.join(cache, "python-partial-"));
  try {
    await run("python3", ["-m", "venv", path.join(partial, "home")]);
    const python = path.join(partial, "home/bin/python");
    await run(python, ["-m", "pip", "install", "--quiet", `pulumi==${sdk}`, "parver", "setuptools", "wheel"]);
    await buildHost(path.join(partial, "home/host"));
    await rename(path.join(partial, "home"), home).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return { home, folders };
}

async function buildHost(folder: string): Promise<void> {
  const cwd = path.join(checkout, "scripts/engine/language-nodejs");
  const env = { ...process.env, GOWORK: "off" };
  const source = "github.com/pulumi/pulumi/sdk/v3/python/cmd";
  await mkdir(folder);
  await run("go", ["build", "-mod=readonly", "-trimpath", "-o", folder, `${source}/pulumi-language-python`], { cwd, env });
  const { stdout } = await run("go", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"], {
    cwd,
    env,
  });
  const starter = path.join(folder, "pulumi-language-python-exec");
  await copyFile(path.join(stdout.trim(), "python/cmd/pulumi-language-python-exec"), starter);
  await chmod(starter, 0o755);
}

/** Generates the Python SDK, compiles it, and installs it into `folder`. */
export async function installSdk(home: string, folder: string): Promise<void> {
  const python = path.join(home, "bin/python");
  const generated = `${folder}-generated`;
  await script("sdk.mjs", "python", generated);
  await run(python, ["-m", "compileall", "-q", path.join(generated, "pulumi_platform")]);
  const offline = ["--no-deps", "--no-build-isolation", "--no-index"];
  await run(python, ["-m", "pip", "install", "--quiet", ...offline, "--target", folder, generated]);
}
