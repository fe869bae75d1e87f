import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { announce, Failure } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { npm } from "./npm.mjs";

/** Installs node_modules of a folder as locked, unless they already are. @throws {Failure} */
export async function ensureDependencies(folder) {
  if (installedAsLocked(folder)) return;
  const whose = folder === checkout ? "" : ` of ${relative(checkout, folder)}/`;
  const attempt = await announce(`Dependencies${whose}: npm ci`, () =>
    npm(["ci", "--include=dev"], { cwd: folder, capture: true }),
  );
  if (attempt.code === 0) return;
  throw new Failure(
    `The dependencies could not be installed (npm's exit code ${attempt.code}):\n${gistOf(attempt.output)}\n` +
      "Fix the cause named above (often the network or the registry) and run the command again.",
  );
}

/** npm's error messages, without its usage page. */
function gistOf(output) {
  return output.split(/^npm error Clean install a project$/m)[0].trimEnd();
}

/**
 * npm writes node_modules/.package-lock.json last, so an interrupted install has none. Optional packages of other machines are locked but
 * not installed.
 */
function installedAsLocked(folder) {
  const locked = readPackages(join(folder, "package-lock.json"));
  const installed = readPackages(join(folder, "node_modules", ".package-lock.json"));
  if (!locked || !installed) return false;
  return Object.entries(locked).every(([path, { version, link, optional, integrity }]) => {
    const found = installed[path];
    if (path === "") return true;
    if (!found) return optional === true;
    return found.version === version && found.link === link && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}
