import { basename, join } from "node:path";
import { run } from "./child.mjs";
import { checkout, stateFolder } from "./paths.mjs";

/** Bundles and runs a program of tools/, because the oldest supported Node.js does not run TypeScript. Options and result as of `run`. */
export async function runTool(file, args = [], options = {}) {
  const bundle = join(stateFolder, "tools", `${basename(file, ".ts")}.cjs`);
  const settings = ["--bundle", "--platform=node", "--format=cjs", "--packages=external", `--outfile=${bundle}`];
  const bundler = join(checkout, "node_modules", ".bin", "esbuild");
  const built = await run(bundler, [file, ...settings, "--log-level=warning"], { ...options, cwd: checkout });
  return built.code === 0 ? run("node", [bundle, ...args], { ...options, cwd: checkout }) : built;
}
