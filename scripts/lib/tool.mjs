import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "./child.mjs";
import { checkout, stateFolder } from "./paths.mjs";

/**
 * Bundles and runs a program of tools/, because the oldest supported Node.js does not run TypeScript. Options and result are those of
 * `run`.
 */
export async function runTool(file, args = [], options = {}) {
  // The name contains the process id, because another command may be about to run the same program.
  const bundle = join(stateFolder, "tools", `${basename(file, ".ts")}-${process.pid}.cjs`);
  const settings = ["--bundle", "--platform=node", "--format=cjs", "--packages=external", `--outfile=${bundle}`];
  const bundler = join(checkout, "node_modules", ".bin", "esbuild");
  try {
    const built = await run(bundler, [file, ...settings, "--log-level=warning"], { ...options, cwd: checkout });
    return built.code === 0 ? await run("node", [bundle, ...args], { ...options, cwd: checkout }) : built;
  } finally {
    rmSync(bundle, { force: true });
  }
}
