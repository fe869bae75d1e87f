import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../lib/lock.mjs";
import { announce, Failure } from "../lib/message.mjs";
import { checkout, stateFolder } from "../lib/paths.mjs";
import { npm } from "../toolchain/npm.mjs";

/**
 * Installs the tools of a release, as locked in scripts/release/tools. They are the Node.js of each platform, the tool that puts a script
 * into it, and the tool that writes the SBOM.
 * @returns the folder of these packages
 */
export function releaseTools() {
  return withLock(join(stateFolder, "release-tools.lock"), "another command is installing the tools of a release", install);
}

async function install() {
  const [wanted, folder] = [join(checkout, "scripts", "release", "tools"), join(stateFolder, "release-tools")];
  const [lock, installed] = [readFileSync(join(wanted, "package-lock.json"), "utf8"), join(folder, "installed.json")];
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(wanted, folder, { recursive: true });
    // Forced, because the Node.js of other platforms is data here. No script runs, and no optional package is needed.
    const args = ["ci", "--force", "--ignore-scripts", "--omit=optional"];
    const { code, output } = await announce("Release: npm ci of its tools", () => npm(args, { cwd: folder, capture: true }));
    if (code !== 0) throw new Failure(`The tools of a release could not be installed:\n${output.trimEnd()}`);
    writeFileSync(installed, lock);
  }
  return join(folder, "node_modules");
}
